import { bigint, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Who did what to whom, and when. Append-only: a trigger refuses every change and removal. People are named by
 * account id without a foreign key, so that an entry outlives the account.
 */
export const audit = pgTable(
  "audit",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
    action: text("action").notNull(),
    actorId: text("actor_id"),
    subjectId: text("subject_id"),
    address: text("address"),
    detail: jsonb("detail"),
  },
  (table) => [
    index().on(table.subjectId, table.at),
    index().on(table.actorId, table.at),
    // The log as admins read it: all of it, or one kind of action.
    index().on(table.at, table.id),
    index().on(table.action, table.at, table.id),
  ],
);
