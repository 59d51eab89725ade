import { sql } from "drizzle-orm";
import { auctionBid, auctionBidding } from "../tables.ts";

/** The number of bids that stand, which is the one that everybody is shown. */
export const standingBids = sql<number>`(${auctionBidding.bidCount} - ${auctionBidding.uncounted})`.mapWith(
  Number,
);

/** Whether a bid's own bidder has withdrawn it, or an admin has voided it. */
export const isWithdrawn = sql<boolean>`exists (select from bid_withdrawal w
  where w.product_id = ${auctionBid.productId} and w.bidder_id = ${auctionBid.bidderId}
    and w.number > ${auctionBid.number})`;

/** Whether a bid is above the price that a later withdrawal has led to. */
export const isSuperseded = sql<boolean>`exists (select from bid_withdrawal w
  join auction_bid after_it on after_it.product_id = w.product_id and after_it.number = w.number
  where w.product_id = ${auctionBid.productId} and w.number > ${auctionBid.number}
    and after_it.amount < ${auctionBid.amount})`;

/** Counts the rows of a product's history that are no bid that stands. */
export const uncountedRows = (productId: string) => sql<number>`(select count(*)::int from ${auctionBid}
  where ${auctionBid.productId} = ${productId}
    and (${auctionBid.kind} not in ('bid', 'auto') or ${isWithdrawn} or ${isSuperseded}))`;
