import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { auctionBid, auctionBidder, auctionBidding, auctionOutbid, auctionProduct } from "../../tables.ts";

/**
 * Some of those who were outbid on these open products since the bid that they were last notified of: whose latest bid has
 * a smaller number than the latest of all. Role and status are null of who is gone.
 */
export const pendingOutbid = (tx: Transaction, productIds: readonly string[], limit: number) =>
  tx
    .select({
      productId: auctionBidder.productId,
      bidderId: auctionBidder.bidderId,
      number: auctionBidder.number,
      productName: auctionProduct.productName,
      price: auctionBidding.price,
      role: user.role,
      status: user.status,
    })
    .from(auctionBidder)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionBidder.productId))
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidder.productId))
    .leftJoin(
      auctionOutbid,
      and(
        eq(auctionOutbid.productId, auctionBidder.productId),
        eq(auctionOutbid.bidderId, auctionBidder.bidderId),
      ),
    )
    .leftJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(
      and(
        sql`${auctionBidder.productId} = any(${sql.param([...productIds])}::uuid[])`,
        eq(auctionBidding.open, true),
        lt(auctionBidder.number, auctionBidding.bidCount),
        or(isNull(auctionOutbid.number), lt(auctionOutbid.number, auctionBidder.number)),
      ),
    )
    .orderBy(auctionBidder.productId, auctionBidder.bidderId)
    .limit(limit);

/** The products that somebody bid for in the last so many seconds. */
export async function recentlyBidFor(db: Reader, seconds: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: auctionBid.productId })
    .from(auctionBid)
    .where(gt(auctionBid.createdAt, sql`now() - make_interval(secs => ${seconds})`));
  return rows.map(({ id }) => id);
}
