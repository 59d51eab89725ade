import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * The record of who did what to whom, and when. Append-only: a trigger refuses every change and removal, except old
 * entries that `audit_trim` removes. People are named by account id without a foreign key, so that an entry outlives
 * the account.
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
    // Admins read all of the log, or one kind of action.
    index().on(table.at, table.id),
    index().on(table.action, table.at, table.id),
    // Students read what others did with their record, without their own entries in between.
    index("audit_by_others").on(table.subjectId, table.at, table.id).where(sql`actor_id <> subject_id`),
  ],
);

/**
 * The links of the chain over the entries, in the order of their commits. Each hash covers the one before it and the
 * entry (docs/adr/0027). A trigger writes them as the owner; the application only reads them.
 */
export const auditChain = pgTable("audit_chain", {
  /** 1, 2, 3 … without a gap. */
  position: bigint("position", { mode: "number" }).primaryKey(),
  auditId: bigint("audit_id", { mode: "number" }).notNull().unique(),
  /** SHA-256 in hexadecimal. */
  hash: text("hash").notNull(),
});
