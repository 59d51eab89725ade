import { expect, test } from "vitest";
import {
  checkDeadline,
  type Deadline,
  daysUntil,
  deadlineInstant,
  deadlineText,
  deadlineWords,
  dueWords,
  isOverdue,
} from "./deadline.ts";

const deposit: Deadline = {
  date: "2026-08-12",
  time: "17:00",
  zone: "Europe/London",
  whose: "institution",
  hard: true,
};
const now = new Date("2026-08-01T12:00:00Z");

test("a deadline is shown in its own zone, and in the viewer's when that differs", () => {
  expect(deadlineText(deposit, "Asia/Kolkata", now)).toBe("17:00 on 12 August in London; 21:30 your time");
  expect(deadlineText(deposit, "Europe/London", now)).toBe("17:00 on 12 August your time");
  expect(deadlineText(deposit, "Europe/Lisbon", now)).toBe("17:00 on 12 August in London");
  expect(deadlineText({ ...deposit, date: "2027-08-12" }, "Europe/Lisbon", now)).toBe(
    "17:00 on 12 August 2027 in London",
  );
});

test("both dates stand out when the viewer's differs", () => {
  expect(deadlineWords({ ...deposit, time: "22:30" }, "Asia/Kolkata", now)).toEqual({
    there: "22:30 on 12 August in London",
    here: "03:00 on 13 August your time",
    datesDiffer: true,
  });
});

test("the end of a day is the beginning of the next, and is named as the end of the day", () => {
  const endOfDay = { ...deposit, time: null };
  expect(deadlineInstant(endOfDay).toISOString()).toBe("2026-08-12T23:00:00.000Z");
  expect(deadlineText(endOfDay, "Europe/London", now)).toBe("the end of 12 August your time");
  expect(deadlineText(endOfDay, "Europe/Lisbon", now)).toBe("the end of 12 August in London");
  expect(deadlineText(endOfDay, "America/New_York", now)).toBe(
    "the end of 12 August in London; 19:00 your time",
  );
  expect(deadlineWords(endOfDay, "Asia/Kolkata", now)).toMatchObject({
    here: "04:30 on 13 August your time",
    datesDiffer: true,
  });
});

test("the time until a deadline is counted in days of its zone", () => {
  // In London it is still the ninth, 73 hours before; in Kolkata the tenth has begun.
  const evening = new Date("2026-08-09T22:30:00Z");
  expect(daysUntil(deposit, evening)).toBe(3);
  expect(dueWords(deposit, evening)).toBe("in 3 days");
  expect(dueWords({ ...deposit, zone: "Asia/Kolkata" }, evening)).toBe("in 2 days");
  expect(dueWords(deposit, new Date("2026-08-11T22:59:00Z"))).toBe("tomorrow");
  expect(dueWords(deposit, new Date("2026-08-11T23:01:00Z"))).toBe("today");
  expect(dueWords(deposit, new Date("2026-08-12T16:00:00Z"))).toBe("overdue since today");
  expect(dueWords(deposit, new Date("2026-08-13T16:00:00Z"))).toBe("overdue since yesterday");
  expect(dueWords(deposit, new Date("2026-08-15T16:00:00Z"))).toBe("overdue by 3 days");
});

test("a deadline is over at its time, not before", () => {
  expect(isOverdue(deposit, new Date("2026-08-12T15:59:59Z"))).toBe(false);
  expect(isOverdue(deposit, new Date("2026-08-12T16:00:00Z"))).toBe(true);
});

test("an applicant's deadline gets the applicant's zone, and an invalid deadline names the field", () => {
  expect(checkDeadline({ ...deposit, whose: "applicant", zone: "" }, "Asia/Kolkata")).toMatchObject({
    zone: "Asia/Kolkata",
  });
  expect(checkDeadline({ ...deposit, zone: "europe/london" }, "UTC")).toMatchObject({
    zone: "Europe/London",
  });
  expect(checkDeadline({ ...deposit, date: "2026-02-30" }, "UTC")).toMatchObject({ field: "date" });
  expect(checkDeadline({ ...deposit, time: "24:00" }, "UTC")).toMatchObject({ field: "time" });
  expect(checkDeadline({ ...deposit, zone: "+01:00" }, "UTC")).toMatchObject({ field: "zone" });
});
