import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from "drizzle-orm/pg-core";
import type { Role, Status } from "#domain/account.ts";
import { at } from "#server/platform/columns.ts";

export const user = pgTable(
  "user",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    /** Always in lower case. */
    email: text("email").notNull().unique(),
    emailVerified: boolean("email_verified").notNull().default(false),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
    role: text("role").$type<Role>().notNull(),
    status: text("status").$type<Status>().notNull(),
    firstName: text("first_name").notNull().default(""),
    lastName: text("last_name").notNull().default(""),
    phone: text("phone").notNull().default(""),
    agency: text("agency").notNull().default(""),
    country: text("country").notNull().default(""),
    /** An IANA name; null until the browser has sent one. */
    timeZone: text("time_zone"),
    /** The version of Terms and Privacy agreed to at sign-up. */
    termsVersion: text("terms_version"),
    approvedAt: at("approved_at"),
    approvedBy: text("approved_by"),
    revokedAt: at("revoked_at"),
    revokedBy: text("revoked_by"),
    disabledAt: at("disabled_at"),
    disabledBy: text("disabled_by"),
    /**
     * Time from which the account may be erased. For an account in use, its holder was told that nobody has logged in
     * for too long; for any other, its holder requested the deletion. Logging in cancels it.
     */
    deletionDueAt: at("deletion_due_at"),
    /** Incremented to forget all known browsers, whose cookies contain it. */
    browserEpoch: integer("browser_epoch").notNull().default(0),
    /** The last login, or the sign-up. */
    lastLoginAt: at("last_login_at").notNull().defaultNow(),
    /** A student's agent; null for everybody else. */
    assignedAgentId: text("assigned_agent_id").references((): AnyPgColumn => user.id, {
      onDelete: "set null",
    }),
    assignedAt: at("assigned_at"),
    /** Name and email address as searches compare them (`people_text`); a space marks the beginning of a word. */
    searchText: text("search_text")
      .notNull()
      .generatedAlwaysAs(sql`people_text(name, email, last_name || first_name)`),
  },
  (table) => [
    // Manage Students reads pages in each order, for all students, one agent's students or students without an agent.
    index("user_by_name").on(table.role, sql`lower(${table.name})`, table.id),
    index("user_by_agent_and_name").on(
      table.role,
      table.assignedAgentId,
      sql`lower(${table.name})`,
      table.id,
    ),
    index().on(table.role, table.email, table.id),
    index("user_by_country").on(table.role, sql`lower(country_name(${table.country}))`, table.id),
    index("user_search_trigrams")
      .using("gin", sql`${table.searchText} gin_trgm_ops`)
      .where(sql`role = 'student'`),
    index("user_phone_trigrams")
      .using("gin", sql`regexp_replace(${table.phone}, '\\D', '', 'g') gin_trgm_ops`)
      .where(sql`role = 'student'`),
    index().on(table.role, table.status, table.createdAt, table.id),
    index("user_deletion_due").on(table.deletionDueAt).where(sql`deletion_due_at is not null`),
    check("user_email_lower_case", sql`${table.email} = lower(${table.email})`),
    check(
      "user_role_and_status",
      sql`(${table.role} = 'student' and ${table.status} in ('active', 'disabled', 'leaving'))
        or (${table.role} = 'admin' and ${table.status} in ('active', 'disabled'))
        or (${table.role} = 'agent' and ${table.status} in ('pending', 'approved', 'revoked', 'disabled', 'leaving'))`,
    ),
  ],
);

/** A sign-in credential of an account; `password` is the hash. */
export const account = pgTable(
  "account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    password: text("password"),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex().on(table.userId, table.providerId),
    index("account_older_hash").on(table.id).where(sql`${table.password} not like '$argon2id$%'`),
  ],
);

/** Mailed and printed links by the hash of their token, and short-lived values by their name (`kept-values.ts`). */
export const verification = pgTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: at("expires_at").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (table) => [uniqueIndex().on(table.identifier), index().on(table.value), index().on(table.expiresAt)],
);

/**
 * The remaining record of a denied agent, so that the address can't sign up again (docs/product.md, "Losing access").
 */
export const deniedAgent = pgTable(
  "denied_agent",
  {
    id: text("id").primaryKey(),
    email: text("email").notNull().unique(),
    password: text("password").notNull(),
    deniedAt: at("denied_at").notNull().defaultNow(),
    deniedBy: text("denied_by").notNull(),
  },
  (table) => [index().on(table.deniedAt)],
);

/** Counters of attempts, in the form that rate-limiter-flexible uses. */
export const rateLimit = pgTable(
  "rate_limit",
  {
    key: varchar("key", { length: 255 }).primaryKey(),
    points: integer("points").notNull().default(0),
    /** Milliseconds since 1970. */
    expire: bigint("expire", { mode: "number" }),
  },
  (table) => [index().on(table.expire)],
);

/**
 * Short-lived counters of frequent events, in the form of `rateLimit`. The table is unlogged (see the migration that
 * creates it): counting doesn't wait for the disk, and a crash of PostgreSQL resets the counts.
 */
export const briefLimit = pgTable("brief_limit", {
  key: varchar("key", { length: 255 }).primaryKey(),
  points: integer("points").notNull().default(0),
  expire: bigint("expire", { mode: "number" }),
});

/** Fingerprints of the secrets that the most recently started node accepts. They reveal nothing about the secrets. */
export const secretFingerprint = pgTable("secret_fingerprint", {
  fingerprint: text().primaryKey(),
  since: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
