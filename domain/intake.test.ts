import { describe, expect, test } from "vitest";
import {
  type DatedIntake,
  groupsFirst,
  intakeNow,
  intakeOfMonth,
  isForIntake,
  ownDeadlines,
  programmeNow,
  takesApplications,
} from "#domain/intake.ts";

describe("the start of the application form by the month of an intake", () => {
  test.each([
    [8, "Fall Intake (August or September)"],
    [9, "Fall Intake (August or September)"],
    [1, "Spring Intake (January)"],
    [5, "Summer Intake (May or June)"],
    [6, "Summer Intake (May or June)"],
  ])("month %d is the %s", (month, intake) => {
    expect(intakeOfMonth(month)).toBe(intake);
  });
  test.each([2, 3, 4, 7, 10, 11, 12, 0, 13])(
    "month %d belongs to none of them, so that the form asks",
    (month) => {
      expect(intakeOfMonth(month)).toBeNull();
    },
  );
});

test("an application is for an intake of its year and start", () => {
  const fall = { startDate: "Fall Intake (August or September)", year: 2027 } as const;
  expect(isForIntake(fall, { year: 2027, month: 9 })).toBe(true);
  expect(isForIntake(fall, { year: 2028, month: 9 })).toBe(false);
  expect(isForIntake({ ...fall, year: null }, { year: 2027, month: 9 })).toBe(false);
  expect(isForIntake(fall, { year: 2027, month: 1 })).toBe(false);
  // The form has no start in March, so the student had to choose another one.
  expect(isForIntake(fall, { year: 2027, month: 3 })).toBe(true);
});

const now = new Date("2026-11-24T12:00:00Z");
const due = (at: string, changes: object = {}) => ({
  kind: "applyBy" as const,
  group: null as string | null,
  hard: true,
  at: new Date(at),
  ...changes,
});
const fall: DatedIntake = { year: 2027, month: 9, state: "open", deadlines: [] };

test("deadlines of an applicant's groups replace those for everyone", () => {
  const [all, west] = [due("2027-06-30"), due("2027-05-31", { group: "West Africa" })];
  expect(ownDeadlines([all, west], "applyBy", [])).toEqual([all]);
  expect(ownDeadlines([all, west], "applyBy", ["West Africa"])).toEqual([west]);
  expect(ownDeadlines([all, west], "applyBy", ["South Asia"])).toEqual([all]);
  expect(ownDeadlines([all, west], "depositBy", ["West Africa"])).toEqual([]);
});

describe("the current state of an intake", () => {
  test("is the one that was entered, without deadlines", () => {
    for (const state of ["open", "notYet", "closed", "full"] as const)
      expect(intakeNow({ ...fall, state }, [], now)).toBe(state);
  });
  test("is closed once its month has come", () => {
    expect(intakeNow({ ...fall, year: 2026, month: 11 }, [], now)).toBe("closed");
    expect(intakeNow({ ...fall, year: 2026, month: 12 }, [], now)).toBe("open");
  });
  test("is closed once a hard apply-by deadline is over, but not a soft one", () => {
    expect(intakeNow({ ...fall, deadlines: [due("2026-11-24T12:00:00Z")] }, [], now)).toBe("closed");
    expect(intakeNow({ ...fall, deadlines: [due("2026-11-24T12:00:01Z")] }, [], now)).toBe("open");
    expect(intakeNow({ ...fall, deadlines: [due("2026-11-01", { hard: false })] }, [], now)).toBe("open");
    expect(intakeNow({ ...fall, deadlines: [due("2026-11-01", { kind: "documentsBy" })] }, [], now)).toBe(
      "open",
    );
  });
  test("is closed to those whose own deadline is over, and open to the others", () => {
    const deadlines = [due("2027-06-30"), due("2026-10-31", { group: "West Africa" })];
    expect(intakeNow({ ...fall, deadlines }, ["West Africa"], now)).toBe("closed");
    expect(intakeNow({ ...fall, deadlines }, [], now)).toBe("open");
  });
});

test("an intake takes applications while any group's deadline is in the future, or none is hard", () => {
  const takes = (...deadlines: ReturnType<typeof due>[]) => takesApplications({ ...fall, deadlines }, now);
  const over = due("2026-10-31");
  expect(takes()).toBe(true);
  expect(takes(over)).toBe(false);
  expect(takes(due("2026-10-31", { hard: false }))).toBe(true);
  expect(takes(over, due("2027-01-31", { group: "West Africa" }))).toBe(true);
  expect(takes(over, due("2026-09-30", { group: "West Africa" }))).toBe(false);
  expect(takes(due("2026-09-30", { group: "West Africa" }))).toBe(true);
});

test("a programme has the state of its best intake, and null without one", () => {
  const stateOf = (...states: DatedIntake["state"][]) =>
    programmeNow(
      states.map((state) => ({ ...fall, state })),
      [],
      now,
    );
  expect(stateOf("closed", "full", "open")).toBe("open");
  expect(stateOf("closed", "notYet", "full")).toBe("notYet");
  expect(stateOf("closed", "full")).toBe("full");
  expect(stateOf("closed")).toBe("closed");
  expect(stateOf()).toBeNull();
});

test("deadlines of groups come before those for everyone", () => {
  const [all, west, south] = [{ group: null }, { group: "West Africa" }, { group: "South Asia" }];
  expect(groupsFirst([all, west, south])).toEqual([west, south, all]);
});
