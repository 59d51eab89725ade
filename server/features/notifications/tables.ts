import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import type { NotificationKind } from "#domain/notification.ts";
import { user } from "../account/tables.ts";

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What the bell shows to one person. `eventKey` names the event: it is shown once, whatever is tried again. */
export const notification = pgTable(
  "notification",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    kind: text("kind").$type<NotificationKind>().notNull(),
    eventKey: text("event_key").notNull(),
    /** What the sentence needs: names and titles, never identity fields. */
    about: jsonb("about").$type<Record<string, string>>().notNull(),
    /** The page it leads to. */
    path: text("path").notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    readAt: at("read_at"),
  },
  (table) => [
    uniqueIndex().on(table.userId, table.eventKey),
    index().on(table.userId, table.id),
    index("notification_unread").on(table.userId).where(sql`read_at is null`),
  ],
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
