import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Digest, NotificationKind } from "#domain/notification.ts";
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
