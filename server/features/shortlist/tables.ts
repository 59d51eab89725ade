import { sql } from "drizzle-orm";
import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";
import { programme, programmeIntake } from "../programmes/tables.ts";

/** A course that a student considers. The student owns it, whoever has added it. */
export const shortlistItem = pgTable(
  "shortlist_item",
  {
    id: text("id").primaryKey(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    university: text("university").notNull(),
    course: text("course").notNull(),
    /** http or https. */
    url: text("url").notNull(),
    addedBy: text("added_by").notNull(),
    /** The programme of the catalogue, and its intake; null for a typed item. */
    programmeId: uuid("programme_id").references(() => programme.id),
    intakeId: uuid("intake_id").references(() => programmeIntake.id),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [
    index().on(table.studentId, table.createdAt),
    index().on(table.programmeId).where(sql`programme_id is not null`),
  ],
);
