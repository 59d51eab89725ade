import { expect, test } from "vitest";
import { courseEnd } from "./passport.ts";

const ends = (now: string) => Object.values(courseEnd(new Date(now)));

test("a course ends a year after the next intake, which may begin in this month", () => {
  expect(courseEnd(new Date("2026-01-31T23:59:59.999Z"))).toEqual({
    "Fall Intake (August or September)": "2027-09-01",
    "Spring Intake (January)": "2027-01-01",
    "Summer Intake (May or June)": "2027-06-01",
  });
});

test("an intake counts until the last moment of its month, and then the one of the next year", () => {
  const [fall, spring, summer] = ["2027-09-01", "2028-01-01", "2027-06-01"];
  expect(ends("2026-02-01T00:00:00Z")).toEqual([fall, spring, summer]);
  expect(ends("2026-06-30T23:59:59.999Z")).toEqual([fall, spring, summer]);
  expect(ends("2026-07-01T00:00:00Z")).toEqual([fall, spring, "2028-06-01"]);
  expect(ends("2026-09-30T23:59:59.999Z")).toEqual([fall, spring, "2028-06-01"]);
  expect(ends("2026-10-01T00:00:00Z")).toEqual(["2028-09-01", spring, "2028-06-01"]);
});
