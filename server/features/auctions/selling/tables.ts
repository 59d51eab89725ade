import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { DraftForm } from "#domain/item-draft.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../../account/tables.ts";
import { auctionProduct } from "../tables.ts";

/** Drafts of items. Their pictures are kept as long as the draft. */
export const auctionDraft = pgTable(
  "auction_draft",
  {
    id: uuid("id").primaryKey(),
    ownerId: text("owner_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    form: jsonb("form").$type<DraftForm>().notNull(),
    /** Ids of pictures, in their order. */
    pictures: uuid("pictures").array().notNull().default(sql`'{}'`),
    /** The ended product that it is a copy of. */
    copiedFrom: uuid("copied_from"),
    changedAt: at("changed_at").notNull().defaultNow(),
  },
  (table) => [
    index("auction_draft_of").on(table.ownerId, table.changedAt),
    index("auction_draft_old").on(table.changedAt),
    index("auction_draft_pictures").using("gin", table.pictures),
  ],
);

/** Questions about a product. Everyone sees one once it is answered, unless an admin has hidden it. */
export const auctionQuestion = pgTable(
  "auction_question",
  {
    id: uuid("id").primaryKey(),
    productId: uuid("product_id")
      .notNull()
      .references(() => auctionProduct.id, { onDelete: "cascade" }),
    /** Has no reference to the account, so that a question needn't wait for its lock. */
    askerId: text("asker_id").notNull(),
    text: text("text").notNull(),
    at: at("at").notNull().defaultNow(),
    answer: text("answer"),
    answeredAt: at("answered_at"),
    hiddenBy: text("hidden_by"),
    hiddenAt: at("hidden_at"),
    hiddenReason: text("hidden_reason"),
  },
  (table) => [
    index("auction_question_of_product").on(table.productId, table.at),
    index("auction_question_by").on(table.askerId, table.at),
  ],
);

/** Additions of sellers to descriptions, numbered from 1 within their product. */
export const auctionAddition = pgTable(
  "auction_addition",
  {
    productId: uuid("product_id")
      .notNull()
      .references(() => auctionProduct.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    text: text("text").notNull(),
    at: at("at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.productId, table.number] })],
);

/** Listed rows of CSV files, by a hash of their cells, so that no row is listed twice. */
export const auctionListedRow = pgTable(
  "auction_listed_row",
  {
    ownerId: text("owner_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    /** Has no reference, because it is written before the product. */
    productId: uuid("product_id").notNull(),
    at: at("at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.key] }),
    index("auction_listed_row_old").on(table.at),
  ],
);
