import { and, desc, eq, ne } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import type { Services } from "#server/services.ts";
import { contactFor } from "../../settlement/queries/contact.ts";
import { auctionBidder, auctionProduct } from "../../tables.ts";

/** Bidders whose names a seller sees at once: more than the bids that the page shows. */
const mostNames = 200;

type Parts = Pick<Services, "database" | "products">;

/** The names behind the tags, for the seller (docs/product.md, "Names"). */
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
    .limit(mostNames)
    .prepare("bidder_names")
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [products.tagOf(productId, id), name]));
}

/** What a product's page shows to one viewer alone; null for what was removed or never was. */
export async function readRelation(parts: Parts, productId: string, viewerId: string) {
  const { db } = parts.database;
  const [product] = await db
    .select({ sellerId: auctionProduct.sellerId, ownBid: auctionBidder.amount })
    .from(auctionProduct)
    .leftJoin(
      auctionBidder,
      and(eq(auctionBidder.productId, auctionProduct.id), eq(auctionBidder.bidderId, viewerId)),
    )
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")))
    .prepare("viewer_relation")
    .execute();
  if (!product) return null;
  const isSeller = product.sellerId === viewerId;
  const [names, contact] = await Promise.all([
    isSeller ? bidderNames(parts, productId) : {},
    contactFor(db, productId, viewerId),
  ]);
  return { tag: parts.products.tagOf(productId, viewerId), isSeller, ownBid: product.ownBid, names, contact };
}
