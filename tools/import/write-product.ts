import type { PgTable } from "drizzle-orm/pg-core";
import { type NewProduct } from "#domain/product-check.ts";
import { saveSearchWords } from "#server/features/auctions/catalogue/create-product.ts";
import {
  auctionBid,
  auctionBidder,
  auctionBidding,
  auctionOutbid,
  auctionPicture,
  auctionProduct,
} from "#server/features/auctions/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { idOf } from "./ids.ts";
import type { ReadBid, Settlement } from "./read-product.ts";

/** An item to insert; `bids` are in their order. */
export type ImportedProduct = {
  id: string;
  sellerId: string;
  product: NewProduct;
  createdAt: Date;
  settlement: Settlement;
  bids: readonly ReadBid[];
  pictures: readonly { id: string; width: number; height: number }[];
};

/** Rows written by one statement: PostgreSQL accepts 65,535 values at most. */
const batchSize = 1000;

/** Writes an item with its bids as if each of them had been made here. */
export async function insertProduct(tx: Transaction, imported: ImportedProduct): Promise<void> {
  const { id, sellerId, product, createdAt, settlement, bids, pictures } = imported;
  const { category, subcategory, grade, startingBid, productName } = product;
  const isOpen = settlement.state === "open";
  const latest = bids.at(-1);
  await tx.insert(auctionProduct).values({ id, sellerId, createdAt, ...product, ...settlement });
  await tx.insert(auctionBidding).values({
    productId: id,
    open: isOpen,
    endsAt: product.endDate,
    price: latest?.amount ?? startingBid,
    highestBidderId: latest?.bidderId ?? null,
    bidCount: bids.length,
    // The version grows with every bid and with the close.
    version: 1 + bids.length + (isOpen ? 0 : 1),
    category,
    subcategory,
    grade,
  });
  await saveSearchWords(tx, productName);
  const placed = pictures.map(({ id: picture, width, height }, position) => ({
    id: picture,
    width,
    height,
    position,
    productId: id,
    ownerId: sellerId,
    createdAt,
  }));
  await tx.insert(auctionPicture).values(placed);
  await insertBids(tx, id, bids, isOpen);
}

async function insertBids(
  tx: Transaction,
  productId: string,
  bids: readonly ReadBid[],
  isOpen: boolean,
): Promise<void> {
  const rows = bids.map(({ bidderId, amount, createdAt }, place) => ({
    productId,
    number: place + 1,
    bidderId,
    amount,
    idempotencyKey: idOf("auction-products", productId, "bids", String(place)),
    createdAt,
  }));
  const bidders = new Map<string, typeof auctionBidder.$inferInsert>();
  for (const { bidderId, amount, number, createdAt } of rows) {
    const since = bidders.get(bidderId)?.since ?? createdAt;
    bidders.set(bidderId, { productId, bidderId, since, amount, number });
  }
  const outbid = [...bidders.values()].flatMap(({ bidderId, number }) => {
    // The bid after theirs, which the leader doesn't have.
    const next = rows[number];
    return next ? [{ productId, bidderId, number, mailedAt: next.createdAt }] : [];
  });
  await insert(tx, auctionBid, rows);
  await insert(tx, auctionBidder, [...bidders.values()]);
  // Bidders who were outbid there have long known it: only future bids are news.
  if (isOpen) await insert(tx, auctionOutbid, outbid);
}

async function insert<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  rows: readonly Table["$inferInsert"][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += batchSize)
    await tx.insert(table).values(rows.slice(at, at + batchSize));
}
