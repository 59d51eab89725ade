import { and, eq } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { auctionBidder, auctionProduct } from "../tables.ts";

/** Returns the refusal for an admin who would decide about themselves. */
export const ownCaseRefusal = () =>
  new Refusal("permission-denied", {
    message: "This is about you. Please leave it to another administrator.",
  });

/** Refuses an admin who sells a product or has ever bid on it. */
export async function refuseInvolved(db: Reader, productId: string, adminId: string): Promise<void> {
  const [product] = await db
    .select({ sellerId: auctionProduct.sellerId, bidderId: auctionBidder.bidderId })
    .from(auctionProduct)
    .leftJoin(
      auctionBidder,
      and(eq(auctionBidder.productId, auctionProduct.id), eq(auctionBidder.bidderId, adminId)),
    )
    .where(eq(auctionProduct.id, productId));
  if (product && (product.sellerId === adminId || product.bidderId !== null)) throw ownCaseRefusal();
}
