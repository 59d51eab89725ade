import type { AuctionState } from "#domain/auction.ts";
import { hasEnded } from "#domain/auction-end.ts";
import type { Problem } from "#domain/error-catalogue.ts";

/** Longest question and answer in characters; most questions of one user in a day. */
export const questionLimits = { text: 500, answer: 1000, aDay: 20 } as const;

/** The facts about an auction that questions depend on. */
export type QuestionedAuction = { state: AuctionState; endDate: Date };

/** `notFound`: there is no such product, or no such question for this user to answer. */
export type QuestionOutcome = { kind: "allowed" } | { kind: "notFound" | "ended" | "ownProduct" };
export type AnswerOutcome = { kind: "allowed" } | { kind: "notFound" | "ended" | "answered" };

const isOver = ({ state, endDate }: QuestionedAuction, now: Date): boolean =>
  state !== "open" || hasEnded(endDate, now);

/** Decides whether a user may ask the seller (docs/product.md, "Questions to the seller"). */
export function decideQuestion(auction: QuestionedAuction, isSeller: boolean, now: Date): QuestionOutcome {
  if (auction.state === "removed") return { kind: "notFound" };
  if (isSeller) return { kind: "ownProduct" };
  return { kind: isOver(auction, now) ? "ended" : "allowed" };
}

/** Decides whether a user may answer a question: only the seller, and once. */
export function decideAnswer(
  auction: QuestionedAuction,
  question: { isAnswered: boolean; isHidden: boolean },
  isSeller: boolean,
  now: Date,
): AnswerOutcome {
  if (auction.state === "removed" || !isSeller || question.isHidden) return { kind: "notFound" };
  if (question.isAnswered) return { kind: "answered" };
  return { kind: isOver(auction, now) ? "ended" : "allowed" };
}

export const questionMessages: Record<"ended" | "ownProduct" | "answered", string> = {
  ended: "This auction has ended, so there are no more questions and answers.",
  ownProduct: "You can't ask about your own product.",
  answered: "This question has been answered.",
};

function textProblem<Field extends string>(
  field: Field,
  label: string,
  text: string,
  most: number,
): Problem<Field> | null {
  const wrong = (message: string) => ({ code: "form/incomplete", message, field }) as const;
  if (text.trim() === "") return wrong(`Please write your ${label}.`);
  return text.trim().length > most ? wrong(`Your ${label} must be at most ${most} characters long.`) : null;
}

/** Returns what is wrong with a question, or null. */
export const questionProblem = (text: string): Problem<"text"> | null =>
  textProblem("text", "question", text, questionLimits.text);

/** Returns what is wrong with an answer, or null. */
export const answerProblem = (answer: string): Problem<"answer"> | null =>
  textProblem("answer", "answer", answer, questionLimits.answer);

export const questionTexts = {
  asked: "Your question is sent. It appears here once the seller answers it.",
  answered: "Your answer is on the page.",
  hidden: "The question is hidden.",
} as const;
