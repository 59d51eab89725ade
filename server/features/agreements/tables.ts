import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { institution } from "../programmes/tables.ts";

/**
 * An institution that pays the consultancy for students who enrol. Nothing that finds or orders programmes reads this
 * table: a test of imports and statements holds it to that.
 */
export const agreement = pgTable("agreement", {
  institutionId: uuid("institution_id")
    .primaryKey()
    .references(() => institution.id),
  enteredBy: text("entered_by"),
  enteredAt: timestamp("entered_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
