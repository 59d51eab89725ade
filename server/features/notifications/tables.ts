import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Digest } from "#domain/digest.ts";
import type { NotificationKind } from "#domain/notification.ts";
import type { SubjectIds } from "#domain/notifications/kind.ts";
import type { DeliveryProblem, DeliveryState, StopReason, WebhookState } from "#domain/webhook.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/** An entry of one person's bell. `eventKey` names the event, so that retries show it only once. */
export const notification = pgTable(
  "notification",
  {
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    kind: text("kind").$type<NotificationKind>().notNull(),
    eventKey: text("event_key").notNull(),
    /**
     * The subject, if only the latest entry counts: an unread entry is replaced by the next one with the same topic.
     */
    topic: text("topic"),
    /** The mail about it; several entries can share one. */
    mailId: uuid("mail_id"),
    /** Names and titles for the sentence, never identity fields. */
    about: jsonb("about").$type<Record<string, string>>().notNull(),
    /** Ids of the subject, against which a mail is checked when it is sent. Null in entries of an earlier version. */
    ids: jsonb("ids").$type<SubjectIds>(),
    /** The account of the agent whom `about` names. When it is erased, so is the name. */
    agentId: text("agent_id"),
    path: text("path").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    readAt: at("read_at"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex().on(table.userId, table.eventKey),
    index("notification_unread").on(table.userId, table.topic).where(sql`read_at is null`),
    // Entries are stored in the order of their time, so that a small index finds the old ones.
    index("notification_age").using("brin", table.createdAt),
    index("notification_of_agent").on(table.agentId).where(sql`agent_id is not null`),
    index().on(table.mailId).where(sql`mail_id is not null`),
  ],
);

/** Mails that still gather notifications of one digest, until the mail is written. */
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

/** Endpoints to which accounts have their notifications sent. */
export const webhook = pgTable(
  "webhook",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Types of events (domain/notifications). */
    events: text("events").array().notNull(),
    state: text("state").$type<WebhookState>().notNull().default("active"),
    stopReason: text("stop_reason").$type<StopReason>(),
    stoppedAt: at("stopped_at"),
    createdAt: at("created_at").notNull().defaultNow(),
    /** The time of the last successful delivery, or when the webhook was turned on. */
    workedAt: at("worked_at").notNull().defaultNow(),
  },
  (table) => [index().on(table.userId)],
);

/** The secrets that a webhook signs with: the current one, and for a while those that it has replaced. */
export const webhookSecret = pgTable(
  "webhook_secret",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhook.id, { onDelete: "cascade" }),
    /** Encrypted: signing needs the secret itself. */
    sealed: text("sealed").notNull(),
    /** The time until which a replaced secret signs; null for the current one. */
    until: at("until"),
  },
  (table) => [index().on(table.webhookId)],
);

/** One event for one webhook; `id` is also the message's. */
export const webhookDelivery = pgTable(
  "webhook_delivery",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhook.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    ids: jsonb("ids").$type<SubjectIds>().notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    state: text("state").$type<DeliveryState>().notNull().default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    attemptedAt: at("attempted_at"),
    /** The HTTP status of the last attempt; `problem` says why there was none. */
    status: integer("status"),
    problem: text("problem").$type<DeliveryProblem>(),
  },
  (table) => [
    index().on(table.webhookId, table.createdAt),
    index("webhook_delivery_age").using("brin", table.createdAt),
  ],
);
