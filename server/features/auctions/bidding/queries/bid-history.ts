import { and, eq, ne } from "drizzle-orm";
import type { ShownBid } from "#contract/auctions.ts";
import { bidsPerPage } from "#protocol/page-sizes.ts";
import { paginate } from "#server/platform/cursor.ts";
import type { Services } from "#server/services.ts";
import { readBids } from "../../catalogue/queries/read-product.ts";
import { shownBid } from "../../catalogue/shown-product.ts";
import { auctionProduct } from "../../tables.ts";

/**
 * Bids of a product below a number, newest first, as everyone sees them; `next` is what to go on below, or null at the
 * first bid. Null for a product that was removed or never was.
 */
export async function olderBids(
  { database: { db }, products }: Pick<Services, "database" | "products">,
  productId: string,
  below: number,
  limit = bidsPerPage,
): Promise<{ bids: ShownBid[]; next: number | null } | null> {
  const [product, found] = await Promise.all([
    db
      .select({ id: auctionProduct.id })
      .from(auctionProduct)
      .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")))
      .prepare("product_exists")
      .execute(),
    readBids(db, productId, below - 1, bidsPerPage + 1),
  ]);
  if (product.length === 0) return null;
  const { rows, next } = paginate(found, limit, ({ number }) => number);
  return {
    bids: rows.map((bid) => shownBid(products.tagOf(productId, bid.bidderId), bid)),
    next,
  };
}
