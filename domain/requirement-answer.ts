import { countryName } from "#domain/country.ts";
import { dayWords } from "#domain/deadline.ts";
import { componentLabel, englishTestFacts, lastStartFor, scoreText } from "#domain/english-test.ts";
import {
  awardLabels,
  awards,
  type Equivalence,
  equivalenceOf,
  type GradeScaleName,
  gradeScales,
  isAtLeast,
  isSettled,
} from "#domain/qualification.ts";
import type {
  AgeRequirement,
  EnglishRequirement,
  GapRequirement,
  QualificationRequirement,
  Requirement,
  SubjectRequirement,
  SubjectsRequirement,
  WorkRequirement,
} from "#domain/requirement.ts";
import type { Qualification, StudyRecord, TestResult } from "#domain/study-record.ts";
import { areAlike, isSameSubject, plainSubject } from "#domain/subject-name.ts";

/** Something that is asked for, and what the student has instead: "writing", "6.0", "6.5". */
export type Shortfall = { what: string; has: string; asked: string };

/**
 * How a student's record answers a requirement. `missing` can still be met, as by taking a test again; `final` can't for
 * this start, such as an age. `notKnown` names what to enter; `met` by a table says by which; `needsPerson` says why nobody can compare it by rule.
 */
export type Answer =
  | { kind: "met"; why?: string | undefined }
  | { kind: "missing"; shortfalls: readonly Shortfall[]; final: boolean }
  | { kind: "notKnown"; enter: string }
  | { kind: "needsPerson"; why: string };

const met: Answer = { kind: "met" };
const missing = (shortfalls: readonly Shortfall[], final = false): Answer => ({
  kind: "missing",
  shortfalls,
  final,
});
const notKnown = (enter: string): Answer => ({ kind: "notKnown", enter });
const needsPerson = (why: string): Answer => ({ kind: "needsPerson", why });

/** An answer that is not known may turn out well, so it stands before what is missing. */
const answerOrder: readonly Answer["kind"][] = ["met", "notKnown", "needsPerson", "missing"];

function best(answers: readonly Answer[], none: Answer): Answer {
  const rank = ({ kind }: Answer) => answerOrder.indexOf(kind);
  const [first, ...others] = answers;
  if (first === undefined) return none;
  return others.reduce((better, answer) => {
    if (rank(answer) !== rank(better)) return rank(answer) < rank(better) ? answer : better;
    if (answer.kind !== "missing" || better.kind !== "missing") return better;
    return answer.shortfalls.length < better.shortfalls.length ? answer : better;
  }, first);
}

function gradeAnswer(
  { scale, grade, year }: Pick<Qualification, "scale" | "grade" | "year">,
  asked: { scale: QualificationRequirement["scale"]; grade: string },
  what: string,
  tables: readonly Equivalence[],
): Answer {
  if (grade === "") return notKnown(`the grade of the ${what}`);
  if (scale === asked.scale)
    return isAtLeast(scale, grade, asked.grade) ? met : missing([{ what, has: grade, asked: asked.grade }]);
  const row = equivalenceOf({ scale, grade, year }, asked.scale, tables);
  if (row === null)
    return needsPerson(
      `The grade is on another scale (${gradeScales[scale].label}), and no table says what it counts as.`,
    );
  const equivalent = `counts as ${row.toGrade} by “${row.source}”`;
  if (isAtLeast(asked.scale, row.toGrade, asked.grade))
    return { kind: "met", why: `${grade} ${equivalent}.` };
  if (!isSettled({ scale, grade, year }, asked, tables))
    return needsPerson(`No table says what counts as ${asked.grade} (${gradeScales[asked.scale].label}).`);
  return missing([{ what, has: `${grade}, which ${equivalent}`, asked: asked.grade }]);
}

/** Exams of these are written in October and November. */
const examsAtYearsEnd: readonly GradeScaleName[] = ["nsc", "kcse"];

/**
 * Whether a qualification is there by a start. Its year is known, and its month is not: in the start's own year, school
 * years that end by June are over for starts from July on, and anything else is unsure.
 */
function timingOf({ year, scale }: Qualification, start: string): "inTime" | "unsure" | "late" {
  const startYear = Number(start.slice(0, 4));
  if (year !== startYear) return year < startYear ? "inTime" : "late";
  return start.slice(5, 7) >= "07" && !examsAtYearsEnd.includes(scale) ? "inTime" : "unsure";
}

/** Returns what a qualification answers, where that depends on whether it is there by the start too. */
function answerInTime(qualification: Qualification, what: string, start: string, answer: Answer): Answer {
  const { year } = qualification;
  const timing = timingOf(qualification, start);
  if (timing === "late")
    return missing([{ what, has: `expected in ${year}`, asked: `by ${start.slice(0, 4)}` }], true);
  return answer.kind === "met" && timing === "unsure"
    ? needsPerson(`It is from ${year}, the year of the start, and may come only after it.`)
    : answer;
}

function answerQualification(
  { country, award, scale, grade }: QualificationRequirement,
  { qualifications }: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  if (qualifications.length === 0) return notKnown("the qualifications");
  const awardName = awardLabels[award].toLowerCase();
  const ofAward = qualifications.filter((each) => each.award === award);
  if (ofAward.length === 0) {
    const highest = awards[Math.max(...qualifications.map((each) => awards.indexOf(each.award)))] ?? award;
    // Whoever has a higher award has most likely left the lower one out.
    if (awards.indexOf(highest) > awards.indexOf(award)) return notKnown(`the ${awardName}`);
    return missing([{ what: "qualification", has: awardLabels[highest].toLowerCase(), asked: awardName }]);
  }
  const gradesOf = (each: Qualification): Answer => {
    if (country !== null && each.country !== country)
      return needsPerson(
        `It is for a qualification from ${countryName(country)}; the one in the record is from ${countryName(each.country)}.`,
      );
    return grade === null ? met : gradeAnswer(each, { scale, grade }, awardName, tables);
  };
  return best(
    ofAward.map((each) => answerInTime(each, awardName, start, gradesOf(each))),
    met,
  );
}

function answerSubject(
  { subject, scale, grade }: SubjectRequirement,
  { qualifications }: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  const entered = qualifications.flatMap((of) => of.subjects.map((each) => ({ ...each, of })));
  if (entered.length === 0) return notKnown("the subjects of the qualifications");
  const answers = entered
    .filter((each) => isSameSubject(each.subject, subject))
    .map((each) =>
      answerInTime(
        each.of,
        subject,
        start,
        grade === null
          ? met
          : gradeAnswer({ ...each.of, grade: each.grade }, { scale, grade }, subject, tables),
      ),
    );
  if (answers.length > 0) return best(answers, met);
  const alike = entered.find((each) => areAlike(each.subject, subject));
  if (alike)
    return needsPerson(
      `It asks for ${subject}; the record has ${alike.subject}. A person reads whether that counts.`,
    );
  const isUnlisted = ({ subjects, scale: own }: Qualification) =>
    subjects.length === 0 && (grade === null || own === scale);
  if (qualifications.some(isUnlisted)) return notKnown("the subjects of all qualifications");
  return missing([{ what: subject, has: "", asked: grade ?? subject }]);
}

/** Answers by the subjects of one qualification, each of them once, with its best grade. */
function subjectsOf(
  of: Qualification,
  { least, scale, grade }: SubjectsRequirement,
  tables: readonly Equivalence[],
): Answer {
  const subjects = Map.groupBy(of.subjects, ({ subject }) => plainSubject(subject));
  const answers = Array.from(subjects.values(), (same) =>
    best(
      same.map((each) => gradeAnswer({ ...of, grade: each.grade }, { scale, grade }, each.subject, tables)),
      met,
    ),
  );
  const reached = answers.filter(({ kind }) => kind === "met");
  if (reached.length >= least) return reached[0] ?? met;
  const open = answers.filter(({ kind }) => kind === "notKnown" || kind === "needsPerson");
  const unlisted = Math.max(0, least - answers.length);
  if (reached.length + open.length + unlisted < least)
    return missing([
      { what: `subjects with ${grade} or better`, has: String(reached.length), asked: String(least) },
    ]);
  return best(open, notKnown("all subjects of the qualifications"));
}

function answerSubjects(
  asked: SubjectsRequirement,
  { qualifications }: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  const answers = qualifications
    .filter(({ subjects, scale }) => subjects.length > 0 || scale === asked.scale)
    .map((each) => answerInTime(each, "subjects", start, subjectsOf(each, asked, tables)));
  return best(answers, notKnown("the subjects of the qualifications"));
}

function answerSitting(sitting: TestResult, asked: EnglishRequirement, start: string): Answer {
  const { test } = asked;
  if (lastStartFor(sitting.takenOn, asked.years) < start)
    return missing([
      {
        what: englishTestFacts[test].label,
        has: `taken on ${dayWords(sitting.takenOn, "none")}`,
        asked: `at most ${asked.years} years old`,
      },
    ]);
  const score = (each: number) => scoreText(test, each);
  const shortfalls: Shortfall[] = [];
  if (sitting.overall < asked.overall)
    shortfalls.push({ what: "overall", has: score(sitting.overall), asked: score(asked.overall) });
  const unknown: string[] = [];
  for (const [name, least] of Object.entries(asked.components)) {
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

function answerEnglish(asked: EnglishRequirement, { tests }: StudyRecord, start: string): Answer {
  const { label } = englishTestFacts[asked.test];
  const sittings = tests.filter(({ test }) => test === asked.test);
  const [other] = tests;
  const none = other
    ? needsPerson(
        `It asks for ${label}; the record has ${englishTestFacts[other.test].label}. Scores are not converted.`,
      )
    : notKnown("the English test");
  return best(
    sittings.map((each) => answerSitting(each, asked, start)),
    none,
  );
}

/** Counts whole years between two days. */
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
  const yearsSince = (those: readonly Qualification[]) =>
    Math.min(...those.map(({ year }) => startYear - year));
  const most = yearsSince(timely.filter((each) => timingOf(each, start) === "inTime"));
  // Between two calendar years lie so many whole years, or one fewer.
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
    return missing([{ what: "months of work", has: String(workMonths), asked: String(leastMonths) }]);
  return field === "" ? met : needsPerson(`A person reads whether the work was in ${field}.`);
}

/**
 * Compares a requirement with a student's record, for an intake that starts on a day (YYYY-MM-DD). Grades are moved to
 * another scale by the consultancy's `tables` alone; nothing is guessed.
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
 * Whether the answer to a requirement can change with the start of the intake, for starts from `first` on (YYYY-MM-DD).
 * A qualification that is there by then is there for every later start.
 */
export const dependsOnStart = (
  { kind }: Requirement,
  { qualifications }: StudyRecord,
  first: string,
): boolean =>
  kind === "english" ||
  kind === "age" ||
  kind === "gap" ||
  ((kind === "qualification" || kind === "subject" || kind === "subjects") &&
    qualifications.some((each) => timingOf(each, first) !== "inTime"));
