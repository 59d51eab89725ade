import type { Answer } from "./answer.ts";
import type { Equivalence } from "./qualification.ts";
import type { EnglishRequirement, QualificationRequirement, Requirement } from "./requirement.ts";
import { answerRequirement } from "./requirement-answer.ts";
import type { Qualification, StudyRecord, TestResult } from "./study-record.ts";

/** The start for which tests check these records of a student. */
export const start = "2027-09-01";
export const empty: StudyRecord = { dateOfBirth: "", workMonths: null, qualifications: [], tests: [] };
export const aLevels: Qualification = {
  country: "GB",
  award: "secondary",
  name: "A-levels",
  scale: "aLevel",
  grade: "B",
  year: 2025,
  subjects: [
    { subject: "Mathematics", grade: "A" },
    { subject: "Physics", grade: "" },
  ],
};
export const degree: Qualification = {
  country: "NG",
  award: "bachelor",
  name: "BSc",
  scale: "gpa5",
  grade: "4.2",
  year: 2026,
  subjects: [],
};
export const ielts: TestResult = {
  test: "ieltsAcademic",
  takenOn: "2026-03-14",
  overall: 6.5,
  components: { listening: 7, reading: 6.5, writing: 6, speaking: 6.5 },
};
export const english: EnglishRequirement = {
  kind: "english",
  test: "ieltsAcademic",
  overall: 6.5,
  components: { writing: 6 },
  years: 2,
};
export const honours: QualificationRequirement = {
  kind: "qualification",
  country: null,
  award: "bachelor",
  scale: "ukHonours",
  grade: "Upper second (2:1)",
};

export const answer = (
  requirement: Requirement,
  record: Partial<StudyRecord>,
  { at = start, tables = [] }: { at?: string; tables?: readonly Equivalence[] } = {},
): Answer => answerRequirement(requirement, { ...empty, ...record }, at, tables);
