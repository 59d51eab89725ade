import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { BulkAct, BulkOutcome, BulkReason } from "#domain/bulk-run.ts";
import type { InvitationForm } from "#domain/invitation.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/** One act on many students. Its id is the key under which it is carried out and continued after a crash. */
export const bulkRun = pgTable(
  "bulk_run",
  {
    id: text("id").primaryKey(),
    act: text("act").$type<BulkAct>().notNull(),
    /** Input of the act, in the act's own schema (`acts.ts`). */
    input: jsonb("input").notNull(),
    by: text("by")
      .notNull()
      .references(() => user.id),
    /** The network address of the person, for the audit log. */
    address: text("address").notNull(),
    /** The run that this one takes back. */
    undoes: text("undoes"),
    /** Time at which the rows and their snapshots were frozen. */
    frozenAt: at("frozen_at").notNull().defaultNow(),
    startedAt: at("started_at"),
    finishedAt: at("finished_at"),
  },
  (table) => [
    index().on(table.by, table.frozenAt),
    uniqueIndex().on(table.undoes),
    index().on(table.frozenAt),
  ],
);

/**
 * The state of a row when the run was prepared: the agents before and after, the application's version, or the
 * invitation to send.
 */
export type ItemSnapshot = {
  from?: string | null;
  to?: string | null;
  version?: number;
  invitation?: InvitationForm;
};

export const bulkItem = pgTable(
  "bulk_item",
  {
    runId: text("run_id")
      .notNull()
      .references(() => bulkRun.id, { onDelete: "cascade" }),
    /** The place in the list, or the number of the file's row. */
    position: integer("position").notNull(),
    /** Null if a file's row names no student. */
    studentId: text("student_id").references(() => user.id),
    applicationId: text("application_id"),
    expected: jsonb("expected").$type<ItemSnapshot>().notNull(),
    /** Null while it waits. */
    outcome: text("outcome").$type<BulkOutcome>(),
    reason: text("reason").$type<BulkReason>(),
    at: at("at"),
  },
  (table) => [primaryKey({ columns: [table.runId, table.position] }), index().on(table.studentId)],
);
