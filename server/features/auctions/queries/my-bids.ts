import { and, desc, eq, sql } from "drizzle-orm";
import type { MyBid } from "#contract/auctions.ts";
import type { AuctionState } from "#domain/auction.ts";
import { ownAuctionsPerPage } from "#domain/auction-list.ts";
import type { Database } from "#server/platform/database.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../tables.ts";
import { firstPictures } from "./first-pictures.ts";

type Reader = Database["db"];
/** Where a page goes on: after a product that was first bid on at `date`. */
type Place = { date: Date; id: string };

const readPage = (db: Reader, bidderId: string, after: Place | null) =>
  db
    .select({
      productId: auctionBidder.productId,
      productName: auctionProduct.productName,
      state: auctionProduct.state,
      removedBy: auctionProduct.removedBy,
      removalReason: auctionProduct.removalReason,
      winnerId: auctionProduct.winnerId,
      highestBidderId: auctionBidding.highestBidderId,
      amount: auctionBidder.amount,
      // Whoever bid the most may not be who bought it.
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      endDate: auctionProduct.endDate,
      since: auctionBidder.since,
    })
    .from(auctionBidder)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidder.productId))
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionBidder.productId))
    .where(
      and(
        eq(auctionBidder.bidderId, bidderId),
        after
          ? sql`(${auctionBidder.since}, ${auctionBidder.productId}) < (${after.date.toISOString()}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(auctionBidder.since), desc(auctionBidder.productId))
    .limit(ownAuctionsPerPage + 1);

type Row = Awaited<ReturnType<typeof readPage>>[number];

/** What is past its end and not settled yet stands as it stood. */
const standings: Record<AuctionState, (row: Row, bidderId: string) => MyBid["standing"]> = {
  open: ({ highestBidderId }, bidderId) => (highestBidderId === bidderId ? "winning" : "outbid"),
  sold: ({ winnerId }, bidderId) => (winnerId === bidderId ? "won" : "lost"),
  unsold: () => "lost",
  removed: () => "removed",
};

/** What somebody bids for, most recently begun first; `next` is null on the last page. */
export async function listMyBids(db: Reader, bidderId: string, after: Place | null) {
  const found = await readPage(db, bidderId, after);
  const rows = found.slice(0, ownAuctionsPerPage);
  const pictures = await firstPictures(
    db,
    rows.map(({ productId }) => productId),
  );
  const bids = rows.map(
    (row): MyBid => ({
      productId: row.productId,
      productName: row.productName,
      picture: pictures.get(row.productId) ?? null,
      standing: standings[row.state](row, bidderId),
      removedBy: row.removedBy,
      reason: row.removalReason ?? "",
      amount: row.amount,
      price: row.price,
      endDate: row.endDate,
      since: row.since,
    }),
  );
  const last = rows.at(-1);
  const isMore = found.length > rows.length && last !== undefined;
  return { bids, next: isMore ? { date: last.since, id: last.productId } : null };
}
