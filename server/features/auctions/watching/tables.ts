import { sql } from "drizzle-orm";
import { customType, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { SearchMail } from "#domain/watching.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../../account/tables.ts";
import { auctionProduct } from "../tables.ts";

const tsquery = customType<{ data: string }>({ dataType: () => "tsquery" });
const userId = () =>
  text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" });
const productId = () =>
  uuid("product_id")
    .notNull()
    .references(() => auctionProduct.id, { onDelete: "cascade" });

export const auctionWatch = pgTable(
  "auction_watch",
  {
    userId: userId(),
    productId: productId(),
    at: at("at").notNull().defaultNow(),
    /** The end about which the watcher was notified, or skipped because they led. */
    toldFor: at("told_for"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.productId] }),
    index("auction_watch_by_product").on(table.productId),
  ],
);

/** Saved searches. A new item is matched by its own words, without running any search. */
export const savedSearch = pgTable(
  "saved_search",
  {
    id: uuid("id").primaryKey(),
    userId: userId(),
    name: text("name").notNull(),
    /** In the form of the contract's `searchFilters`. */
    filters: jsonb("filters").notNull(),
    /** The words, kinds and grades in the form of the search index. */
    query: tsquery("query").notNull(),
    mail: text("mail").$type<SearchMail>().notNull(),
    /** The time up to which the user has seen the hits. */
    seenUntil: at("seen_until").notNull().defaultNow(),
    /** The time of the last notification of new items, by the bell or by both bell and email. */
    toldAt: at("told_at"),
    mailedAt: at("mailed_at"),
    madeAt: at("made_at").notNull().defaultNow(),
  },
  (table) => [index("saved_search_by_user").on(table.userId)],
);

/**
 * The words by which new items find a saved search: the two longest of each way of reading it, since long words are
 * rare. A star at the end marks a prefix. A search without words has a kind and a grade instead.
 */
export const savedSearchAnchor = pgTable(
  "saved_search_anchor",
  {
    searchId: uuid("search_id")
      .notNull()
      .references(() => savedSearch.id, { onDelete: "cascade" }),
    word: text("word").notNull(),
    /** Empty if there is only one word. */
    otherWord: text("other_word").notNull(),
  },
  (table) => [
    // In the order of the lookup, so that a match finds its candidates in this index alone.
    primaryKey({ columns: [table.word, table.otherWord, table.searchId] }),
    index("saved_search_anchor_of_search").on(table.searchId),
  ],
);

/** New items that match a saved search. */
export const savedSearchHit = pgTable(
  "saved_search_hit",
  {
    searchId: uuid("search_id")
      .notNull()
      .references(() => savedSearch.id, { onDelete: "cascade" }),
    productId: productId(),
    at: at("at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.searchId, table.productId] }),
    index("saved_search_hit_by_product").on(table.productId),
    index("saved_search_hit_by_age").on(table.at),
  ],
);

/**
 * The saved searches with new items for their owner, and the time from which they may be announced. Separate from the
 * searches, so that a match rewrites none of their indexes.
 */
export const savedSearchDue = pgTable(
  "saved_search_due",
  {
    searchId: uuid("search_id")
      .primaryKey()
      .references(() => savedSearch.id, { onDelete: "cascade" }),
    at: at("at").notNull(),
  },
  (table) => [index("saved_search_due_at").on(table.at)],
);
