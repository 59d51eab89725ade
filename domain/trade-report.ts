import type { Problem } from "./error-catalogue.ts";

/**
 * The subjects of a report: an item, the seller or the buyer of one, or a question about one. A question's subject is
 * the person who asked it.
 */
export const reportSubjects = ["product", "seller", "buyer", "question"] as const;
export type ReportSubject = (typeof reportSubjects)[number];

export const reportSubjectLabels: Record<ReportSubject, string> = {
  product: "Item",
  seller: "Seller",
  buyer: "Buyer",
  question: "Question",
};

/** Reasons for a report. */
export const reportReasons = [
  "prohibited",
  "misdescribed",
  "fake",
  "bidding",
  "fraud",
  "abuse",
  "other",
] as const;
export type ReportReason = (typeof reportReasons)[number];

export const reportReasonLabels: Record<ReportReason, string> = {
  prohibited: "It isn't allowed to be sold",
  misdescribed: "It isn't as described",
  fake: "It is fake or stolen",
  bidding: "Bids on it aren't meant",
  fraud: "They try to defraud people",
  abuse: "They are rude or threatening",
  other: "Something else",
};

/** The reasons that fit each subject. */
export const reasonsAbout: Record<ReportSubject, readonly ReportReason[]> = {
  product: ["prohibited", "misdescribed", "fake", "bidding", "other"],
  seller: ["fraud", "bidding", "abuse", "other"],
  buyer: ["fraud", "abuse", "other"],
  question: ["abuse", "fraud", "other"],
};

/** Outcomes that an admin can give a report. */
export const reportOutcomes = ["acted", "unfounded"] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

export const reportOutcomeLabels: Record<ReportOutcome, string> = {
  acted: "We acted on it",
  unfounded: "Nothing to act on",
};

/** Most characters of a report's text and answer; reports of one account in a day; days that answered ones are kept. */
export const reportLimits = { text: 500, answer: 500, aDay: 10, keptDays: 365 } as const;

/** The facts that decide about a report. `subjectAccountId`: the user it is about, such as a reported item's seller. */
type ReportFacts = { reporterId: string; subjectAccountId: string | null; hasOpenReport: boolean };
export type ReportDecision = { kind: "taken" } | { kind: "own" } | { kind: "repeated" };

/** Decides about a report: users can't report themselves, and can have one open report of each subject. */
export function decideReport({ reporterId, subjectAccountId, hasOpenReport }: ReportFacts): ReportDecision {
  if (subjectAccountId === reporterId) return { kind: "own" };
  return hasOpenReport ? { kind: "repeated" } : { kind: "taken" };
}

export const reportTexts = {
  filed: "Thank you. We'll look at it and tell you what we did.",
  own: "You can't report yourself or your own item.",
  repeated: "You've reported this already. We'll tell you once we've looked at it.",
  tooMany: `You can send ${reportLimits.aDay} reports a day. Please try again tomorrow.`,
  conflict: "Another admin has answered this report. The page now shows their answer.",
} as const;

const wrong = <Field extends string>(field: Field, message: string): Problem<Field> => ({
  code: "form/incomplete",
  message,
  field,
});

type ReportForm = { subject: ReportSubject; reason: ReportReason; text: string };

/** Returns what is wrong with a report, or null. "Something else" needs a text. */
export function reportProblem({ subject, reason, text }: ReportForm): Problem<"reason" | "text"> | null {
  if (!reasonsAbout[subject].includes(reason)) return wrong("reason", "Please choose a reason.");
  if (reason === "other" && text.trim() === "") return wrong("text", "Please say what is wrong.");
  return text.trim().length > reportLimits.text
    ? wrong("text", `Please use at most ${reportLimits.text} characters.`)
    : null;
}

/** Returns what is wrong with an answer, or null. The reporter reads the answer. */
export function reportAnswerProblem(answer: string): Problem<"answer"> | null {
  if (answer.trim() === "") return wrong("answer", "Please write an answer.");
  return answer.trim().length > reportLimits.answer
    ? wrong("answer", `Please use at most ${reportLimits.answer} characters.`)
    : null;
}
