import { jsonb, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { StudentColumn } from "#domain/student-list.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/** Named views of Manage Students. Admins maintain those without an owner, which everyone who manages students sees. */
export const savedView = pgTable(
  "saved_view",
  {
    id: text("id").primaryKey(),
    ownerId: text("owner_id").references(() => user.id),
    name: text("name").notNull(),
    /** Filters and order, in the form of the contract's `studentView`. */
    view: jsonb("view").notNull(),
    columns: text("columns").array().$type<StudentColumn[]>().notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [unique("saved_view_name").on(table.ownerId, table.name).nullsNotDistinct()],
);
