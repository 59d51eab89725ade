import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { Verdict } from "#domain/duplicates.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * An admin's decision about accounts that may belong to one person, with a row for each account. It holds for these
 * accounts together: when another one joins their group, the group is open again.
 */
export const duplicateDecision = pgTable(
  "duplicate_decision",
  {
    id: uuid("id").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    verdict: text("verdict").$type<Verdict>().notNull(),
    decidedBy: text("decided_by").notNull(),
    decidedAt: at("decided_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.id, table.accountId] }), index().on(table.accountId)],
);
