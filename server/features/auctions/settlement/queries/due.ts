import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { auctionBidder, auctionProduct } from "../../tables.ts";

/** The next page begins after the last one. */
export type DueProduct = { id: string; endDate: Date };

/** The first open products whose time is over, the longest ended first. */
export async function dueProducts(
  db: Reader,
  after: DueProduct | null,
  limit: number,
): Promise<DueProduct[]> {
  const beyond =
    after &&
    sql`(${auctionProduct.endDate}, ${auctionProduct.id}) > (${after.endDate.toISOString()}, ${after.id})`;
  return await db
    .select({ id: auctionProduct.id, endDate: auctionProduct.endDate })
    .from(auctionProduct)
    // Not clock_timestamp(): by that no index can be read.
    .where(
      and(eq(auctionProduct.state, "open"), sql`${auctionProduct.endDate} <= now()`, beyond ?? undefined),
    )
    .orderBy(asc(auctionProduct.endDate), asc(auctionProduct.id))
    .limit(limit)
    .prepare(after ? "due_further" : "due")
    .execute();
}

/** Products as their close sees them, and the database's time; the seller's role and status are null of who is gone. */
export const readClosing = (tx: Transaction, ids: readonly string[]) =>
  tx
    .select({
      id: auctionProduct.id,
      sellerId: auctionProduct.sellerId,
      sellerRole: user.role,
      sellerStatus: user.status,
      productName: auctionProduct.productName,
      state: auctionProduct.state,
      endDate: auctionProduct.endDate,
      now: sql<Date>`clock_timestamp()`.mapWith(auctionProduct.endDate),
    })
    .from(auctionProduct)
    .leftJoin(user, eq(user.id, auctionProduct.sellerId))
    .where(inArray(auctionProduct.id, [...ids]));

type Row = Awaited<ReturnType<typeof readClosing>>[number];
export type ReadAuction = Omit<Row, "sellerRole" | "sellerStatus">;

/**
 * Everyone who bid for these products with their highest bid, of each product the highest first; role and status are
 * null of who is gone.
 */
export const biddersOf = (tx: Transaction, ids: readonly string[]) =>
  tx
    .select({
      productId: auctionBidder.productId,
      bidderId: auctionBidder.bidderId,
      amount: auctionBidder.amount,
      role: user.role,
      status: user.status,
    })
    .from(auctionBidder)
    .leftJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(inArray(auctionBidder.productId, [...ids]))
    .orderBy(auctionBidder.productId, desc(auctionBidder.number));
