import { afterEach, expect, test, vi } from "vitest";
import { dateFormats, formatLongDate, formatLongMoment } from "./date-format.ts";

const ownZone = process.env["TZ"];
afterEach(() => {
  vi.unstubAllGlobals();
  if (ownZone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = ownZone;
});

test("abbreviates every month to three letters", () => {
  const { formatDate, formatTime, formatMoment, formatMomentToTheSecond } = dateFormats("UTC");
  const days = Array.from({ length: 12 }, (_, month) => formatDate(new Date(Date.UTC(2026, month, 25))));
  for (const day of days) expect(day).toMatch(/^25 [A-Z][a-z]{2} 2026$/);
  expect(formatTime(new Date("2026-09-25T14:05:09Z"))).toBe("14:05");
  expect(formatMoment(new Date("2026-09-25T14:05:09Z"))).toBe("25 Sep 2026, 14:05");
  expect(formatMomentToTheSecond(new Date("2026-09-25T14:05:09Z"))).toBe("25 Sep 2026, 14:05:09");
});

test("spells out the month for sentences", () => {
  const moment = new Date("2026-09-05T14:05:09Z");
  expect(formatLongDate(moment)).toBe("5 September 2026");
  expect(formatLongMoment(moment)).toBe("5 September 2026 at 14:05");
});

test.each([
  "UTC",
  "Africa/Lagos",
  "Africa/Johannesburg",
  "Europe/London",
  "America/St_Johns",
  "Pacific/Chatham",
])(
  "formats dates on a device in %s as Intl does, also when its clocks change and the year ends",
  (timeZone) => {
    process.env["TZ"] = timeZone;
    const { formatMoment, formatMomentToTheSecond, formatTimeToTheSecond, formatMomentInZone } =
      dateFormats(undefined);
    const intl = (timeStyle: "short" | "medium") =>
      new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle, timeZone });
    const [toTheMinute, toTheSecond] = [intl("short"), intl("medium")];
    const threeLetters = (text: string) => text.replace("Sept", "Sep");
    // The step isn't a whole number of hours, so that every day of the year and every hour occur.
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 3); at += 6_789_000) {
      const date = new Date(at);
      expect(formatMoment(date)).toBe(threeLetters(toTheMinute.format(date)));
      expect(formatMomentToTheSecond(date)).toBe(threeLetters(toTheSecond.format(date)));
      expect(formatMomentToTheSecond(date).endsWith(` ${formatTimeToTheSecond(date)}`)).toBe(true);
    }
    expect(formatMomentInZone(new Date(0))).toContain(`(${timeZone.replaceAll("_", " ")})`);
  },
);

test("gets the device's zone from Temporal if a browser has it, and not from Intl, which is slow", () => {
  vi.stubGlobal("Temporal", { Now: { timeZoneId: () => "Africa/Porto-Novo" } });
  vi.stubGlobal("Intl", {});
  const moment = new Date("2026-09-05T14:05:09Z");
  expect(dateFormats(undefined).formatMomentInZone(moment)).toMatch(/ \(Africa\/Porto-Novo\)$/);
  expect(dateFormats("UTC").formatMomentInZone(moment)).toBe("5 Sep 2026, 14:05 (UTC)");
});
