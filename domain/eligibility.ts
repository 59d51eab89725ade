import type { Answer } from "#domain/answer.ts";
import { type Outcome, programmeOutcome } from "#domain/outcome.ts";
import type { Equivalence } from "#domain/qualification.ts";
import type { Requirement, RequirementSet } from "#domain/requirement.ts";
import { answerRequirement } from "#domain/requirement-answer.ts";
import type { StudyRecord } from "#domain/study-record.ts";

/** The weight of an unknown answer in its set. Weights below it are of missing answers. */
const unknownWeight = 100;

/**
 * Returns the weight of an answer in a set: 0 if it is met, 1 if it is missing, 2 if it can't be met any more, like two
 * missing ones, and 100 if it is unknown. A set has too few requirements for missing ones to add up to an unknown one.
 */
export function answerWeight(answer: Answer): number {
  if (answer.kind === "met") return 0;
  if (answer.kind === "missing") return answer.final ? 2 : 1;
  return unknownWeight;
}

/**
 * Returns the outcome of a set whose answers have this total weight. More than one missing requirement is a "no",
 * whatever is unknown beside them.
 */
export function outcomeOfWeight(weight: number): Outcome {
  const lacking = weight % unknownWeight;
  if (lacking > 1) return "no";
  if (weight >= unknownWeight) return "notKnown";
  return lacking === 1 ? "gap" : "mayEnter";
}

/** Returns the outcome of a set with these answers. */
export const setOutcome = (answers: readonly Answer[]): Outcome =>
  outcomeOfWeight(answers.reduce((weight, answer) => weight + answerWeight(answer), 0));

/** A set with the answer to each of its requirements, in their order. */
export type AnsweredSet = { outcome: Outcome; answers: readonly Answer[] };

/** Compares the entry requirements of a programme with a student's record. */
export function answerProgramme(
  sets: readonly RequirementSet[],
  record: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): { outcome: Outcome; sets: AnsweredSet[] } {
  // Sets share most of their requirements.
  const shared = new Map<Requirement, Answer>();
  const answerOf = (requirement: Requirement): Answer => {
    const answer = shared.get(requirement) ?? answerRequirement(requirement, record, start, tables);
    shared.set(requirement, answer);
    return answer;
  };
  const answeredSets = sets.map((set): AnsweredSet => {
    const answers = set.map(answerOf);
    return { outcome: setOutcome(answers), answers };
  });
  return { outcome: programmeOutcome(answeredSets.map(({ outcome }) => outcome)), sets: answeredSets };
}
