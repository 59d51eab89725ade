import { and, desc, eq, ne } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import type { Services } from "#server/services.ts";
import { contactFor } from "../../settlement/queries/contact.ts";
import { auctionBidder, auctionProduct } from "../../tables.ts";

/** Bidders whose names a seller sees at once: more than the bids that the page shows. */
const mostNames = 200;

type Parts = Pick<Services, "database" | "products">;

/** The names behind the tags, for the seller (product decisions, "Bidder names"). */
async function bidderNames(
  { database, products }: Parts,
  productId: string,
): Promise<Record<string, string>> {
  const rows = await database.db
    .select({ id: user.id, name: user.name })
    .from(auctionBidder)
    .innerJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(eq(auctionBidder.productId, productId))
    .orderBy(desc(auctionBidder.number))
    .limit(mostNames);
  return Object.fromEntries(rows.map(({ id, name }) => [products.tagOf(productId, id), name]));
}

/** How somebody stands to a product; null for what was removed or never was. */
export async function readStanding(parts: Parts, productId: string, viewerId: string) {
  const { db } = parts.database;
  const [product] = await db
    .select({ sellerId: auctionProduct.sellerId, ownBid: auctionBidder.amount })
    .from(auctionProduct)
    .leftJoin(
      auctionBidder,
      and(eq(auctionBidder.productId, auctionProduct.id), eq(auctionBidder.bidderId, viewerId)),
    )
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")));
  if (!product) return null;
  const isSeller = product.sellerId === viewerId;
  const [names, contact] = await Promise.all([
    isSeller ? bidderNames(parts, productId) : {},
    contactFor(db, productId, viewerId),
  ]);
  return { tag: parts.products.tagOf(productId, viewerId), isSeller, ownBid: product.ownBid, names, contact };
}
