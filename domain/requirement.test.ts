import { expect, test } from "vitest";
import { type Requirement, requirementLimits, requirementProblem, requirementWords } from "./requirement.ts";

const good: readonly [Requirement, string][] = [
  [
    { kind: "qualification", country: "NG", award: "bachelor", scale: "gpa5", grade: "3.5" },
    "Bachelor's degree from Nigeria: 3.5 or better (Grade point average of 5)",
  ],
  [
    { kind: "qualification", country: null, award: "secondary", scale: "aLevel", grade: null },
    "School-leaving qualification",
  ],
  [
    { kind: "english", test: "ieltsAcademic", overall: 6.5, components: {}, years: 2 },
    "IELTS Academic 6.5, at most 2 years old at the start",
  ],
  [
    {
      kind: "english",
      test: "ieltsAcademic",
      overall: 7,
      components: { listening: 6, reading: 6, writing: 6, speaking: 6 },
      years: 1,
    },
    "IELTS Academic 7.0, 6.0 in each part, at most 1 year old at the start",
  ],
  [
    {
      kind: "english",
      test: "cambridge",
      overall: 176,
      components: { speaking: 169, useOfEnglish: 162 },
      years: 3,
    },
    "Cambridge English (B2 First, C1 Advanced, C2 Proficiency) 176, use of English 162, speaking 169, at most 3 years old at the start",
  ],
  [
    { kind: "subject", subject: "Mathematics", scale: "aLevel", grade: "B" },
    "Mathematics: B or better (A-level)",
  ],
  [{ kind: "subject", subject: "Mathematics", scale: "aLevel", grade: null }, "Mathematics"],
  [{ kind: "subjects", least: 3, scale: "aLevel", grade: "B" }, "At least 3 subjects: B or better (A-level)"],
  [
    { kind: "subjects", least: 1, scale: "wassce", grade: "A1" },
    "At least 1 subject: A1 or better (WASSCE or NECO)",
  ],
  [{ kind: "age", least: 18, most: null }, "At least 18 years old at the start"],
  [{ kind: "age", least: null, most: 30 }, "At most 30 years old at the start"],
  [{ kind: "age", least: 18, most: 30 }, "From 18 to 30 years old at the start"],
  [{ kind: "gap", mostYears: 1 }, "At most 1 year since the last qualification"],
  [{ kind: "work", leastMonths: 24, field: "nursing" }, "24 months of work experience in nursing"],
  [{ kind: "text", text: "A portfolio.\nTen pages." }, "A portfolio.\nTen pages."],
];

test.each(good)("describes a requirement: %#", (requirement, words) => {
  expect(requirementProblem(requirement)).toBeNull();
  expect(requirementWords(requirement)).toBe(words);
});

test.each<Requirement>([
  { kind: "qualification", country: "XX", award: "bachelor", scale: "gpa5", grade: null },
  { kind: "qualification", country: null, award: "bachelor", scale: "gpa5", grade: "A" },
  { kind: "qualification", country: null, award: "bachelor", scale: "gpa5", grade: "" },
  { kind: "english", test: "toefl", overall: 6.5, components: {}, years: 2 },
  { kind: "english", test: "toefl", overall: 92, components: { literacy: 20 }, years: 2 },
  { kind: "english", test: "toefl", overall: 92, components: {}, years: 0 },
  { kind: "english", test: "toefl", overall: 92, components: {}, years: 11 },
  { kind: "subject", subject: " ", scale: "aLevel", grade: null },
  { kind: "subject", subject: "Art", scale: "aLevel", grade: "7" },
  { kind: "subject", subject: "x".repeat(requirementLimits.subject + 1), scale: "aLevel", grade: null },
  { kind: "subjects", least: 0, scale: "aLevel", grade: "B" },
  { kind: "subjects", least: 21, scale: "aLevel", grade: "B" },
  { kind: "subjects", least: 3, scale: "aLevel", grade: "" },
  { kind: "age", least: null, most: null },
  { kind: "age", least: 31, most: 30 },
  { kind: "age", least: -1, most: null },
  { kind: "age", least: 17.5, most: null },
  { kind: "gap", mostYears: -1 },
  { kind: "work", leastMonths: 0, field: "" },
  { kind: "work", leastMonths: 601, field: "" },
  { kind: "text", text: "\n" },
  { kind: "text", text: "a\u202eb" },
  { kind: "text", text: "x".repeat(requirementLimits.text + 1) },
])("refuses an invalid requirement: %#", (requirement) => {
  expect(requirementProblem(requirement)).not.toBeNull();
});
