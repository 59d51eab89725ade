import { englishTestFacts, isEnglishTest } from "#domain/english-test.ts";
import { wrong } from "#domain/problem.ts";
import { awards, gradeScaleNames } from "#domain/qualification.ts";
import type { Qualification, TestResult } from "#domain/study-record.ts";
import type { rpc } from "../../lib/rpc.ts";

export type ShownRecord = Awaited<ReturnType<typeof rpc.studyRecord.read>>;
export type ShownQualification = ShownRecord["qualifications"][number];
export type ShownTest = ShownRecord["tests"][number];
/** The student whose record it is: undefined for the viewer's own. */
export type RecordOwner = { id: string; name: string } | undefined;

export type Values = Readonly<Record<string, string>>;

/** Parses a number with a decimal point or comma; NaN for anything else, which no check accepts. */
export const numberIn = (text: string): number =>
  /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(",", ".")) : Number.NaN;

export const qualificationFields = ["award", "country", "name", "year", "scale", "grade"] as const;
export const subjectFields = (index: number) =>
  [`subjects.${index}.name`, `subjects.${index}.grade`] as const;

/** Reads the form of a qualification with this many rows of subjects; empty rows are left out. */
export function readQualification(values: Values, rows: number) {
  const award = awards.find((each) => each === values["award"]);
  const scale = gradeScaleNames.find((each) => each === values["scale"]);
  if (award === undefined) return wrong("award", "Please choose what it is.");
  if (scale === undefined) return wrong("scale", "Please choose the scale of its grades.");
  const subjects = Array.from({ length: rows }, (_, index) => {
    const [name, grade] = subjectFields(index);
    return { subject: values[name] ?? "", grade: values[grade] ?? "" };
  });
  return {
    award,
    scale,
    country: values["country"] ?? "",
    name: values["name"] ?? "",
    year: numberIn(values["year"] ?? ""),
    grade: values["grade"] ?? "",
    subjects: subjects.filter(({ subject, grade }) => subject.trim() !== "" || grade.trim() !== ""),
  } satisfies Qualification;
}

export const testFields = ["test", "takenOn", "overall"] as const;
export const componentField = (name: string) => `components.${name}`;
/** The fields of the parts of all tests. */
export const componentFields = [
  ...new Set(Object.values(englishTestFacts).flatMap(({ components }) => components.map(componentField))),
];

/** Reads the form of a test result. Empty parts are unknown. */
export function readTest(values: Values) {
  const test = values["test"] ?? "";
  if (!isEnglishTest(test)) return wrong("test", "Please choose the test.");
  const components = englishTestFacts[test].components.flatMap((name) => {
    const text = values[componentField(name)] ?? "";
    return text.trim() === "" ? [] : [[name, numberIn(text)] as const];
  });
  return {
    test,
    takenOn: values["takenOn"] ?? "",
    overall: numberIn(values["overall"] ?? ""),
    components: Object.fromEntries(components),
  } satisfies TestResult;
}
