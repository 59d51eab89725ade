import type { ApplicationState } from "#domain/application.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { type Currency, type Money, moneyText } from "#domain/currency.ts";
import {
  checkDeadline,
  type Deadline,
  type DeadlineForm,
  deadlineInstant,
  deadlineText,
  strictnessWords,
} from "#domain/deadline.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { keysOf } from "#domain/keys-of.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { lineProblem } from "#domain/single-line.ts";

/** States of an application in which its offer is open: the student can still answer it, and staff can change it. */
export const offerStates = [
  "conditionalOffer",
  "unconditionalOffer",
] as const satisfies readonly ApplicationState[];
export type OfferState = (typeof offerStates)[number];
export const isOfferState = (state: ApplicationState): state is OfferState =>
  offerStates.some((each) => each === state);

/** Labels of the kinds of conditions. */
export const conditionKindLabels = {
  document: "Document",
  score: "Score",
  payment: "Payment",
  other: "Other",
};
export type ConditionKind = keyof typeof conditionKindLabels;
export const conditionKinds = keysOf(conditionKindLabels);

/** States of a condition. The student claims that it is met; staff then say whether it is. */
export const conditionStates = ["open", "claimed", "met", "waived"] as const;
export type ConditionState = (typeof conditionStates)[number];
const isSettled = (state: ConditionState): boolean => state === "met" || state === "waived";

/** A student's ranking of their open offers. Each rank belongs to one offer at most. */
export const offerRankLabels = { first: "First choice", reserve: "Reserve" };
export type OfferRank = keyof typeof offerRankLabels;
export const offerRanks = keysOf(offerRankLabels);

/** Most conditions; characters of a condition, of a claim and of a reason; highest deposit in the smallest unit. */
export const offerLimits = {
  conditions: 20,
  condition: 300,
  claim: 1000,
  reason: 500,
  deposit: 10_000_000_000,
} as const;

/** Days after the reply-by date at which admins are notified of an offer without an answer. */
export const adminNoticeDays = 3;

/** The note of the step by which a student declines an offer. */
export const declinedNote = "Declined the offer";

/** A condition as a form sends it. `id` is null for a new one. */
type ConditionForm = {
  id: string | null;
  text: string;
  kind: ConditionKind;
  due: DeadlineForm | null;
};
/** An offer as a form sends it. `startDate` is YYYY-MM-DD; amounts count the currency's smallest unit. */
export type OfferForm = {
  conditions: readonly ConditionForm[];
  replyBy: DeadlineForm | null;
  deposit: { amount: number; currency: Currency; due: DeadlineForm | null } | null;
  startDate: string | null;
};

/** A condition's terms, as they are stored. */
type ConditionTerms = { text: string; kind: ConditionKind; due: Deadline | null };
type Deposit = Money & { due: Deadline | null };
/** A checked offer, as it is stored. */
export type OfferTerms = {
  conditions: readonly (ConditionTerms & { id: string | null })[];
  replyBy: Deadline | null;
  deposit: Deposit | null;
  startDate: string | null;
};

const isProblem = (value: object | null): value is Problem => value !== null && "code" in value;

/** Names the field of a problem by its path in the form, such as `replyBy.date`. */
const within = (path: string, { field, ...problem }: Problem): Problem => ({
  ...problem,
  field: `${path}.${field ?? ""}`,
});

/**
 * Checks an offer from a form; the applicant's deadlines get the applicant's own zone. The problem's field is named by
 * its path: `conditions.0.text`, `replyBy.date`, `deposit.amount`.
 */
export function checkOffer(form: OfferForm, applicantZone: string): OfferTerms | Problem {
  const conditions: OfferTerms["conditions"][number][] = [];
  if (form.conditions.length > offerLimits.conditions)
    return wrong("conditions", `An offer can have at most ${offerLimits.conditions} conditions.`);
  for (const [place, { id, text, kind, due: dueForm }] of form.conditions.entries()) {
    const problem = conditionProblem(text);
    if (problem) return within(`conditions.${place}`, problem);
    const due = dueForm && checkDeadline(dueForm, applicantZone);
    if (isProblem(due)) return within(`conditions.${place}.due`, due);
    conditions.push({ id, text: text.trim(), kind, due });
  }
  const replyBy = form.replyBy && checkDeadline(form.replyBy, applicantZone);
  if (isProblem(replyBy)) return within("replyBy", replyBy);
  const deposit = form.deposit && checkDeposit(form.deposit, applicantZone);
  if (isProblem(deposit)) return within("deposit", deposit);
  if (form.startDate !== null && !isCalendarDate(form.startDate))
    return wrong("startDate", "Please enter a date.");
  return { conditions, replyBy, deposit, startDate: form.startDate };
}

function conditionProblem(text: string): Problem | null {
  if (text.trim() === "") return wrong("text", "Please enter the condition.");
  const message = lineProblem(text.trim(), "The condition");
  return (
    tooLong("text", "A condition", text, offerLimits.condition) ??
    (message === null ? null : wrong("text", message))
  );
}

function checkDeposit(
  { amount, currency, due: dueForm }: NonNullable<OfferForm["deposit"]>,
  applicantZone: string,
): Deposit | Problem {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > offerLimits.deposit)
    return wrong("amount", "Please enter an amount.");
  const due = dueForm && checkDeadline(dueForm, applicantZone);
  return isProblem(due) ? within("due", due) : { amount, currency, due };
}

export type StoredCondition = ConditionTerms & { id: string; state: ConditionState };

/**
 * `changes` lists the conditions to add and those that remain, with their places, and the ids to remove. `conflict`:
 * the form changes a condition that is claimed, met or waived by now, or has one that no longer exists.
 */
export type ConditionsOutcome =
  | {
      kind: "changes";
      added: (ConditionTerms & { place: number })[];
      remaining: (ConditionTerms & { id: string; place: number })[];
      removed: string[];
      isChanged: boolean;
    }
  | { kind: "conflict" };

/** Decides how a form changes the conditions. Only open ones can be changed or removed. */
export function decideConditions(
  conditions: readonly StoredCondition[],
  form: OfferTerms["conditions"],
): ConditionsOutcome {
  const others = new Map(conditions.map((condition) => [condition.id, condition]));
  const added: (ConditionTerms & { place: number })[] = [];
  const remaining: (ConditionTerms & { id: string; place: number })[] = [];
  let isChanged = false;
  for (const [place, { id, text, kind, due }] of form.entries()) {
    if (id === null) {
      added.push({ text, kind, due, place });
      continue;
    }
    const before = others.get(id);
    if (!before) return { kind: "conflict" };
    others.delete(id);
    const isSame = before.text === text && before.kind === kind && isSameDeadline(before.due, due);
    if (!isSame && before.state !== "open") return { kind: "conflict" };
    if (!isSame || conditions[place]?.id !== id) isChanged = true;
    remaining.push({ id, text, kind, due, place });
  }
  const leftOut = [...others.values()];
  if (leftOut.some(({ state }) => state !== "open")) return { kind: "conflict" };
  return {
    kind: "changes",
    added,
    remaining,
    removed: leftOut.map(({ id }) => id),
    isChanged: isChanged || added.length > 0 || leftOut.length > 0,
  };
}

/** Whether two deadlines are the same. The zone of an applicant's deadline is the applicant's, so it doesn't count. */
function isSameDeadline(one: Deadline | null, other: Deadline | null): boolean {
  if (one === null || other === null) return one === other;
  const isZoneSame = one.whose === "applicant" || one.zone === other.zone;
  return (
    one.date === other.date &&
    one.time === other.time &&
    one.whose === other.whose &&
    one.hard === other.hard &&
    isZoneSame
  );
}

/** Names the parts of an offer that differ, besides its conditions, as in "Changed: reply-by date, deposit". */
export function changedTerms(
  before: Omit<OfferTerms, "conditions">,
  after: Omit<OfferTerms, "conditions">,
): string[] {
  const isDepositSame =
    before.deposit?.amount === after.deposit?.amount &&
    before.deposit?.currency === after.deposit?.currency &&
    isSameDeadline(before.deposit?.due ?? null, after.deposit?.due ?? null);
  return [
    ...(isSameDeadline(before.replyBy, after.replyBy) ? [] : ["reply-by date"]),
    ...(isDepositSame ? [] : ["deposit"]),
    ...(before.startDate === after.startDate ? [] : ["start date"]),
  ];
}

/**
 * Summarises an offer for the timeline, and for emails in the reader's zone: "3 conditions. Reply by … Not taken after
 * this. Deposit: GBP 4,000.00."
 */
export function offerSummary(terms: OfferTerms, viewerZone: string | null, now: Date): string {
  const { conditions, replyBy, deposit } = terms;
  const count = conditions.length;
  return [
    ...(count > 0 ? [`${count} ${count === 1 ? "condition" : "conditions"}.`] : []),
    ...(replyBy
      ? [`Reply by ${deadlineText(replyBy, viewerZone, now)}.`, strictnessWords(replyBy.hard)]
      : []),
    ...(deposit ? [`Deposit: ${moneyText(deposit)}.`] : []),
  ].join(" ");
}

/** States that staff can give a condition: met, waived, or open again. */
export const conditionMarks = ["met", "waived", "open"] as const;
export type ConditionMark = (typeof conditionMarks)[number];

/**
 * `conflict`: the condition is not in the state that the caller saw, or has this state already. `reason` is trimmed, as
 * it is stored.
 */
export type MarkOutcome =
  | { kind: "becomes"; state: ConditionMark; reason: string }
  | { kind: "problem"; problem: Problem<"reason"> }
  | { kind: "conflict" };

/** Returns what is wrong with the reason for waiving a condition or sending it back, or null. */
export function markReasonProblem(reason: string): Problem<"reason"> | null {
  return reason.trim() === ""
    ? wrong("reason", "Please enter a reason.")
    : tooLong("reason", "The reason", reason, offerLimits.reason);
}

/** Decides whether staff may mark a condition. Waiving it and sending it back need a reason. */
export function decideMark(
  { state, seen }: { state: ConditionState; seen: ConditionState },
  mark: ConditionMark,
  reason: string,
): MarkOutcome {
  const problem = mark === "met" ? null : markReasonProblem(reason);
  if (problem) return { kind: "problem", problem };
  if (state !== seen || state === mark) return { kind: "conflict" };
  return { kind: "becomes", state: mark, reason: mark === "met" ? "" : reason.trim() };
}

export type ClaimOutcome =
  | { kind: "claimed"; claim: string }
  | { kind: "problem"; problem: Problem<"text"> }
  | { kind: "conflict" };

/** Returns what is wrong with the text of a claim, or null. The text may be empty. */
export const claimProblem = (text: string): Problem<"text"> | null =>
  tooLong("text", "This", text, offerLimits.claim);

/** Decides whether a student may claim that a condition is met. */
export function decideClaim(state: ConditionState, text: string): ClaimOutcome {
  const problem = claimProblem(text);
  if (problem) return { kind: "problem", problem };
  return state === "open" ? { kind: "claimed", claim: text.trim() } : { kind: "conflict" };
}

/** Whether an offer has conditions, and all of them are met or waived. */
export const areAllSettled = (states: readonly ConditionState[]): boolean =>
  states.length > 0 && states.every(isSettled);

/** Whether the time to reply has passed. The offer itself doesn't change then. */
export const isReplyOverdue = (replyBy: Deadline | null, now: Date): boolean =>
  replyBy !== null && deadlineInstant(replyBy) <= now;
