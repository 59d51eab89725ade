import { expect, test } from "vitest";
import { dueRungs, isUrgent } from "./reminder.ts";

const longAgo = new Date("2020-01-01T00:00:00Z");
const farAhead = new Date("2040-01-01T00:00:00Z");

/** Returns all rungs with their times, by walking from each to the next. */
function walk(dueAt: string, zone: string, rungs: readonly number[] = [], since = longAgo): string[] {
  const ladder = { dueAt: new Date(dueAt), zone, since, sent: rungs };
  const steps: string[] = [];
  const passed: number[] = [...rungs];
  let { nextAt } = dueRungs(ladder, longAgo);
  while (nextAt) {
    const result: ReturnType<typeof dueRungs> = dueRungs({ ...ladder, sent: passed }, nextAt);
    steps.push(`${result.due.join(",")} ${nextAt.toISOString().slice(0, 16)}`);
    passed.push(...result.due);
    nextAt = result.nextAt;
  }
  return steps;
}

test("every rung is at nine in the owner's zone, also across a clock change", () => {
  // British summer time ends on 25 October 2026, so nine is at 08:00 UTC before and 09:00 UTC after it.
  expect(walk("2026-10-27T17:00:00Z", "Europe/London")).toEqual([
    "-14 2026-10-13T08:00",
    "-7 2026-10-20T08:00",
    "-3 2026-10-24T08:00",
    "-1 2026-10-26T09:00",
    "0 2026-10-27T09:00",
    "1 2026-10-28T09:00",
    "8 2026-11-04T09:00",
    "15 2026-11-11T09:00",
  ]);
  // It begins on 29 March 2026.
  expect(walk("2026-03-30T17:00:00Z", "Europe/London").slice(2, 5)).toEqual([
    "-3 2026-03-27T09:00",
    "-1 2026-03-29T08:00",
    "0 2026-03-30T08:00",
  ]);
});

test("the end of a day belongs to that day, and not to the next", () => {
  expect(walk("2026-08-12T23:00:00Z", "Europe/London").slice(3, 6)).toEqual([
    "-1 2026-08-11T08:00",
    "0 2026-08-12T08:00",
    "1 2026-08-13T08:00",
  ]);
});

test("the days are those of the owner's zone, and no rung before the deadline comes after it", () => {
  // 17:00 on 12 August in Los Angeles is 05:30 on the 13th in Kolkata, before nine.
  expect(walk("2026-08-13T00:00:00Z", "Asia/Kolkata").slice(2, 6)).toEqual([
    "-3 2026-08-10T03:30",
    "-1 2026-08-12T03:30",
    "1 2026-08-14T03:30",
    "8 2026-08-21T03:30",
  ]);
});

test("leaves out rungs that were sent, and those before the beginning", () => {
  const rungsAfter = (rungs: readonly number[], since?: Date) =>
    walk("2026-08-12T16:00:00Z", "Europe/London", rungs, since).map((step) => Number(step.split(" ")[0]));
  expect(rungsAfter([-14, -3, 8])).toEqual([-7, -1, 0, 1, 15]);
  // A rung at exactly this moment is left out too.
  expect(rungsAfter([], new Date("2026-08-11T08:00:00Z"))).toEqual([0, 1, 8, 15]);
});

test("all rungs that were missed during a server outage are due together", () => {
  const ladder = {
    dueAt: new Date("2026-08-12T16:00:00Z"),
    zone: "Europe/London",
    since: longAgo,
    sent: [-14],
  };
  expect(dueRungs(ladder, new Date("2026-08-11T08:00:00Z"))).toEqual({
    due: [-7, -3, -1],
    nextAt: new Date("2026-08-12T08:00:00Z"),
  });
  expect(dueRungs(ladder, farAhead)).toEqual({ due: [-7, -3, -1, 0, 1, 8, 15], nextAt: null });
});

test("only deadlines within the next 24 hours are urgent", () => {
  const now = new Date("2026-08-11T08:00:00Z");
  const urgent = (dueAt: string) => isUrgent(new Date(dueAt), now);
  expect(urgent("2026-08-12T08:00:00Z")).toBe(true);
  expect(urgent("2026-08-12T08:00:01Z")).toBe(false);
  expect(urgent("2026-08-11T08:00:00Z")).toBe(false);
});
