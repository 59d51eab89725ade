import { isCalendarDate } from "#domain/calendar-date.ts";
import { daysBetween, daysFrom, instantOf, localTime, timeZoneNamed } from "#domain/local-time.ts";
import { wrong } from "#domain/problem.ts";

/** The parties whose clock a deadline can follow. */
export const deadlineOwners = ["institution", "applicant"] as const;
export type DeadlineOwner = (typeof deadlineOwners)[number];

/**
 * The last moment for something. `date` is YYYY-MM-DD; `time` is HH:MM, or null for the end of the day, both in `zone`,
 * an IANA name. Nothing is accepted after a hard deadline; for a soft one, the applicant may ask for longer.
 */
export type Deadline = {
  date: string;
  time: string | null;
  zone: string;
  whose: DeadlineOwner;
  hard: boolean;
};

/** The zone of a student whose browser has not named one yet, or of an unknown applicant. */
export const unknownZone = "UTC";

/** Returns the moment at which a deadline is over. A day ends when the next one begins in its zone. */
export const deadlineInstant = ({ date, time, zone }: Pick<Deadline, "date" | "time" | "zone">): Date =>
  instantOf(zone, time === null ? { date: daysFrom(date, 1), time: "00:00" } : { date, time });

/** A deadline as a form sends it. `zone` is empty or ignored if the deadline is the applicant's. */
export type DeadlineForm = {
  date: string;
  time: string | null;
  zone: string;
  whose: DeadlineOwner;
  hard: boolean;
};

const earliestDay = "2000-01-01";
const lastDay = "2099-12-31";

/** Checks a deadline from a form. An applicant's deadline gets the applicant's own zone. */
export function checkDeadline(form: DeadlineForm, applicantZone: string) {
  const { date, time, whose, hard } = form;
  if (!isCalendarDate(date) || date < earliestDay || date > lastDay)
    return wrong("date", "Please enter a date.");
  if (time !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
    return wrong("time", "Please enter a time such as 17:00.");
  const zone = whose === "applicant" ? applicantZone : timeZoneNamed(form.zone);
  if (zone === null) return wrong("zone", "Please choose a time zone.");
  return { date, time, zone, whose, hard } satisfies Deadline;
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Formats a day, such as 12 August 2027, or 12 August if it is in `thisYear` (four digits). */
export function dayWords(date: string, thisYear?: string): string {
  const words = `${Number(date.slice(8))} ${months[Number(date.slice(5, 7)) - 1] ?? ""}`;
  return date.slice(0, 4) === thisYear ? words : `${words} ${date.slice(0, 4)}`;
}

/** Returns the place that a zone is named after, such as London or Buenos Aires. */
export const zonePlace = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

/** Formats a deadline in its own zone: "17:00 on 12 August in London". `now` decides whether its year is named. */
export function deadlineThere({ date, time, zone }: Deadline, now: Date): string {
  const day = dayWords(date, localTime(zone, now).date.slice(0, 4));
  return `${time === null ? "the end of" : `${time} on`} ${day} in ${zonePlace(zone)}`;
}

/**
 * A deadline in words. `there`: "17:00 on 12 August in London". `here`: the same moment in the viewer's zone,
 * "21:30 your time", or null if its date and time are the same. `datesDiffer`: `here` also names its date, and both
 * dates should stand out.
 */
export type DeadlineWords = { there: string; here: string | null; datesDiffer: boolean };

/** Formats a deadline for a viewer in `viewerZone`; `now` decides which years are named. */
export function deadlineWords(deadline: Deadline, viewerZone: string, now: Date): DeadlineWords {
  const { date, zone } = deadline;
  const thisYear = localTime(zone, now).date.slice(0, 4);
  const there = deadlineThere(deadline, now);
  const at = deadlineInstant(deadline);
  const own = localTime(zone, at);
  const viewers = localTime(viewerZone, at);
  if (own.date === viewers.date && own.time === viewers.time)
    return {
      there: zone === viewerZone ? there.replace(/ in [^0-9]*$/, " your time") : there,
      here: null,
      datesDiffer: false,
    };
  const datesDiffer = viewers.date !== date;
  const here = datesDiffer
    ? `${viewers.time} on ${dayWords(viewers.date, thisYear)} your time`
    : `${viewers.time} your time`;
  return { there, here, datesDiffer };
}

/**
 * Formats a deadline as one text, for emails and lists: "17:00 on 12 August in London; 21:30 your time". Without a
 * viewer's zone, it is shown only in its own.
 */
export function deadlineText(deadline: Deadline, viewerZone: string | null, now: Date): string {
  if (viewerZone === null) return deadlineThere(deadline, now);
  const { there, here } = deadlineWords(deadline, viewerZone, now);
  return here === null ? there : `${there}; ${here}`;
}

/** Says what happens after a deadline. Wayfare itself refuses nothing after it. */
export const strictnessWords = (hard: boolean): string =>
  hard ? "Not taken after this." : "If you need longer, ask.";

/**
 * Returns the days until a deadline by the calendar of its own zone: 0 on its day, 3 for "in 3 days", negative after
 * its day. On its day, `isOverdue` distinguishes a deadline that is over.
 */
export const daysUntil = ({ date, zone }: Pick<Deadline, "date" | "zone">, now: Date): number =>
  daysBetween(localTime(zone, now).date, date);

export const isOverdue = (deadline: Pick<Deadline, "date" | "time" | "zone">, now: Date): boolean =>
  deadlineInstant(deadline) <= now;

/** Says how far off a deadline is: "in 3 days", "tomorrow", "today", "overdue since yesterday", "overdue by 3 days". */
export function dueWords(deadline: Pick<Deadline, "date" | "time" | "zone">, now: Date): string {
  const days = daysUntil(deadline, now);
  if (isOverdue(deadline, now)) {
    if (days >= 0) return "overdue since today";
    return days === -1 ? "overdue since yesterday" : `overdue by ${-days} days`;
  }
  if (days <= 0) return "today";
  return days === 1 ? "tomorrow" : `in ${days} days`;
}
