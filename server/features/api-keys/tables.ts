import { index, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * Keys with which programs act as an account, within the key's scopes. Only the hash and the first characters are kept.
 */
export const apiKey = pgTable(
  "api_key",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    hash: text("hash").notNull().unique(),
    start: text("start").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: at("created_at").notNull().defaultNow(),
    expiresAt: at("expires_at"),
    lastUsedAt: at("last_used_at"),
  },
  (table) => [index().on(table.userId)],
);
