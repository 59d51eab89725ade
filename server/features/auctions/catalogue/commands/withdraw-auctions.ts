import { and, eq } from "drizzle-orm";
import { hasEnded } from "#domain/bid.ts";
import type { LostAccount } from "#server/features/account/events.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, auctionProduct } from "../../tables.ts";
import { databaseTime } from "../queries/database-time.ts";
import { takeOffSale } from "./take-off-sale.ts";

/**
 * Withdraws the auctions of somebody whose account is lost (docs/product.md, "Losing access"): what has
 * not ended yet goes off sale, and its bidders are notified; what has ended is settled. In the transaction that takes the
 * account away, whose row the caller has locked, and before that row is deleted.
 */
export async function withdrawAuctions(
  services: Services,
  tx: Transaction,
  { id: sellerId, actor }: LostAccount,
): Promise<void> {
  const locked = await tx
    .select({ id: auctionBidding.productId, endDate: auctionProduct.endDate })
    .from(auctionBidding)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidding.productId))
    // By the row that is locked: after a wait, this is asked again of how it is then.
    .where(and(eq(auctionProduct.sellerId, sellerId), eq(auctionBidding.open, true)))
    .orderBy(auctionBidding.productId)
    .for("update", { of: auctionBidding });
  const now = await databaseTime(tx);
  const ids = locked.filter(({ endDate }) => !hasEnded(endDate, now)).map(({ id }) => id);
  await takeOffSale(services, tx, actor, ids, { by: "withdrawn", reason: "", now, sellerId });
}
