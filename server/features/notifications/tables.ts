import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Digest } from "#domain/digest.ts";
import type { NotificationKind } from "#domain/notification.ts";
import type { DeliveryProblem, DeliveryState, EventIds, StopReason, WebhookState } from "#domain/webhook.ts";
import { user } from "../account/tables.ts";

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What the bell shows to one person. `eventKey` names the event: it is shown once, whatever is tried again. */
export const notification = pgTable(
  "notification",
  {
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    kind: text("kind").$type<NotificationKind>().notNull(),
    eventKey: text("event_key").notNull(),
    /** What it is about, where only the latest counts: while unread, it is replaced by the next with the same topic. */
    topic: text("topic"),
    /** The mail about it; several entries can share one. */
    mailId: uuid("mail_id"),
    /** What the sentence needs: names and titles, never identity fields. */
    about: jsonb("about").$type<Record<string, string>>().notNull(),
    /** Ids of what it is about: a mail is compared with them when it leaves. Null of entries of an earlier version. */
    ids: jsonb("ids").$type<EventIds>(),
    /** The account of the agent whom `about` names: when that is erased, so is the name. */
    agentId: text("agent_id"),
    /** The page it leads to. */
    path: text("path").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    readAt: at("read_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex().on(table.userId, table.eventKey),
    index("notification_unread").on(table.userId, table.topic).where(sql`read_at is null`),
    // Entries are stored in the order of their time: a few bytes find those that are old.
    index("notification_age").using("brin", table.createdAt),
    index("notification_of_agent").on(table.agentId).where(sql`agent_id is not null`),
    index().on(table.mailId).where(sql`mail_id is not null`),
  ],
);

/** Mails that still gather: news of the same digest joins until the mail is written. */
export const openDigest = pgTable(
  "open_digest",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    digest: text("digest").$type<Digest>().notNull(),
    mailId: uuid("mail_id").notNull().unique(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.digest] })],
);

/** The kinds of mail that a person has switched off. */
export const mutedMail = pgTable(
  "muted_mail",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    kind: text("kind").$type<NotificationKind>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** Where an account has sent what it is notified of. */
export const webhook = pgTable(
  "webhook",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Types of events (domain/webhook.ts). */
    events: text("events").array().notNull(),
    state: text("state").$type<WebhookState>().notNull().default("active"),
    stopReason: text("stop_reason").$type<StopReason>(),
    stoppedAt: at("stopped_at"),
    createdAt: at("created_at").notNull().defaultNow(),
    /** When something was last delivered, or it was turned on. */
    workedAt: at("worked_at").notNull().defaultNow(),
  },
  (table) => [index().on(table.userId)],
);

/** What a webhook signs with: the present secret, and for a while those that it has replaced. */
export const webhookSecret = pgTable(
  "webhook_secret",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhook.id, { onDelete: "cascade" }),
    /** Encrypted: signing needs the secret itself. */
    sealed: text("sealed").notNull(),
    /** Of one that was replaced: until when it signs. */
    until: at("until"),
  },
  (table) => [index().on(table.webhookId)],
);

/** One event for one webhook; its id is the message's. */
export const webhookDelivery = pgTable(
  "webhook_delivery",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhook.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    ids: jsonb("ids").$type<EventIds>().notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    state: text("state").$type<DeliveryState>().notNull().default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    attemptedAt: at("attempted_at"),
    /** What the last attempt was answered: an HTTP status, or why there was none. */
    status: integer("status"),
    problem: text("problem").$type<DeliveryProblem>(),
  },
  (table) => [
    index().on(table.webhookId, table.createdAt),
    index("webhook_delivery_age").using("brin", table.createdAt),
  ],
);
