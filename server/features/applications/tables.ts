import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { ApplicationState, Intake, StudyCountry, StudyLevel } from "#domain/application.ts";
import type { FrozenList } from "#domain/confirmation.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";
import { programme, programmeIntake } from "../programmes/tables.ts";

export const application = pgTable(
  "application",
  {
    id: text("id").primaryKey(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    program: text("program").notNull(),
    highestStudyLevel: text("highest_study_level").$type<StudyLevel>().notNull(),
    /** ISO 3166-1 codes. */
    countryCodes: text("country_codes").array().$type<StudyCountry[]>().notNull(),
    /** The intake. */
    startDate: text("start_date").$type<Intake>().notNull(),
    /** The year in which the intake begins; null if not given. */
    intakeYear: integer("intake_year"),
    /** Empty if not given. */
    university: text("university").notNull().default(""),
    additionalInfo: text("additional_info").notNull(),
    /** The catalogue programme and intake that the application was filled in from; null if they were typed. */
    programmeId: uuid("programme_id").references(() => programme.id),
    intakeId: uuid("intake_id").references(() => programmeIntake.id),
    state: text("state").$type<ApplicationState>().notNull(),
    /** Incremented with every step. A step based on an older version is a conflict. */
    version: integer("version").notNull().default(1),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index().on(table.studentId, table.createdAt),
    index().on(table.state, table.updatedAt),
    index().on(table.state, table.studentId),
    index().on(table.programmeId).where(sql`programme_id is not null`),
    // The view `due_thing` is queried for students' offers.
    index("application_with_offer")
      .on(table.studentId)
      .where(sql`state in ('conditionalOffer', 'unconditionalOffer', 'accepted', 'visa')`),
    uniqueIndex("application_open")
      .on(
        table.studentId,
        sql`lower(btrim(program))`,
        table.startDate,
        sql`lower(university)`,
        sql`coalesce(intake_year, 0)`,
      )
      .where(sql`state not in ('rejected', 'withdrawn', 'enrolled')`),
  ],
);

/** Every step of an application, as the student sees it. Append-only: a trigger refuses every change and removal. */
export const applicationStep = pgTable(
  "application_step",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    applicationId: text("application_id")
      .notNull()
      .references(() => application.id),
    at: at("at").notNull().defaultNow(),
    actorId: text("actor_id").notNull(),
    /** Null for the first step, the submission. */
    from: text("from").$type<ApplicationState>(),
    to: text("to").$type<ApplicationState>().notNull(),
    note: text("note").notNull().default(""),
  },
  (table) => [index().on(table.applicationId, table.id)],
);

/**
 * Lists that students were asked to confirm before an application is sent. `hash` is the SHA-256 of the list's text,
 * and `confirmedAt` is null until the student has confirmed exactly that list.
 */
export const confirmation = pgTable(
  "confirmation",
  {
    id: text("id").primaryKey(),
    applicationId: text("application_id")
      .notNull()
      .references(() => application.id, { onDelete: "cascade" }),
    list: jsonb("list").$type<FrozenList>().notNull(),
    hash: text("hash").notNull(),
    /** Null once that account is erased. */
    askedBy: text("asked_by"),
    askedAt: at("asked_at").notNull(),
    confirmedAt: at("confirmed_at"),
  },
  (table) => [index().on(table.applicationId, table.askedAt), index().on(table.askedBy)],
);
