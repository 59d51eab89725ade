import type { ApplicationState } from "#domain/application.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { localTime } from "#domain/local-time.ts";
import { offerStates } from "#domain/offer.ts";
import { wrong } from "#domain/problem.ts";

/** States of an application in which staff can mark the deposit of its offer. */
const depositStates: readonly ApplicationState[] = [...offerStates, "accepted", "visa"];
export const isDepositState = (state: string): boolean => depositStates.some((each) => each === state);

const earliestDay = "2000-01-01";
/** The zone in which each day begins first. */
const firstZone = "Pacific/Kiritimati";

/** Returns what is wrong with the day on which a deposit was paid, or null. The day must have begun somewhere. */
export function paidOnProblem(day: string, now: Date): Problem<"paidOn"> | null {
  if (!isCalendarDate(day) || day < earliestDay) return wrong("paidOn", "Please enter the day.");
  return day > localTime(firstZone, now).date ? wrong("paidOn", "This day is still to come.") : null;
}

/**
 * `conflict`: the deposit is not as the caller saw it, or has this mark already. `paidOn` is null for a deposit that is
 * not paid after all.
 */
export type PaymentOutcome =
  | { kind: "becomes"; paidOn: string | null }
  | { kind: "problem"; problem: Problem<"paidOn"> }
  | { kind: "conflict" };

/** Decides whether staff may mark a deposit as paid on `day`, or with null as not paid. Days are YYYY-MM-DD. */
export function decidePayment(
  { paidOn, seen }: { paidOn: string | null; seen: string | null },
  day: string | null,
  now: Date,
): PaymentOutcome {
  const problem = day === null ? null : paidOnProblem(day, now);
  if (problem) return { kind: "problem", problem };
  return paidOn !== seen || paidOn === day ? { kind: "conflict" } : { kind: "becomes", paidOn: day };
}
