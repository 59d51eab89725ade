import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

export const session = pgTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: at("expires_at").notNull(),
    /** The token's hash. */
    token: text("token").notNull().unique(),
    createdAt: at("created_at").notNull().defaultNow(),
    updatedAt: at("updated_at").notNull().defaultNow(),
    /** The last time its holder proved their identity. */
    provedAt: at("proved_at").notNull().defaultNow(),
    /** Whether a second factor was proved or set up in this session. */
    twoStep: boolean("two_step").notNull().default(false),
    /** The IP address of the login; `userAgent` is the readable name of the browser. */
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);
