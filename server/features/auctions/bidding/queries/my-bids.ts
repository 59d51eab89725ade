import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { MyBid } from "#contract/auctions.ts";
import { type BidPosition, bidPositions } from "#domain/auction-list.ts";
import { ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { type Cursor, paginate, writeCursor } from "#server/platform/cursor.ts";
import type { Reader } from "#server/platform/database.ts";
import { firstPictures } from "../../pictures/queries.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../../tables.ts";

/** What is past its end and not settled yet stands as it stood. */
const positionOf = (bidderId: string): SQL<BidPosition> => sql`case ${auctionProduct.state}
  when 'open' then case when ${auctionBidding.highestBidderId} = ${bidderId} then 'winning' else 'outbid' end
  when 'sold' then case when ${auctionProduct.winnerId} = ${bidderId} then 'won' else 'lost' end
  when 'unsold' then 'lost'
  else 'removed' end`;

const milliseconds = (moment: AnyPgColumn): SQL => sql`(extract(epoch from ${moment}) * 1000)::bigint`;

/**
 * The order as one number: by position, so that no page begins before a group is complete; then, of those that are
 * open, what ends first, and of the others what was begun last. A time in milliseconds has 13 digits.
 */
const keyOf = (position: SQL): SQL<string> => sql`
  array_position(${`{${bidPositions.join()}}`}::text[], ${position}) * 100000000000000 + case ${auctionProduct.state}
    when 'open' then ${milliseconds(auctionProduct.endDate)}
    else 10000000000000 - ${milliseconds(auctionBidder.since)} end`;

function readPage(db: Reader, bidderId: string, after: Cursor | null) {
  const position = positionOf(bidderId);
  const key = keyOf(position);
  return db
    .select({
      productId: auctionBidder.productId,
      productName: auctionProduct.productName,
      position,
      removedBy: auctionProduct.removedBy,
      removalReason: auctionProduct.removalReason,
      amount: auctionBidder.amount,
      // Whoever bid the most may not be who bought it.
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      state: auctionProduct.state,
      endDate: auctionProduct.endDate,
      since: auctionBidder.since,
      key,
    })
    .from(auctionBidder)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidder.productId))
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionBidder.productId))
    .where(
      and(
        eq(auctionBidder.bidderId, bidderId),
        after ? sql`(${key}, ${auctionBidder.productId}) > (${after.key}::bigint, ${after.id})` : undefined,
      ),
    )
    .orderBy(asc(key), asc(auctionBidder.productId))
    .limit(ownAuctionsPerPage + 1)
    .prepare(after ? "my_bids_further" : "my_bids")
    .execute();
}

/** What somebody bids for, in the groups of My bids; `next` is null on the last page. */
export async function listMyBids(
  db: Reader,
  bidderId: string,
  after: Cursor | null,
  limit = ownAuctionsPerPage,
) {
  const found = await readPage(db, bidderId, after);
  const { rows, next } = paginate(found, limit, ({ key, productId }) => writeCursor(key, productId));
  const pictures = await firstPictures(
    db,
    rows.map(({ productId }) => productId),
  );
  const bids = rows.map(
    (row): MyBid => ({
      productId: row.productId,
      productName: row.productName,
      picture: pictures.get(row.productId) ?? null,
      position: row.position,
      removedBy: row.removedBy,
      reason: row.removalReason ?? "",
      amount: row.amount,
      price: row.price,
      sold: row.state === "sold",
      endDate: row.endDate.getTime(),
      since: row.since.getTime(),
    }),
  );
  return { bids, next };
}
