import { boolean, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { StudentColumn } from "#domain/student-list.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/** An export that a link leads to. It is deleted after a day; the audit log records it. */
export const studentExport = pgTable(
  "student_export",
  {
    id: text("id").primaryKey(),
    by: text("by")
      .notNull()
      .references(() => user.id),
    /** Filters and order, in the form of the contract's `studentView`. */
    view: jsonb("view").notNull(),
    columns: text("columns").array().$type<StudentColumn[]>().notNull(),
    /** The students who were chosen; null for all of the view. */
    studentIds: text("student_ids").array(),
    identity: boolean("identity").notNull(),
    /** The purpose of the identity details; empty without them. */
    purpose: text("purpose").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)],
);
