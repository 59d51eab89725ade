import { expect, test } from "vitest";
import { dateFormats, formatLongDate, formatLongMoment } from "./date-format.ts";

const { formatDate, formatTime, formatMoment, formatMomentToTheSecond } = dateFormats("UTC");

test("every month has three letters", () => {
  const days = Array.from({ length: 12 }, (_, month) => formatDate(new Date(Date.UTC(2026, month, 25))));
  for (const day of days) expect(day).toMatch(/^25 [A-Z][a-z]{2} 2026$/);
  expect(formatTime(new Date("2026-09-25T14:05:09Z"))).toBe("14:05");
  expect(formatMoment(new Date("2026-09-25T14:05:09Z"))).toBe("25 Sep 2026, 14:05");
  expect(formatMomentToTheSecond(new Date("2026-09-25T14:05:09Z"))).toBe("25 Sep 2026, 14:05:09");
});

test("a sentence has the whole name of the month", () => {
  const moment = new Date("2026-09-05T14:05:09Z");
  expect(formatLongDate(moment)).toBe("5 September 2026");
  expect(formatLongMoment(moment)).toBe("5 September 2026 at 14:05");
});
