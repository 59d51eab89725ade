import { expect, test } from "vitest";
import { localDate, localInput } from "./local-date.ts";

test("a date input's value comes back as the same minute", () => {
  const date = new Date(2026, 0, 9, 7, 5);
  expect(localInput(date)).toBe("2026-01-09T07:05");
  expect(localDate(localInput(date))).toEqual(date);
});

test("a text that is no date gives none", () => {
  for (const text of ["", "?", "2026-01-09", "tomorrow", "2026-13-01T10:00"])
    expect(localDate(text)).toBeNull();
});
