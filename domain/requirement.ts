import { countryName, isCountry } from "#domain/country.ts";
import {
  type ComponentScores,
  componentsProblem,
  type EnglishTest,
  englishTestFacts,
  overallProblem,
  scoreText,
} from "#domain/english-test.ts";
import { keysOf } from "#domain/keys-of.ts";
import {
  type Award,
  awardLabels,
  type GradeScaleName,
  gradeProblem,
  gradeScales,
} from "#domain/qualification.ts";
import { lineProblem } from "#domain/single-line.ts";

/** Limits of the entry requirements of a programme; texts in characters. */
export const requirementLimits = {
  sets: 12,
  perSet: 20,
  text: 500,
  subject: 120,
  subjects: 20,
  years: 60,
  months: 600,
} as const;

export const requirementLabels = {
  qualification: "Qualification",
  english: "English",
  subject: "Subject",
  subjects: "Number of subjects",
  age: "Age",
  gap: "Years since the last qualification",
  work: "Work experience",
  text: "Judged by a person",
};
export type RequirementKind = keyof typeof requirementLabels;
export const requirementKinds = keysOf(requirementLabels);

/** An award, optionally of one country and with a minimum grade; null means any. */
export type QualificationRequirement = {
  kind: "qualification";
  country: string | null;
  award: Award;
  scale: GradeScaleName;
  grade: string | null;
};
/** Scores of a test that is at most `years` old when the intake starts. */
export type EnglishRequirement = {
  kind: "english";
  test: EnglishTest;
  overall: number;
  components: ComponentScores;
  years: number;
};
/** A subject of a qualification, with at least this grade on a scale; null means any grade. */
export type SubjectRequirement = {
  kind: "subject";
  subject: string;
  scale: GradeScaleName;
  grade: string | null;
};
/**
 * At least `least` subjects of one qualification, each with at least this grade on a scale: three at B for BBB. AAB is
 * two requirements: three subjects at B, and two at A.
 */
export type SubjectsRequirement = { kind: "subjects"; least: number; scale: GradeScaleName; grade: string };
/** Age in whole years when the intake starts. */
export type AgeRequirement = { kind: "age"; least: number | null; most: number | null };
/** Most whole years between the last qualification and the start of the intake. */
export type GapRequirement = { kind: "gap"; mostYears: number };
/** Months of work; `field` in words, empty for any. A person judges whether the work was in that field. */
export type WorkRequirement = { kind: "work"; leastMonths: number; field: string };
/** Something that only a person can judge, such as a portfolio. */
type TextRequirement = { kind: "text"; text: string };

export type Requirement =
  | QualificationRequirement
  | EnglishRequirement
  | SubjectRequirement
  | SubjectsRequirement
  | AgeRequirement
  | GapRequirement
  | WorkRequirement
  | TextRequirement;

/** One way to be admitted: by all of its requirements together. A programme admits students who meet one whole set. */
export type RequirementSet = readonly Requirement[];

const isWhole = (number: number, most: number): boolean =>
  Number.isInteger(number) && number >= 0 && number <= most;

const textProblem = (text: string, label: string, limit: number): string | null =>
  lineProblem(text.replaceAll("\n", " "), label) ??
  (text.length > limit ? `${label} must be at most ${limit} characters long.` : null);

function ageProblem({ least, most }: AgeRequirement): string | null {
  if (least === null && most === null) return "Please enter the least or the most age.";
  if ([least, most].some((age) => age !== null && !isWhole(age, 120)))
    return "An age is a whole number of years.";
  return least !== null && most !== null && least > most ? "The least age is above the most age." : null;
}

/** Returns what is wrong with a requirement, or null. */
export function requirementProblem(requirement: Requirement): string | null {
  switch (requirement.kind) {
    case "qualification":
      if (requirement.country !== null && !isCountry(requirement.country))
        return "Please choose the country of the qualification.";
      return requirement.grade === null ? null : gradeProblem(requirement.scale, requirement.grade);
    case "english":
      if (!isWhole(requirement.years, 10) || requirement.years === 0)
        return "A test can be valid for 1 to 10 years.";
      return (
        overallProblem(requirement.test, requirement.overall) ??
        componentsProblem(requirement.test, requirement.components)
      );
    case "subject":
      if (requirement.subject.trim() === "") return "Please enter the subject.";
      return (
        textProblem(requirement.subject, "Subject", requirementLimits.subject) ??
        (requirement.grade === null ? null : gradeProblem(requirement.scale, requirement.grade))
      );
    case "subjects":
      if (!isWhole(requirement.least, requirementLimits.subjects) || requirement.least === 0)
        return `Please enter the number of subjects, from 1 to ${requirementLimits.subjects}.`;
      return gradeProblem(requirement.scale, requirement.grade);
    case "age":
      return ageProblem(requirement);
    case "gap":
      return isWhole(requirement.mostYears, requirementLimits.years)
        ? null
        : `Please enter years as a whole number up to ${requirementLimits.years}.`;
    case "work":
      if (!isWhole(requirement.leastMonths, requirementLimits.months) || requirement.leastMonths === 0)
        return `Please enter months as a whole number from 1 to ${requirementLimits.months}.`;
      return textProblem(requirement.field, "Field of work", requirementLimits.subject);
    case "text":
      if (requirement.text.trim() === "") return "Please enter what is required.";
      return textProblem(requirement.text, "The requirement", requirementLimits.text);
  }
}

/** Formats a number with its unit: "1 year", "2 years". */
export const plainNumber = (number: number, unit: string): string =>
  `${number} ${unit}${number === 1 ? "" : "s"}`;

/** Formats the scores of a test: "IELTS Academic 6.5, 6.0 in each part". */
export function scoreWords({ test, overall, components }: EnglishRequirement): string {
  const parts = englishTestFacts[test].components.flatMap((name) => {
    const score = components[name];
    return score === undefined ? [] : [{ name, score }];
  });
  const all = englishTestFacts[test].components.length;
  const isEven = parts.length === all && parts.every(({ score }) => score === parts[0]?.score);
  const [first] = parts;
  const partWords =
    first === undefined
      ? ""
      : isEven
        ? `, ${scoreText(test, first.score)} in each part`
        : `, ${parts.map(({ name, score }) => `${name === "useOfEnglish" ? "use of English" : name} ${scoreText(test, score)}`).join(", ")}`;
  return `${englishTestFacts[test].label} ${scoreText(test, overall)}${partWords}`;
}

/** Says how old a test may be: "at most 2 years old at the start". */
export const testAgeWords = ({ years }: EnglishRequirement): string =>
  `at most ${plainNumber(years, "year")} old at the start`;

function ageWords({ least, most }: AgeRequirement): string {
  if (least !== null && most !== null) return `From ${least} to ${most} years old at the start`;
  return least === null
    ? `At most ${most ?? 0} years old at the start`
    : `At least ${least} years old at the start`;
}

/** Describes a requirement for students. */
export function requirementWords(requirement: Requirement): string {
  switch (requirement.kind) {
    case "qualification": {
      const { country, award, scale, grade } = requirement;
      const from = country === null ? "" : ` from ${countryName(country)}`;
      return `${awardLabels[award]}${from}${grade === null ? "" : `: ${grade} or better (${gradeScales[scale].label})`}`;
    }
    case "english":
      return `${scoreWords(requirement)}, ${testAgeWords(requirement)}`;
    case "subject": {
      const { subject, scale, grade } = requirement;
      return grade === null ? subject : `${subject}: ${grade} or better (${gradeScales[scale].label})`;
    }
    case "subjects": {
      const { least, scale, grade } = requirement;
      return `At least ${plainNumber(least, "subject")}: ${grade} or better (${gradeScales[scale].label})`;
    }
    case "age":
      return ageWords(requirement);
    case "gap":
      return `At most ${plainNumber(requirement.mostYears, "year")} since the last qualification`;
    case "work":
      return `${plainNumber(requirement.leastMonths, "month")} of work experience${requirement.field === "" ? "" : ` in ${requirement.field}`}`;
    case "text":
      return requirement.text;
  }
}
