import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { inDays, localDate, localInput } from "./local-date.ts";

test("parses a formatted moment to the same minute", () => {
  const date = new Date(2026, 0, 9, 7, 5);
  expect(localInput(date)).toBe("2026-01-09T07:05");
  expect(localDate(localInput(date))).toEqual(date);
});

test("returns null for a text that isn't a date", () => {
  for (const text of ["", "?", "2026-01-09", "tomorrow", "2026-13-01T10:00"])
    expect(localDate(text)).toBeNull();
});

describe("across a clock change", () => {
  beforeAll(() => void vi.stubEnv("TZ", "Europe/London"));
  afterAll(() => void vi.unstubAllEnvs());

  test.each([
    [1, "2026-03-29T18:05"],
    [3, "2026-03-31T18:05"],
    [7, "2026-04-04T18:05"],
  ])("%i days later it is the same time of day", (days, end) => {
    const date = new Date(2026, 2, 28, 18, 5);
    expect(localInput(inDays(date, days))).toBe(end);
    expect(localInput(date)).toBe("2026-03-28T18:05");
  });
});
