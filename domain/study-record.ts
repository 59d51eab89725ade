import { isCalendarDate } from "#domain/calendar-date.ts";
import { isCountry } from "#domain/country.ts";
import {
  type ComponentScores,
  componentsProblem,
  type EnglishTest,
  overallProblem,
} from "#domain/english-test.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { type Award, type GradeScaleName, gradeProblem } from "#domain/qualification.ts";
import { lineProblem } from "#domain/single-line.ts";

/** Limits of a student's record; texts in characters. */
export const recordLimits = {
  qualifications: 20,
  tests: 20,
  subjects: 20,
  name: 120,
  workMonths: 600,
  firstYear: 1950,
  lastYear: 2099,
} as const;

export type SubjectGrade = { subject: string; grade: string };

/** A qualification that a student has, or expects in `year`. The grades of its subjects are on its own scale. */
export type Qualification = {
  /** ISO 3166-1 code of the country that awards it. */
  country: string;
  award: Award;
  /** The name on the certificate, such as "BSc Economics". */
  name: string;
  scale: GradeScaleName;
  /** Empty if it isn't known. */
  grade: string;
  year: number;
  subjects: SubjectGrade[];
};

/** A result of an English test. Parts may be missing. */
export type TestResult = {
  test: EnglishTest;
  /** The day of the test, as YYYY-MM-DD. */
  takenOn: string;
  overall: number;
  components: ComponentScores;
};

/** All facts about a student that requirements are compared with. */
export type StudyRecord = {
  /** YYYY-MM-DD, or empty if it isn't known. */
  dateOfBirth: string;
  /** Months of work; null if it isn't known. */
  workMonths: number | null;
  qualifications: readonly Qualification[];
  tests: readonly TestResult[];
};

const isYear = (year: number): boolean =>
  Number.isInteger(year) && year >= recordLimits.firstYear && year <= recordLimits.lastYear;

/** Returns the qualification to store, or its first problem. */
export function checkQualification(form: Qualification) {
  const name = form.name.trim();
  const grade = form.grade.trim();
  const subjects = form.subjects.map((each) => ({ subject: each.subject.trim(), grade: each.grade.trim() }));
  if (!isCountry(form.country)) return wrong("country", "Please choose the country of the qualification.");
  const nameMessage = lineProblem(name, "Name");
  if (nameMessage !== null) return wrong("name", nameMessage);
  const long = tooLong("name", "Name", name, recordLimits.name);
  if (long) return long;
  const gradeMessage = grade === "" ? null : gradeProblem(form.scale, grade);
  if (gradeMessage !== null) return wrong("grade", gradeMessage);
  if (!isYear(form.year)) return wrong("year", "Please enter the year of the qualification.");
  if (subjects.length > recordLimits.subjects)
    return wrong("subjects", `A qualification can have at most ${recordLimits.subjects} subjects.`);
  for (const { subject, grade: subjectGrade } of subjects) {
    if (subject === "") return wrong("subjects", "Please enter the name of each subject.");
    const problem =
      lineProblem(subject, "Subject") ??
      tooLong("subjects", "Subject", subject, recordLimits.name)?.message ??
      (subjectGrade === "" ? null : gradeProblem(form.scale, subjectGrade));
    if (problem !== null) return wrong("subjects", problem);
  }
  return { ...form, name, grade, subjects } satisfies Qualification;
}

/** Returns the test result to store, or its first problem. `today` is a day as YYYY-MM-DD. */
export function checkTestResult(form: TestResult, today: string) {
  if (!isCalendarDate(form.takenOn) || form.takenOn > today || form.takenOn < "1980-01-01")
    return wrong("takenOn", "Please enter the day on which you took the test.");
  const overall = overallProblem(form.test, form.overall);
  if (overall !== null) return wrong("overall", overall);
  const components = componentsProblem(form.test, form.components);
  if (components !== null) return wrong("components", components);
  return form;
}

/** Returns what is wrong with a number of months of work, or null. */
export const workMonthsProblem = (months: number): string | null =>
  Number.isInteger(months) && months >= 0 && months <= recordLimits.workMonths
    ? null
    : `Please enter months of work as a whole number up to ${recordLimits.workMonths}.`;
