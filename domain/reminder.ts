import { daysFrom, instantOf, localTime } from "#domain/local-time.ts";

/**
 * The rungs of the ladder of reminders: days after the day on which something is due, so that -14 is two weeks before.
 * The last three are about something overdue.
 */
const rungs = [-14, -7, -3, -1, 0, 1, 8, 15] as const;
export type Rung = (typeof rungs)[number];

/** The time of day of every reminder, on its reader's clock. */
const hour = "09:00";
const day = 24 * 60 * 60 * 1000;

/** Returns the moments of the rungs for somebody in a zone, in their order. Early rungs after the deadline are left out. */
function rungTimes(dueAt: Date, zone: string): { rung: Rung; at: Date }[] {
  // A day that ends at midnight is the one before.
  const { date } = localTime(zone, new Date(dueAt.getTime() - 1));
  return rungs
    .map((rung) => ({ rung, at: instantOf(zone, { date: daysFrom(date, rung), time: hour }) }))
    .filter(({ rung, at }) => rung > 0 || at < dueAt);
}

/** A thing's ladder as it stands. `since`: rungs up to this moment are skipped. `sent`: rungs that were told already. */
export type Ladder = { dueAt: Date; zone: string; since: Date; sent: readonly number[] };

/** Rungs that are due now and were not told yet, in their order, and when the next one is due; null when none is left. */
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

/** Whether something falls due within a day, so that its reminder waits for no other. */
export const isUrgent = (dueAt: Date, now: Date): boolean =>
  dueAt > now && dueAt.getTime() - now.getTime() <= day;
