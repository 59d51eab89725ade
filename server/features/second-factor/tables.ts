import { sql } from "drizzle-orm";
import { bigint, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Role } from "#domain/account.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * An account's authenticator app: its encrypted key, and the last time step whose code was accepted, since each works
 * once.
 */
export const secondFactor = pgTable("second_factor", {
  userId: text("user_id")
    .primaryKey()
    .references(() => user.id, { onDelete: "cascade" }),
  key: text("key").notNull(),
  lastStep: bigint("last_step", { mode: "number" }).notNull(),
  createdAt: at("created_at").notNull().defaultNow(),
});

/** Codes that replace the authenticator app in a login. Each works once: its row is deleted with its use. */
export const recoveryCode = pgTable(
  "recovery_code",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** A passkey: its credential id, its public key and the last value of its counter (WebAuthn). */
export const passkey = pgTable(
  "passkey",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    credentialId: text("credential_id").notNull().unique(),
    publicKey: text("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    name: text("name").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    lastUsedAt: at("last_used_at"),
  },
  (table) => [index().on(table.userId)],
);

/**
 * Whether an account has a second factor, in a query of accounts. Tables are named as text, since Drizzle shortens the
 * columns of a single table.
 */
export const hasSecondFactor = sql<boolean>`(
  exists (select from second_factor where second_factor.user_id = "user".id)
  or exists (select from passkey where passkey.user_id = "user".id))`;
/** Whether an account has no second factor although its role must have one (`required`). */
export const lacksSecondFactor = (required: readonly Role[]) =>
  sql<boolean>`("user".role = any(${sql.param(required)}::text[]) and not ${hasSecondFactor})`;
