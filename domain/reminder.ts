import { daysFrom, instantOf, localTime } from "#domain/local-time.ts";

/**
 * The rungs of the ladder of reminders, in days after the due day: -14 is two weeks before. The last three are for
 * overdue things.
 */
const rungs = [-14, -7, -3, -1, 0, 1, 8, 15] as const;
export type Rung = (typeof rungs)[number];

/** The time of day of every reminder, in its reader's zone. */
const hour = "09:00";
const day = 24 * 60 * 60 * 1000;

/** Returns the times of the rungs in a zone, in their order. Early rungs after the deadline are left out. */
function rungTimes(dueAt: Date, zone: string): { rung: Rung; at: Date }[] {
  // A deadline at midnight is the end of the day before.
  const { date } = localTime(zone, new Date(dueAt.getTime() - 1));
  return rungs
    .map((rung) => ({ rung, at: instantOf(zone, { date: daysFrom(date, rung), time: hour }) }))
    .filter(({ rung, at }) => rung > 0 || at < dueAt);
}

/** The state of a ladder. `since`: rungs up to this moment are skipped. `sent`: rungs that were sent already. */
export type Ladder = { dueAt: Date; zone: string; since: Date; sent: readonly number[] };

/** Returns the rungs that are due and not sent yet, in their order, and when the next one is due (null for none). */
export function dueRungs(
  { dueAt, zone, since, sent }: Ladder,
  now: Date,
): { due: Rung[]; nextAt: Date | null } {
  const times = rungTimes(dueAt, zone).filter(({ rung, at }) => at > since && !sent.includes(rung));
  return {
    due: times.filter(({ at }) => at <= now).map(({ rung }) => rung),
    nextAt: times.find(({ at }) => at > now)?.at ?? null,
  };
}

/** Whether something is due within a day, so that its reminder doesn't wait for others. */
export const isUrgent = (dueAt: Date, now: Date): boolean =>
  dueAt > now && dueAt.getTime() - now.getTime() <= day;
