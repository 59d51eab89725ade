import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { NotificationKind } from "#domain/notification.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";
import { session } from "../sessions/tables.ts";

/** Browsers that are subscribed to notifications while Wayfare is closed. */
export const pushSubscription = pgTable(
  "push_subscription",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    /** The session that it belongs to; the subscription ends with it, however it ends. */
    sessionId: text("session_id")
      .notNull()
      .references(() => session.id, { onDelete: "cascade" }),
    /** The URL at which the browser's push service accepts messages for it. */
    endpoint: text("endpoint").notNull().unique(),
    /** The browser's public key and secret, by which messages are encrypted for it alone. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** Our public key that the browser subscribed for. The push service rejects messages signed with another one. */
    serverKey: text("server_key").notNull(),
    madeAt: at("made_at").notNull().defaultNow(),
    /** The first failure since the last message that arrived; null while it works. */
    failedAt: at("failed_at"),
  },
  (table) => [index().on(table.userId), index().on(table.sessionId)],
);

/** The kinds of notifications that a person doesn't want pushed to any browser. */
export const mutedPush = pgTable(
  "muted_push",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    kind: text("kind").$type<NotificationKind>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);
