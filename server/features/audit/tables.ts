import { bigint, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Who did what to whom, and when. Append-only: a trigger refuses every change and removal, but for old entries that
 * `audit_trim` takes away. People are named by account id without a foreign key, so that an entry outlives the account.
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

/**
 * Links of the chain over the entries, in the order in which they were committed: each hash is over the one before it
 * and the entry (docs/adr/0027). Written by a trigger as the owner; the application only reads it.
 */
export const auditChain = pgTable("audit_chain", {
  /** 1, 2, 3 … without a gap. */
  position: bigint("position", { mode: "number" }).primaryKey(),
  auditId: bigint("audit_id", { mode: "number" }).notNull().unique(),
  /** SHA-256 in hexadecimal. */
  hash: text("hash").notNull(),
});
