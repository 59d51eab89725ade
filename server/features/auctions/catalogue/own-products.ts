import { and, eq, ne, sql } from "drizzle-orm";
import type { OwnProduct } from "#contract/auctions.ts";
import { ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import type { Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { firstPictures } from "../pictures/queries.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";

const newest = descending(auctionProduct.createdAt, auctionProduct.id);
export const ownProductCursor = cursorForm("time", "uuid");

/** The state that the seller sees. `ended`: the auction's time is over, and it is about to be settled. */
const shownState = sql<OwnProduct["state"]>`case
  when ${auctionProduct.state} = 'open' and ${auctionBidding.endsAt} <= clock_timestamp() then 'ended'
  else ${auctionProduct.state} end`;

const readPage = (db: Reader, sellerId: string, after: Cursor | null) =>
  db
    .select({
      id: auctionProduct.id,
      productName: auctionProduct.productName,
      category: auctionProduct.category,
      subcategory: auctionProduct.subcategory,
      grade: auctionProduct.grade,
      state: shownState,
      // The highest bidder may not be the buyer, so a sale shows its own price.
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      bidCount: auctionBidding.bidCount,
      endDate: auctionBidding.endsAt,
      createdAt: auctionProduct.createdAt,
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(
      and(eq(auctionProduct.sellerId, sellerId), ne(auctionProduct.state, "removed"), newest.after(after)),
    )
    .orderBy(...newest.by)
    .limit(ownAuctionsPerPage + 1)
    .prepare(after ? "own_products_further" : "own_products")
    .execute();

/** Lists somebody's own products, newest first, without those taken off sale; `next` is null on the last page. */
export async function listOwnProducts(
  db: Reader,
  sellerId: string,
  after: Cursor | null,
  limit = ownAuctionsPerPage,
) {
  const candidates = await readPage(db, sellerId, after);
  const { rows, next } = paginate(candidates, limit, ({ createdAt, id }) => writeCursor([createdAt, id]));
  const ids = rows.map(({ id }) => id);
  const pictures = await firstPictures(db, ids);
  const products = rows.map(
    (row): OwnProduct => ({
      id: row.id,
      productName: row.productName,
      category: row.category,
      subcategory: row.subcategory,
      grade: row.grade,
      state: row.state,
      price: row.price,
      bidCount: row.bidCount,
      endDate: row.endDate,
      createdAt: row.createdAt,
      picture: pictures.get(row.id) ?? null,
    }),
  );
  return { products, next };
}
