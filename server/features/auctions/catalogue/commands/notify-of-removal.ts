import { and, eq, inArray, sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { user } from "#server/features/account/tables.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidder, auctionProduct } from "../../tables.ts";

/** People who are notified by one statement. */
const pageSize = 1000;

type Parts = Pick<Services, "jobs" | "live">;
type Cursor = { productId: string; bidderId: string };

/** A page of those who bid for the products, kept from being deleted until the transaction ends. */
const biddersAfter = (tx: Transaction, productIds: readonly string[], after: Cursor | undefined) =>
  tx
    .select({
      productId: auctionBidder.productId,
      bidderId: auctionBidder.bidderId,
      productName: auctionProduct.productName,
      role: user.role,
      status: user.status,
    })
    .from(auctionBidder)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidder.productId))
    .innerJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(
      and(
        inArray(auctionBidder.productId, [...productIds]),
        after
          ? sql`(${auctionBidder.productId}, ${auctionBidder.bidderId}) > (${after.productId}, ${after.bidderId})`
          : undefined,
      ),
    )
    .orderBy(auctionBidder.productId, auctionBidder.bidderId)
    .limit(pageSize)
    .for("key share", { of: user });

/**
 * Notifies everyone who bid for these products that they are off sale, with an admin's reason where there is one. To be
 * called before the products themselves are changed: so nobody whose account is being deleted waits for that.
 */
export async function notifyBiddersOfRemoval(
  parts: Parts,
  tx: Transaction,
  productIds: readonly string[],
  reason = "",
): Promise<void> {
  if (productIds.length === 0) return;
  let last: Cursor | undefined;
  do {
    const page = await biddersAfter(tx, productIds, last);
    await notify(parts, tx, ...page.filter(hasAccess).map((bidder) => newsOfRemoval(bidder, reason)));
    // A page that is not full is the last one.
    last = page[pageSize - 1];
  } while (last);
}

type ReachedBidder = Cursor & { productName: string };

export const newsOfRemoval = ({ productId, bidderId, productName }: ReachedBidder, reason: string): News => ({
  userId: bidderId,
  kind: "auctionRemoved",
  eventKey: `auction-removed:${productId}`,
  about: { product: productName, ...(reason && { reason }) },
  ids: { productId },
  path: "/my-bids",
});
