import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { recordSales } from "#server/features/auctions/sales/open-sale.ts";
import { sale, saleEvent, strike, tradingBar } from "#server/features/auctions/sales/tables.ts";
import {
  auctionBid,
  auctionBidder,
  auctionBidding,
  auctionProduct,
} from "#server/features/auctions/tables.ts";
import type { Services } from "#server/services.ts";
import { product } from "./auctions.ts";
import type { Person } from "./factories.ts";

type Store = { services: Pick<Services, "database"> };
const hour = 3_600_000;

export type SoldItem = {
  seller: Pick<Person, "id">;
  buyer: Pick<Person, "id">;
  /** Others who bid, the highest first, with their highest bids in cents. */
  others?: readonly [Pick<Person, "id">, cents: number][];
  amount?: number;
  /** Hours since the close. */
  hoursAgo?: number;
};

/** Inserts a product that was sold some hours ago, 80 by default, with its bids and its sale. */
export async function soldItem(
  w: Store,
  { seller, buyer, others = [], amount = 61_100, hoursAgo = 80 }: SoldItem,
): Promise<{ productId: string; saleId: string }> {
  const closedAt = new Date(Date.now() - hoursAgo * hour);
  const productId = await product(w, seller, {
    state: "sold",
    closedAt,
    endDate: closedAt,
    winnerId: buyer.id,
    winningBid: amount,
    startingBid: 10_000,
  });
  const since = new Date(closedAt.getTime() - hour);
  const bids = [...others.toReversed(), [buyer, amount] as const].map(([{ id }, cents], at) => ({
    productId,
    number: at + 1,
    bidderId: id,
    amount: cents,
  }));
  const saleId = await w.services.database.transaction(async (tx) => {
    await tx
      .insert(auctionBid)
      .values(bids.map((bid) => ({ ...bid, idempotencyKey: randomUUID(), createdAt: since })));
    await tx.insert(auctionBidder).values(bids.map((bid) => ({ ...bid, since })));
    await tx
      .update(auctionBidding)
      .set({
        price: amount,
        highestBidderId: buyer.id,
        leaderLimit: amount,
        bidCount: bids.length,
        writtenTo: bids.length,
        version: bids.length + 2,
      })
      .where(eq(auctionBidding.productId, productId));
    await recordSales(tx, [
      { productId, sellerId: seller.id, buyerId: buyer.id, amount, kind: "auction", madeAt: closedAt },
    ]);
    const [row] = await tx.select({ id: sale.id }).from(sale).where(eq(sale.productId, productId));
    return row?.id ?? "";
  });
  return { productId, saleId };
}

/** Returns a stored sale. */
export async function storedSale(w: Store, saleId: string) {
  const [row] = await w.services.database.db.select().from(sale).where(eq(sale.id, saleId));
  if (!row) throw new Error("there is no such sale");
  return row;
}

/** Returns the kinds of a sale's events in their order. */
export async function eventsOf(w: Store, saleId: string) {
  const rows = await w.services.database.db
    .select({ kind: saleEvent.kind })
    .from(saleEvent)
    .where(eq(saleEvent.saleId, saleId))
    .orderBy(asc(saleEvent.number));
  return rows.map(({ kind }) => kind);
}

/** Returns a person's stored strikes. */
export const storedStrikes = (w: Store, { id }: Pick<Person, "id">) =>
  w.services.database.db.select().from(strike).where(eq(strike.accountId, id)).orderBy(strike.at);

/** Bars a person from bidding and selling for an hour, as three strikes do for longer. */
export const bar = (w: Store, { id }: Pick<Person, "id">) =>
  w.services.database.db.insert(tradingBar).values({ accountId: id, until: new Date(Date.now() + hour) });

/** Lets the time of a sale pass: what was due in the future is due now. */
export const passTime = (w: Store, saleId: string) =>
  w.services.database.db
    .update(sale)
    .set({ dueAt: new Date(Date.now() - 1_000) })
    .where(eq(sale.id, saleId));

/** Makes a sale fall through by its buyer, as a report without an answer does. */
export const fellThrough = (w: Store, saleId: string) =>
  w.services.database.db
    .update(sale)
    .set({ state: "fellThrough", fault: "buyer", dueAt: null, endedAt: new Date() })
    .where(eq(sale.id, saleId));

/** Sets the close of a product and its sale to this many hours ago. */
export async function moveClose(w: Store, productId: string, hoursAgo: number): Promise<void> {
  const madeAt = new Date(Date.now() - hoursAgo * hour);
  const { db } = w.services.database;
  await db.update(sale).set({ madeAt }).where(eq(sale.productId, productId));
  await db.update(auctionProduct).set({ closedAt: madeAt }).where(eq(auctionProduct.id, productId));
}
