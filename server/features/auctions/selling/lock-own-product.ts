import { eq } from "drizzle-orm";
import type { Transaction } from "#server/platform/database.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";

export type OwnLockedProduct = NonNullable<Awaited<ReturnType<typeof lockOwnProduct>>>;

/** Locks a product's bidding, as bids do, and then reads the product. Returns null for one that never existed. */
export async function lockOwnProduct(tx: Transaction, productId: string) {
  const [bidding] = await tx
    .select({ endDate: auctionBidding.endsAt, bidCount: auctionBidding.bidCount })
    .from(auctionBidding)
    .where(eq(auctionBidding.productId, productId))
    .for("update");
  // This is read after waiting for the lock, because the close or another edit may have come first.
  const [product] = await tx
    .select({
      sellerId: auctionProduct.sellerId,
      state: auctionProduct.state,
      productName: auctionProduct.productName,
      description: auctionProduct.description,
      startingBid: auctionProduct.startingBid,
      category: auctionProduct.category,
      subcategory: auctionProduct.subcategory,
      grade: auctionProduct.grade,
      handover: auctionProduct.handover,
      collectionPlace: auctionProduct.collectionPlace,
      courier: auctionProduct.courier,
      softClose: auctionProduct.softClose,
      sellerTag: auctionProduct.sellerTag,
    })
    .from(auctionProduct)
    .where(eq(auctionProduct.id, productId));
  return bidding && product ? { ...product, ...bidding } : null;
}
