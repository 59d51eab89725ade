import { date, index, integer, jsonb, pgTable, real, text, uuid } from "drizzle-orm/pg-core";
import type { ComponentScores, EnglishTest } from "#domain/english-test.ts";
import type { Award, GradeScaleName } from "#domain/qualification.ts";
import type { SubjectGrade } from "#domain/study-record.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

const studentId = () =>
  text("student_id")
    .notNull()
    .references(() => user.id);

/** The part of a student's record that exists only once. Without a row, nothing of it was entered. */
export const studyRecord = pgTable("study_record", {
  studentId: text("student_id")
    .primaryKey()
    .references(() => user.id),
  /** Null if unknown. */
  workMonths: integer("work_months"),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/** A qualification of a student's record. */
export const recordQualification = pgTable(
  "record_qualification",
  {
    id: uuid("id").primaryKey(),
    studentId: studentId(),
    /** ISO 3166-1 code. */
    country: text("country").notNull(),
    award: text("award").$type<Award>().notNull(),
    name: text("name").notNull(),
    scale: text("scale").$type<GradeScaleName>().notNull(),
    /** Empty if unknown. */
    grade: text("grade").notNull(),
    year: integer("year").notNull(),
    subjects: jsonb("subjects").$type<SubjectGrade[]>().notNull().default([]),
    /** The account that entered it: the student's, or an agent's on their behalf. */
    enteredBy: text("entered_by"),
  },
  (table) => [index().on(table.studentId)],
);

/** A result of an English test of a student's record. */
export const recordTest = pgTable(
  "record_test",
  {
    id: uuid("id").primaryKey(),
    studentId: studentId(),
    test: text("test").$type<EnglishTest>().notNull(),
    takenOn: date("taken_on", { mode: "string" }).notNull(),
    overall: real("overall").notNull(),
    components: jsonb("components").$type<ComponentScores>().notNull().default({}),
    /** The account that entered it: the student's, or an agent's on their behalf. */
    enteredBy: text("entered_by"),
  },
  (table) => [index().on(table.studentId)],
);
