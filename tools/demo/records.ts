import { calendarDate } from "#domain/calendar-date.ts";
import type { GradeScaleName } from "#domain/qualification.ts";
import { checkQualification, checkTestResult } from "#domain/study-record.ts";
import type { recordQualification, recordTest, studyRecord } from "#server/features/study-record/tables.ts";
import type { Account } from "./people.ts";
import { at, Random } from "./random.ts";
import { after, day, daysBefore } from "./time.ts";

export type Records = {
  records: (typeof studyRecord.$inferInsert)[];
  qualifications: (typeof recordQualification.$inferInsert)[];
  tests: (typeof recordTest.$inferInsert)[];
};

type School = {
  name: string;
  scale: GradeScaleName;
  grades: readonly string[];
  subjectGrades: readonly string[];
};
type Degree = { scale: GradeScaleName; grades: readonly string[] };

const wassce: School = {
  name: "West African Senior School Certificate",
  scale: "wassce",
  grades: ["A1", "B2", "B3", "C4", "C6"],
  subjectGrades: ["A1", "B2", "B3", "C4", "C5", "C6"],
};
const schools: Readonly<Record<string, School>> = {
  NG: wassce,
  GH: wassce,
  KE: {
    name: "Kenya Certificate of Secondary Education",
    scale: "kcse",
    grades: ["A", "A-", "B+", "B", "C+"],
    subjectGrades: ["A", "B+", "B", "C+"],
  },
  ZA: {
    name: "National Senior Certificate",
    scale: "nsc",
    grades: ["58", "64", "71", "79", "86"],
    subjectGrades: ["55", "62", "70", "81"],
  },
  GB: {
    name: "A-levels",
    scale: "aLevel",
    grades: ["A", "B", "B", "C"],
    subjectGrades: ["A*", "A", "B", "C"],
  },
};
const otherSchool: School = {
  name: "International Baccalaureate Diploma",
  scale: "ib",
  grades: ["27", "30", "33", "37"],
  subjectGrades: [""],
};
const degrees: Readonly<Record<string, Degree>> = {
  NG: { scale: "gpa5", grades: ["2.9", "3.4", "3.8", "4.2", "4.7"] },
  GH: { scale: "gpa4", grades: ["2.6", "3.0", "3.4", "3.7"] },
  IN: { scale: "percent", grades: ["54", "61.5", "68", "74"] },
  GB: { scale: "ukHonours", grades: ["First", "Upper second (2:1)", "Lower second (2:2)"] },
};
const otherDegree: Degree = { scale: "percent", grades: ["55", "62", "70", "78"] };

const schoolSubjects = ["Mathematics", "English Language", "Biology", "Physics", "Chemistry", "Economics"];
const degreeNames = [
  "BSc Economics",
  "BSc Computer Science",
  "BA English",
  "BEng Civil Engineering",
  "BSc Nursing",
  "BSc Accounting",
];

/** Plans the records of most students: some are sparse, and some entries are too old. */
export function planRecords(students: readonly Account[], now: Date): Records {
  const random = new Random("records");
  const all: Records = { records: [], qualifications: [], tests: [] };
  for (const [place, student] of students.entries()) {
    const isLead = place === 0;
    if (student.status !== "active" || !(isLead || random.chance(0.7))) continue;
    addRecord(all, random, student, isLead, now);
  }
  return all;
}

function addRecord(all: Records, random: Random, student: Account, isLead: boolean, now: Date): void {
  const { id: studentId, assignedAgentId, citizenship } = student;
  const enteredBy = assignedAgentId && random.chance(0.25) ? assignedAgentId : studentId;
  const thisYear = now.getUTCFullYear();
  const hasDegree = !isLead && random.chance(0.5);
  const leftSchool = thisYear - (hasDegree ? random.whole(4, 9) : random.whole(0, 2));
  const add = (form: Parameters<typeof checkQualification>[0]) => {
    const qualification = checkQualification(form);
    if ("code" in qualification) throw new Error(`${form.name}: ${qualification.message}`);
    all.qualifications.push({ id: random.uuid(), studentId, ...qualification, enteredBy });
  };
  const country = citizenship === "" ? "NG" : citizenship;
  const school = isLead ? schools["GB"] : schools[country];
  const { name, scale, grades, subjectGrades } = school ?? otherSchool;
  add({
    country: school && isLead ? "GB" : country,
    award: "secondary",
    name,
    scale,
    grade: random.chance(0.9) ? random.pick(grades) : "",
    year: leftSchool,
    subjects: random
      .some(schoolSubjects, random.whole(0, 5))
      .map((subject) => ({ subject, grade: random.pick(subjectGrades) })),
  });
  if (hasDegree) {
    const degree = degrees[country] ?? otherDegree;
    const year = leftSchool + 4;
    // A degree that is only expected has no grade yet.
    const grade = year > thisYear ? "" : random.pick(degree.grades);
    const facts = { country, award: "bachelor", scale: degree.scale, grade, year, subjects: [] } as const;
    add({ ...facts, subjects: [], name: random.pick(degreeNames) });
  }
  addTests(all, random, { studentId, enteredBy, isLead }, now);
  all.records.push({
    studentId,
    workMonths: random.chance(0.5) ? random.whole(0, 60) : null,
    updatedAt: after(student.createdAt, day),
  });
}

const ielts = [5, 5.5, 6, 6.5, 7, 7.5] as const;

function addTests(
  all: Records,
  random: Random,
  { studentId, enteredBy, isLead }: { studentId: string; enteredBy: string; isLead: boolean },
  now: Date,
): void {
  if (!(isLead || random.chance(0.75))) return;
  const overall = isLead ? 6.5 : random.pick(ielts);
  const part = () => Math.min(9, Math.max(4, overall + random.pick([-0.5, 0, 0, 0.5])));
  const takenOn = calendarDate(daysBefore(now, isLead ? 200 : random.whole(20, 900)));
  const isIelts = isLead || random.chance(0.7);
  const knowsParts = isLead || random.chance(0.8);
  const ieltsParts = { listening: 7, reading: 6.5, writing: 6, speaking: 6.5 };
  const parts = isLead
    ? ieltsParts
    : { listening: part(), reading: part(), writing: part(), speaking: part() };
  const toefl = { listening: 22, reading: 21, writing: random.whole(16, 26), speaking: random.whole(17, 25) };
  const form = isIelts
    ? { test: "ieltsAcademic" as const, overall, components: knowsParts ? parts : {} }
    : { test: "toefl" as const, overall: at([76, 84, 91, 98], random.whole(0, 3)), components: toefl };
  const result = checkTestResult({ takenOn, ...form }, calendarDate(now));
  if ("code" in result) throw new Error(`${studentId}: ${result.message}`);
  all.tests.push({ id: random.uuid(), studentId, ...result, enteredBy });
}
