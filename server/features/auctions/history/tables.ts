import { bigint, date, index, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { bytes } from "#server/platform/columns.ts";

/** Defines a column for a position in the log. */
const place = (name: string) => bigint(name, { mode: "number" });

/** Heads of items' histories, in the order of the log. Rows are only read and added. */
export const auctionLogLeaf = pgTable(
  "auction_log_leaf",
  {
    position: place("position").primaryKey(),
    day: date("day").notNull(),
    productId: uuid("product_id").notNull(),
    number: integer("number").notNull(),
    head: bytes("head").notNull(),
  },
  (table) => [index("auction_log_leaf_of_product").on(table.productId, table.number)],
);

/** Hashes of the log's complete subtrees, including leaves, for building proofs. Rows are only read and added. */
export const auctionLogNode = pgTable(
  "auction_log_node",
  { level: integer("level").notNull(), position: place("position").notNull(), hash: bytes("hash").notNull() },
  (table) => [primaryKey({ columns: [table.level, table.position] })],
);

/** The log's size and root after each day's run. Rows are only read and added. */
export const auctionLogDay = pgTable("auction_log_day", {
  day: date("day").primaryKey(),
  size: place("size").notNull(),
  root: bytes("root").notNull(),
});
