import { sql } from "drizzle-orm";
import { boolean, date, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { StudyCountry, StudyLevel } from "#domain/application.ts";
import type { DocumentType } from "#domain/document.ts";
import type { RequestKind, RequestState } from "#domain/document-request.ts";
import type { TaskOwner, TaskState } from "#domain/task.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";
import { application } from "../applications/tables.ts";
import { deadlineColumns } from "./deadline-columns.ts";

const studentColumn = () =>
  text("student_id")
    .notNull()
    .references(() => user.id);
const applicationColumn = () => text("application_id").references(() => application.id);

/**
 * A document requested from a student. The file for one of the six documents is the one in its slot; any other request
 * has its own, under `storageKey`: requests/{studentId}/{random}.
 */
export const request = pgTable(
  "request",
  {
    id: text("id").primaryKey(),
    studentId: studentColumn(),
    applicationId: applicationColumn(),
    kind: text("kind").$type<RequestKind>().notNull(),
    /** The name of a paper outside the six; empty for those. */
    name: text("name").notNull(),
    reason: text("reason").notNull(),
    /** Whether the application can't move forward before it is accepted. */
    blocks: boolean("blocks").notNull(),
    state: text("state").$type<RequestState>().notNull().default("asked"),
    /** Says why it was sent back. */
    note: text("note").notNull().default(""),
    ...deadlineColumns(),
    storageKey: text("storage_key").unique(),
    originalName: text("original_name"),
    mediaType: text("media_type").$type<DocumentType>(),
    /** Bytes. */
    size: integer("size"),
    suppliedAt: at("supplied_at"),
    createdBy: text("created_by").notNull(),
    version: integer("version").notNull().default(1),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index().on(table.studentId, table.createdAt),
    index("request_of_application").on(table.applicationId).where(sql`application_id is not null`),
    index("request_to_review").on(table.studentId, table.suppliedAt).where(sql`state = 'supplied'`),
    index("request_open").on(table.studentId, table.dueAt).where(sql`state in ('asked', 'sentBack')`),
    index("request_due").on(table.dueAt).where(sql`state in ('asked', 'sentBack')`),
  ],
);

/** Something to do about a student. `ownerId` is the admin of an admin's task; other owners follow from the student. */
export const task = pgTable(
  "task",
  {
    id: text("id").primaryKey(),
    studentId: studentColumn(),
    applicationId: applicationColumn(),
    title: text("title").notNull(),
    text: text("text").notNull(),
    owner: text("owner").$type<TaskOwner>().notNull(),
    ownerId: text("owner_id"),
    state: text("state").$type<TaskState>().notNull().default("open"),
    /** Says why it was reopened. */
    note: text("note").notNull().default(""),
    ...deadlineColumns(),
    /** The template that it was copied from. Nothing else of the template is read again. */
    templateId: text("template_id"),
    createdBy: text("created_by").notNull(),
    version: integer("version").notNull().default(1),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index().on(table.studentId, table.createdAt),
    index("task_of_application").on(table.applicationId).where(sql`application_id is not null`),
    index("task_open").on(table.studentId, table.dueAt).where(sql`state = 'open'`),
    index("task_open_of_admin").on(table.ownerId, table.dueAt).where(sql`state = 'open' and owner = 'admin'`),
    index("task_due").on(table.dueAt).where(sql`state = 'open'`),
    uniqueIndex("task_of_template").on(table.studentId, table.templateId),
  ],
);

/** Tasks that are added with every new application of a study level and country; null means any. */
export const taskTemplate = pgTable("task_template", {
  id: text("id").primaryKey(),
  title: text("title").notNull(),
  text: text("text").notNull(),
  owner: text("owner").$type<Exclude<TaskOwner, "admin">>().notNull(),
  studyLevel: text("study_level").$type<StudyLevel>(),
  country: text("country").$type<StudyCountry>(),
  /** Days after the submission; null for no deadline. */
  dueDays: integer("due_days"),
  createdAt: at("created_at").notNull().defaultNow(),
});

/**
 * The time of the next check of a thing's reminders. Triggers add a row whenever something changes that affects them.
 * Rungs before `since` are skipped.
 */
export const reminderPlan = pgTable(
  "reminder_plan",
  {
    /** The name of a row of the view `due_thing`, such as request:{id}. */
    thing: text("thing").primaryKey(),
    since: at("since").notNull(),
    nextAt: at("next_at").notNull(),
  },
  (table) => [index().on(table.nextAt)],
);

/** The rungs of a thing's reminders that were sent to a person, each once. */
export const reminder = pgTable(
  "reminder",
  {
    thing: text("thing").notNull(),
    rung: integer("rung").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    queuedAt: at("queued_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.thing, table.rung, table.userId] }),
    index().on(table.userId, table.queuedAt),
  ],
);

/** Students whose reminders are paused through this day. */
export const pause = pgTable("pause", {
  studentId: text("student_id")
    .primaryKey()
    .references(() => user.id, { onDelete: "cascade" }),
  until: date("until", { mode: "string" }).notNull(),
  /** The end of that day in the student's time zone. */
  endsAt: at("ends_at").notNull(),
  by: text("by").notNull(),
});

/** Things that a student wants no reminders about. */
export const mutedThing = pgTable(
  "muted_thing",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    thing: text("thing").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.thing] })],
);

/** The secret address of a person's calendar, by the hash of its token. */
export const calendarFeed = pgTable("calendar_feed", {
  userId: text("user_id")
    .primaryKey()
    .references(() => user.id, { onDelete: "cascade" }),
  tokenHash: text("token_hash").notNull().unique(),
  madeAt: at("made_at").notNull().defaultNow(),
});
