import type { Answer } from "#domain/answer.ts";
import type { AnsweredSet } from "#domain/eligibility.ts";
import { type Outcome, programmeOutcome } from "#domain/outcome.ts";
import { type Requirement, type RequirementSet, requirementWords } from "#domain/requirement.ts";

/** A requirement, with the answer of the student's record once there is one. */
export type AnsweredRequirement = { requirement: Requirement; answer: Answer | undefined };
/** One part of a way. Several requirements are English tests, of which one is enough. */
export type WayPart = readonly [AnsweredRequirement, ...AnsweredRequirement[]];
/** A way into a programme as it is shown, which requires all of its parts. */
export type Way = { outcome: Outcome | undefined; parts: readonly WayPart[] };

const isEnglish = ({ kind }: Requirement): boolean => kind === "english";
const nameOf = (requirement: Requirement): string => `${requirement.kind} ${requirementWords(requirement)}`;

/** Returns a set's requirements besides its English test; null if it has none or several. */
function besideTest(set: RequirementSet): string | null {
  if (set.filter(isEnglish).length !== 1) return null;
  const others = set.filter((each) => !isEnglish(each)).map(nameOf);
  return JSON.stringify(others.toSorted());
}

function withTest(way: Way, set: Way): Way {
  const tests = set.parts.flat().filter(({ requirement }) => isEnglish(requirement));
  const outcomes = [way.outcome, set.outcome].filter((each) => each !== undefined);
  return {
    outcome: outcomes.length > 0 ? programmeOutcome(outcomes) : undefined,
    parts: way.parts.map(([first, ...rest]) => {
      if (!isEnglish(first.requirement)) return [first, ...rest];
      const names = new Set([first, ...rest].map(({ requirement }) => nameOf(requirement)));
      return [first, ...rest, ...tests.filter(({ requirement }) => !names.has(nameOf(requirement)))];
    }),
  };
}

/**
 * Returns the ways into a programme. Sets that differ only in their English test are one way, with a choice of tests,
 * at the position of the first of them. `answered` has the answers in the order of the sets.
 */
export function waysOf(sets: readonly RequirementSet[], answered: readonly AnsweredSet[] | undefined): Way[] {
  const ways = new Map<string, Way>();
  for (const [at, set] of sets.entries()) {
    const answers = answered?.[at];
    const way: Way = {
      outcome: answers?.outcome,
      parts: set.map((requirement, index) => [{ requirement, answer: answers?.answers[index] }]),
    };
    const key = besideTest(set) ?? `set ${at}`;
    const alike = ways.get(key);
    ways.set(key, alike ? withTest(alike, way) : way);
  }
  return [...ways.values()];
}

const noneOfThem: Answer = {
  kind: "needsPerson",
  why: "Your record has none of these tests, and scores are not converted.",
};

/**
 * Returns the answers to a choice of tests: `beside` each test its own, and `below` one for all. A met test makes the
 * other tests irrelevant, and a recorded one those that aren't recorded.
 */
export function answersOfTests(tests: WayPart): {
  beside: (Answer | undefined)[];
  below: Answer | undefined;
} {
  const answers = tests.map(({ answer }) => answer);
  const only = (isShown: (answer: Answer) => boolean) => ({
    beside: answers.map((answer) => (answer && isShown(answer) ? answer : undefined)),
    below: undefined,
  });
  const below = (answer: Answer) => ({ beside: answers.map(() => undefined), below: answer });
  const [first] = answers;
  if (
    first?.kind === "notKnown" &&
    answers.every((each) => each?.kind === "notKnown" && each.enter === first.enter)
  )
    return below(first);
  if (answers.every((each) => each?.kind === "needsPerson")) return below(noneOfThem);
  if (answers.some((each) => each?.kind === "met")) return only(({ kind }) => kind === "met");
  return only(({ kind }) => kind !== "needsPerson");
}
