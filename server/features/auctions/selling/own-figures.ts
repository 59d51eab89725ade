import { and, eq, inArray, sql } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";

/** Counts and sums somebody's own products: highest bids of open ones, prices of sold ones. */
export async function readOwnFigures(db: Reader, sellerId: string) {
  const bids = sql`case when ${auctionBidding.bidCount} > 0 then ${auctionBidding.price} else 0 end`;
  const rows = await db
    .select({
      state: auctionProduct.state,
      count: sql<number>`count(*)::int`,
      sum: sql<number>`coalesce(sum(case when ${auctionProduct.state} = 'open' then ${bids} else ${auctionProduct.winningBid} end), 0)`.mapWith(
        Number,
      ),
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(
      and(eq(auctionProduct.sellerId, sellerId), inArray(auctionProduct.state, ["open", "unsold", "sold"])),
    )
    .groupBy(auctionProduct.state)
    .prepare("own_figures")
    .execute();
  const of = (state: "open" | "unsold" | "sold") => {
    const row = rows.find((each) => each.state === state);
    return { count: row?.count ?? 0, sum: row?.sum ?? 0 };
  };
  return { open: of("open"), unsold: of("unsold").count, sold: of("sold") };
}
