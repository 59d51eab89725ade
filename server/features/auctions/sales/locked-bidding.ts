import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Bidding, BidForm } from "#domain/bid.ts";
import type { AcceptedAttempt } from "#domain/bid-withdrawal.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { auctionBid, auctionBidding, auctionProduct } from "../tables.ts";

/** A product whose bidding this transaction has locked. */
export type LockedBidding = Bidding & {
  productId: string;
  productName: string;
  version: number;
  head: Buffer | null;
};

/** Locks and returns a product's bidding; null for a product off sale. */
export async function lockBidding(tx: Transaction, productId: string): Promise<LockedBidding | null> {
  const [bidding] = await tx
    .select()
    .from(auctionBidding)
    .where(eq(auctionBidding.productId, productId))
    .for("update");
  const [product] = await tx
    .select({
      sellerId: auctionProduct.sellerId,
      productName: auctionProduct.productName,
      startingBid: auctionProduct.startingBid,
    })
    .from(auctionProduct)
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")));
  if (!bidding || !product) return null;
  const { open, endsAt, latestEnd, price, highestBidderId, bidCount, version } = bidding;
  // A node running a version without limits may have accepted bids since; limit and chain are then unknown.
  const isKnown = bidding.writtenTo === bidCount;
  const highestBid = highestBidderId === null ? null : price;
  return {
    ...product,
    productId,
    open,
    endDate: endsAt,
    latestEnd,
    highestBid,
    highestBidderId,
    leaderLimit: isKnown ? bidding.leaderLimit : highestBid,
    bidCount,
    version,
    head: isKnown ? bidding.head : null,
  };
}

type AttemptRow = { bidder: string; form: BidForm; amount: string; at: string };

/**
 * Reads the accepted attempts that count, in the order of their decisions. A limit has the number of its public bid, or
 * of the latest bid if the leader only moved it.
 */
export async function readAttempts(db: Reader, productId: string): Promise<AcceptedAttempt[]> {
  const { rows } = await db.execute<AttemptRow>(sql`
    with attempt as (
      select bidder_id, 'exact' as form, amount, created_at, number, 0 as place, 0 as sequence
      from auction_bid where product_id = ${productId} and kind = 'bid' and idempotency_key is not null
      union all
      select l.bidder_id, 'upTo', l.amount, l.created_at, l.number,
        case when exists (select from auction_bid b
          where b.bidder_id = l.bidder_id and b.idempotency_key = l.idempotency_key) then 0 else 1 end, sequence
      from auction_limit l where l.product_id = ${productId})
    select bidder_id as bidder, form, amount, to_json(created_at) #>> '{}' as at from attempt
    where not exists (select from bid_withdrawal w
      where w.product_id = ${productId} and w.bidder_id = attempt.bidder_id and w.number > attempt.number)
    order by number, place, sequence`);
  return rows.map(({ bidder, form, amount, at }) => ({
    bidderId: bidder,
    form,
    amount: Number(amount),
    at: new Date(at),
  }));
}

/** Returns the bidder of a bid in the public history; null if there is no such bid. */
export async function bidderAt(db: Reader, productId: string, number: number): Promise<string | null> {
  const [row] = await db
    .select({ bidderId: auctionBid.bidderId })
    .from(auctionBid)
    .where(
      and(
        eq(auctionBid.productId, productId),
        eq(auctionBid.number, number),
        inArray(auctionBid.kind, ["bid", "auto"]),
      ),
    );
  return row?.bidderId ?? null;
}
