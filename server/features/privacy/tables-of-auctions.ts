import { sql } from "drizzle-orm";
import * as auctions from "../auctions/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";
import { tablesOfWatching } from "./tables-of-watching.ts";

/** Tables of items, bids, watched items and saved searches. */
export const tablesOfAuctions: readonly TableOfPeople[] = [
  ...tablesOfWatching,
  {
    table: auctions.auctionOutbid,
    omittedBecause: "It only marks which of your bids you were last notified of.",
    erase: [({ id }) => sql`delete from auction_outbid where bidder_id = ${id}`],
  },
  {
    table: auctions.auctionBidding,
    omittedBecause: "The present price of an item belongs to its auction.",
    keptBecause: "the highest bid of an auction counts; it has only its bidder's former id",
    // The bidding of an ended item without bids is deleted entirely.
    erase: [
      ({ id }) => sql`
        delete from auction_bidding using auction_product
        where seller_id = ${id} and auction_product.id = product_id and state <> 'open' and bid_count = 0`,
    ],
  },
  {
    table: auctions.auctionProduct,
    download: {
      items: (id) => sql`
        select product_name as "name", description, handover, collection_place as "collectionIn",
          courier_cents as "courierInCents", category, subcategory, grade,
          starting_bid as "startingBidInCents", created_at as "listedAt",
          (select ends_at from auction_bidding where product_id = id) as "endDate", state,
          closed_at as "closedAt", removal_reason as "removalReason", winning_bid as "winningBidInCents"
        from auction_product where seller_id = ${id} order by created_at, id`,
      purchases: (id) => sql`
        select product_name as "name", category, subcategory, grade, winning_bid as "winningBidInCents",
          closed_at as "boughtAt"
        from auction_product where winner_id = ${id} order by closed_at, id`,
    },
    keptBecause: "buyers and bidders keep the item's name and amounts, without its seller",
    erase: [
      ({ id }) => sql`
        delete from auction_product
        where seller_id = ${id} and not exists (select from auction_bidding where product_id = auction_product.id)`,
      ({ id }) => sql`
        update auction_product set description = '', handover = '', collection_place = '', removal_reason = null
        where seller_id = ${id}`,
    ],
  },
  {
    table: auctions.auctionBid,
    download: {
      bids: (id) => sql`
        select product_name as "item", amount as "amountInCents", auction_bid.created_at as "at"
        from auction_bid left join auction_product on auction_product.id = product_id
        where bidder_id = ${id} and kind in ('bid', 'auto') order by auction_bid.created_at, product_id, number`,
    },
    keptBecause: "a bid concerns others too; it has only its bidder's former id",
  },
  {
    table: auctions.auctionLimit,
    download: {
      limits: (id) => sql`
        select product_name as "item", amount as "limitInCents", auction_limit.created_at as "at",
          encode(salt, 'hex') as "salt"
        from auction_limit left join auction_product on auction_product.id = product_id
        where bidder_id = ${id} order by auction_limit.created_at, idempotency_key`,
    },
    keptBecause:
      "while an auction is open, its bids may be decided again without somebody's, so that what was public counts",
    erase: [
      ({ id }) => sql`
        delete from auction_limit using auction_product
        where bidder_id = ${id} and auction_product.id = product_id and state <> 'open'`,
      ({ id }) => sql`
        update auction_limit set amount = least(auction_limit.amount, auction_bidder.amount), salt = null
        from auction_bidder
        where auction_limit.bidder_id = ${id} and auction_bidder.bidder_id = auction_limit.bidder_id
          and auction_bidder.product_id = auction_limit.product_id`,
      ({ id }) => sql`update auction_bidding set leader_limit = price where highest_bidder_id = ${id}`,
    ],
  },
  {
    table: auctions.auctionBidder,
    omittedBecause: "It only gathers your bids, which are listed one by one.",
    keptBecause: "it gathers the bids that stay",
  },
];
