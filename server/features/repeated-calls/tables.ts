import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * Changes that a program may repeat within a day, with the answer to each. `request` is a hash of the request. A row
 * without a status is still running, or its process has died.
 */
export const keptAnswer = pgTable(
  "kept_answer",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    /** The request's Idempotency-Key header. */
    key: text("key").notNull(),
    request: text("request").notNull(),
    /** Identifies the current attempt, so that an earlier one can't write its answer any more. */
    attempt: text("attempt").notNull(),
    startedAt: at("started_at").notNull().default(sql`now()`),
    status: integer("status"),
    body: text("body"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index().on(table.startedAt)],
);
