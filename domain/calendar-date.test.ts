import { expect, test } from "vitest";
import { monthsBefore } from "./calendar-date.ts";

test("a day that a shorter month lacks becomes the month's last", () => {
  expect(monthsBefore("2026-03-31", 1)).toBe("2026-02-28");
  expect(monthsBefore("2024-03-31", 1)).toBe("2024-02-29");
  expect(monthsBefore("2026-01-15", 18)).toBe("2024-07-15");
  expect(monthsBefore("2026-11-24", -24)).toBe("2028-11-24");
});
