import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { Side } from "#domain/conversation.ts";
import type { DocumentKind, DocumentType } from "#domain/document.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";
import { application } from "../applications/tables.ts";

/** A student's conversation about one application, or the general one. It begins with its first message. */
export const thread = pgTable(
  "thread",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    applicationId: text("application_id").references(() => application.id),
    /** Number of the newest message. Adding one requires the row's lock. */
    lastNumber: integer("last_number").notNull().default(0),
    lastAt: at("last_at").notNull().defaultNow(),
    /** The side whose answer the thread waits for. */
    waiting: text("waiting").$type<Side>(),
    waitingSince: at("waiting_since"),
    /** Numbers up to which the staff, and the student, have marked the other side's messages as needing no answer. */
    settledByStaff: integer("settled_up_to").notNull().default(0),
    settledByStudent: integer("settled_by_student").notNull().default(0),
  },
  (table) => [
    unique("thread_of_application").on(table.studentId, table.applicationId).nullsNotDistinct(),
    index().on(table.applicationId).where(sql`application_id is not null`),
    index("thread_by_time").on(table.lastAt, table.id),
    // Worklists of all staff, and of a student's agent.
    index("thread_waiting").on(table.waitingSince, table.id).where(sql`waiting = 'staff'`),
    index("thread_waiting_of_student").on(table.studentId, table.waitingSince).where(sql`waiting = 'staff'`),
    check("thread_waiting_since", sql`(waiting is null) = (waiting_since is null)`),
  ],
);

/**
 * A message. `key` is its sender's idempotency key, so that it is stored once however often it is sent. A message that
 * was taken back or blacked out has no text any more.
 */
export const message = pgTable(
  "message",
  {
    threadId: uuid("thread_id")
      .notNull()
      .references(() => thread.id),
    number: integer("number").notNull(),
    /** An account that may have been erased. */
    authorId: text("author_id").notNull(),
    side: text("side").$type<Side>().notNull(),
    text: text("text").notNull(),
    key: uuid("key").notNull(),
    at: at("at").notNull().defaultNow(),
    takenBackAt: at("taken_back_at"),
    /** The admin who blacked it out, and why. */
    redactedBy: text("redacted_by"),
    reason: text("reason").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.threadId, table.number] }),
    unique("message_sent_once").on(table.authorId, table.key),
  ],
);

/**
 * A file of a message, or one that was uploaded and waits for its message. The bytes are in the store under
 * `storageKey`: messages/{studentId}/{random}.
 */
export const messageFile = pgTable(
  "message_file",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    authorId: text("author_id").notNull(),
    side: text("side").$type<Side>().notNull(),
    threadId: uuid("thread_id"),
    number: integer("number"),
    /** Position among the message's files. */
    position: integer("position").notNull().default(0),
    storageKey: text("storage_key").notNull().unique(),
    name: text("name").notNull(),
    mediaType: text("media_type").$type<DocumentType>().notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    uploadedAt: at("uploaded_at").notNull().defaultNow(),
    /** The slot into which it was copied as a document. */
    keptAs: text("kept_as").$type<DocumentKind>(),
  },
  (table) => [
    foreignKey({
      columns: [table.threadId, table.number],
      foreignColumns: [message.threadId, message.number],
    }),
    index().on(table.threadId, table.number),
    index().on(table.studentId),
    index("message_file_unsent").on(table.uploadedAt).where(sql`number is null`),
  ],
);

/** The progress of one person in reading a thread. Without a row, everything is unread. */
export const threadReader = pgTable(
  "thread_reader",
  {
    threadId: uuid("thread_id")
      .notNull()
      .references(() => thread.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    /** Only grows, except by "Mark as unread from here". */
    readUpTo: integer("read_up_to").notNull().default(0),
    /** The highest number that the person had read when they marked messages as unread; a mark doesn't undo reading. */
    readBeforeMark: integer("read_before_mark").notNull().default(0),
    /** The first message that the person marked as unread, until they read on. */
    markedFrom: integer("marked_from"),
    /** Number of the message that was last mailed. No other mail is sent until the person has read that far. */
    mailedForNumber: integer("mailed_for_number"),
    /** The last time that the person's browser had the thread in view. */
    seenAt: at("seen_at"),
  },
  (table) => [primaryKey({ columns: [table.threadId, table.userId] }), index().on(table.userId)],
);
