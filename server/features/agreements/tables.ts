import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import { institution } from "../programmes/tables.ts";

/**
 * An institution that pays the consultancy for students who enrol. Nothing that finds or orders programmes reads this
 * table: a test of imports and statements enforces that.
 */
export const agreement = pgTable("agreement", {
  institutionId: uuid("institution_id")
    .primaryKey()
    .references(() => institution.id),
  enteredBy: text("entered_by"),
  enteredAt: at("entered_at").notNull().defaultNow(),
});
