import { expect, test } from "vitest";
import { daysBetween, daysFrom, instantOf, localTime, timeZoneNamed } from "./local-time.ts";

const zones = [
  "Africa/Cairo",
  "Africa/Casablanca",
  "Africa/Johannesburg",
  "America/Havana",
  "America/Los_Angeles",
  "America/New_York",
  "America/Nuuk",
  "America/Santiago",
  "America/St_Johns",
  "Asia/Beirut",
  "Asia/Jerusalem",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Atlantic/Azores",
  "Australia/Lord_Howe",
  "Australia/Sydney",
  "Europe/Dublin",
  "Europe/London",
  "Pacific/Auckland",
  "Pacific/Chatham",
];

const quarter = 15 * 60_000;

/** Returns an oracle that shares no code with the source: the sortable Swedish format of dates. */
function oracleOf(zone: string) {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (moment: number) => clock.format(moment);
}

/** Returns the first quarter of an hour after each change of a zone's clock. */
function transitionsOf(zone: string): number[] {
  const oracle = oracleOf(zone);
  const distance = (moment: number) => Date.parse(`${oracle(moment).replace(" ", "T")}:00Z`) - moment;
  const transitions: number[] = [];
  const last = Date.UTC(2031, 0, 1);
  const step = 12 * 60 * 60_000;
  for (let moment = Date.UTC(2026, 0, 1); moment < last; moment += step) {
    if (distance(moment) === distance(moment + step)) continue;
    for (let at = moment; at < moment + step; at += quarter)
      if (distance(at) !== distance(at + quarter)) transitions.push(at + quarter);
  }
  return transitions;
}

test.each(zones)(
  "returns the moment of every local time around the clock changes of 2026 to 2030 in %s",
  (zone) => {
    const oracle = oracleOf(zone);
    for (const change of transitionsOf(zone)) {
      // Maps each local time around the change to the first moment at which the clock shows it.
      const first = new Map<string, number>();
      for (let at = change - 30 * 60 * 60_000; at <= change + 30 * 60 * 60_000; at += quarter)
        if (!first.has(oracle(at))) first.set(oracle(at), at);
      const [begin, ...rest] = first.keys();
      const end = rest.at(-1) ?? "";
      for (let wall = Date.parse(`${begin?.replace(" ", "T")}Z`); ; wall += quarter) {
        const [date = "", clock = ""] = new Date(wall).toISOString().split("T");
        const time = clock.slice(0, 5);
        if (`${date} ${time}` > end) break;
        // A skipped time is the moment at which the clock jumps.
        expect(instantOf(zone, { date, time }).getTime(), `${date} ${time}`).toBe(
          first.get(`${date} ${time}`) ?? change,
        );
      }
    }
  },
);

test("01:30 in London is the moment of the clock change in spring, and the first of two in autumn", () => {
  const london = (date: string, time: string) => instantOf("Europe/London", { date, time }).toISOString();
  expect(london("2026-03-29", "01:30")).toBe("2026-03-29T01:00:00.000Z");
  expect(london("2026-10-25", "01:30")).toBe("2026-10-25T00:30:00.000Z");
  expect(london("2026-08-12", "17:00")).toBe("2026-08-12T16:00:00.000Z");
});

test("returns the local time of a zone", () => {
  expect(localTime("Asia/Kolkata", new Date("2026-08-12T23:00:00Z"))).toEqual({
    date: "2026-08-13",
    time: "04:30",
  });
});

test("accepts only the names of zones", () => {
  expect(timeZoneNamed("europe/london")).toBe("Europe/London");
  expect(timeZoneNamed("UTC")).toBe("UTC");
  for (const text of ["", "+02:00", "London", "Europe/Londonn", "a".repeat(100), "Europe/London "])
    expect(timeZoneNamed(text)).toBeNull();
});

test("days are counted on the calendar", () => {
  expect(daysFrom("2026-12-31", 1)).toBe("2027-01-01");
  expect(daysFrom("2026-03-29", -7)).toBe("2026-03-22");
  expect(daysBetween("2026-10-24", "2026-10-26")).toBe(2);
  expect(daysBetween("2026-10-26", "2026-10-24")).toBe(-2);
});
