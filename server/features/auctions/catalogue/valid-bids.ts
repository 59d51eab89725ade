import { sql } from "drizzle-orm";
import { auctionBid, auctionBidding } from "../tables.ts";

/** The number of valid bids, which is the one that everyone sees. */
export const validBids = sql<number>`(${auctionBidding.bidCount} - ${auctionBidding.uncounted})`.mapWith(
  Number,
);

/** Whether a bid was withdrawn by its bidder, or voided by an admin. */
export const isWithdrawn = sql<boolean>`exists (select from bid_withdrawal w
  where w.product_id = ${auctionBid.productId} and w.bidder_id = ${auctionBid.bidderId}
    and w.number > ${auctionBid.number})`;

/** Whether a bid is above the price that a later withdrawal has led to. */
export const isSuperseded = sql<boolean>`exists (select from bid_withdrawal w
  join auction_bid after_it on after_it.product_id = w.product_id and after_it.number = w.number
  where w.product_id = ${auctionBid.productId} and w.number > ${auctionBid.number}
    and after_it.amount < ${auctionBid.amount})`;

/** Counts the rows of a product's history that aren't valid bids. */
export const uncountedRows = (productId: string) => sql<number>`(select count(*)::int from ${auctionBid}
  where ${auctionBid.productId} = ${productId}
    and (${auctionBid.kind} not in ('bid', 'auto') or ${isWithdrawn} or ${isSuperseded}))`;
