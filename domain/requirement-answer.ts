import { type Answer, best, met, missing, needsPerson, notKnown, type Shortfall } from "#domain/answer.ts";
import { dayWords } from "#domain/deadline.ts";
import { componentLabel, englishTestFacts, lastStartFor, scoreText } from "#domain/english-test.ts";
import type { Equivalence } from "#domain/qualification.ts";
import {
  answerQualification,
  answerSubject,
  answerSubjects,
  timingOf,
} from "#domain/qualification-answer.ts";
import {
  type AgeRequirement,
  type EnglishRequirement,
  type GapRequirement,
  plainNumber,
  type Requirement,
  type WorkRequirement,
} from "#domain/requirement.ts";
import type { Qualification, StudyRecord, TestResult } from "#domain/study-record.ts";

function answerSitting(sitting: TestResult, requirement: EnglishRequirement, start: string): Answer {
  const { test } = requirement;
  if (lastStartFor(sitting.takenOn, requirement.years) < start)
    return missing([
      {
        what: englishTestFacts[test].label,
        has: `taken on ${dayWords(sitting.takenOn, "none")}`,
        asked: `at most ${plainNumber(requirement.years, "year")} old`,
      },
    ]);
  const score = (each: number) => scoreText(test, each);
  const shortfalls: Shortfall[] = [];
  if (sitting.overall < requirement.overall)
    shortfalls.push({ what: "overall", has: score(sitting.overall), asked: score(requirement.overall) });
  const unknown: string[] = [];
  for (const [name, least] of Object.entries(requirement.components)) {
    const has = sitting.components[name];
    if (has === undefined) unknown.push(componentLabel(name));
    else if (has < least)
      shortfalls.push({ what: componentLabel(name), has: score(has), asked: score(least) });
  }
  if (shortfalls.length > 0) return missing(shortfalls);
  return unknown.length > 0
    ? notKnown(`the score of ${unknown.join(", ")} in ${englishTestFacts[test].label}`)
    : met;
}

function answerEnglish(requirement: EnglishRequirement, { tests }: StudyRecord, start: string): Answer {
  const { label } = englishTestFacts[requirement.test];
  const sittings = tests.filter(({ test }) => test === requirement.test);
  const [other] = tests;
  const none = other
    ? needsPerson(
        `It asks for ${label}; the record has ${englishTestFacts[other.test].label}. Scores are not converted.`,
      )
    : notKnown("the English test");
  return best(
    sittings.map((each) => answerSitting(each, requirement, start)),
    none,
  );
}

/** Returns the whole years between two days. */
function wholeYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}

function answerAge({ least, most }: AgeRequirement, { dateOfBirth }: StudyRecord, start: string): Answer {
  if (dateOfBirth === "") return notKnown("the date of birth");
  const age = wholeYears(dateOfBirth, start);
  if ((least === null || age >= least) && (most === null || age <= most)) return met;
  const limit = least !== null && age < least ? `at least ${least}` : `at most ${most ?? 0}`;
  return missing([{ what: "age at the start", has: String(age), asked: limit }], true);
}

function answerGap({ mostYears }: GapRequirement, { qualifications }: StudyRecord, start: string): Answer {
  if (qualifications.length === 0) return notKnown("the qualifications");
  const startYear = Number(start.slice(0, 4));
  const timely = qualifications.filter((each) => timingOf(each, start) !== "late");
  if (timely.length === 0) return notKnown("the last qualification before the start");
  const yearsSince = (list: readonly Qualification[]) =>
    Math.min(...list.map(({ year }) => startYear - year));
  const most = yearsSince(timely.filter((each) => timingOf(each, start) === "inTime"));
  // The whole years between two calendar years are their difference, or one fewer.
  const least = yearsSince(timely) - 1;
  if (most <= mostYears) return met;
  if (least <= mostYears)
    return needsPerson("The record has the year of the last qualification, and here its month decides.");
  return missing(
    [
      {
        what: "years since the last qualification",
        has: `${least} or ${most}`,
        asked: `at most ${mostYears}`,
      },
    ],
    true,
  );
}

function answerWork({ leastMonths, field }: WorkRequirement, { workMonths }: StudyRecord): Answer {
  if (workMonths === null) return notKnown("the months of work");
  if (workMonths < leastMonths)
    return missing([
      {
        what: "work experience",
        has: plainNumber(workMonths, "month"),
        asked: plainNumber(leastMonths, "month"),
      },
    ]);
  return field === "" ? met : needsPerson(`A person reads whether the work was in ${field}.`);
}

/**
 * Compares a requirement with a student's record, for an intake that starts on a day (YYYY-MM-DD). Grades are converted
 * to another scale only by the consultancy's `tables`; nothing is guessed.
 */
export function answerRequirement(
  requirement: Requirement,
  record: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  switch (requirement.kind) {
    case "qualification":
      return answerQualification(requirement, record, start, tables);
    case "english":
      return answerEnglish(requirement, record, start);
    case "subject":
      return answerSubject(requirement, record, start, tables);
    case "subjects":
      return answerSubjects(requirement, record, start, tables);
    case "age":
      return answerAge(requirement, record, start);
    case "gap":
      return answerGap(requirement, record, start);
    case "work":
      return answerWork(requirement, record);
    case "text":
      return needsPerson("A person reads this.");
  }
}

/**
 * Returns the part of an intake's start that the answer to a requirement depends on, for starts from `first` on
 * (YYYY-MM-DD). A qualification that is obtained by then is in time for every later start.
 */
export function relevantPart(
  { kind }: Requirement,
  { qualifications }: StudyRecord,
  first: string,
): "none" | "halfYear" | "day" {
  switch (kind) {
    case "english":
    case "age":
      return "day";
    case "gap":
      return "halfYear";
    case "qualification":
    case "subject":
    case "subjects":
      return qualifications.some((each) => timingOf(each, first) !== "inTime") ? "halfYear" : "none";
    case "work":
    case "text":
      return "none";
  }
}
