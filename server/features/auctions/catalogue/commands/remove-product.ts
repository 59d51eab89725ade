import { eq } from "drizzle-orm";
import { decideRemoval, removalReasonProblem } from "#domain/auction-removal.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, auctionProduct } from "../../tables.ts";
import { databaseTime } from "../queries/database-time.ts";
import { takeOffSale } from "./take-off-sale.ts";

/** `notFound` is also said to whoever may not remove it. `lastHours` and `sold`: its seller may not any more. */
export type RemovalResult =
  | { kind: "removed" | "notFound" | "notAllowed" | "lastHours" | "sold" }
  | { kind: "problem"; problem: Problem };

/**
 * Takes a product off sale (docs/product.md, "Taking an item off sale"): its seller's doing, or an admin's with
 * a reason that seller and bidders read. Its bids stay for the record.
 */
export async function removeProduct(
  services: Services,
  actor: Actor,
  productId: string,
  reason: string,
): Promise<RemovalResult> {
  const result = await services.database.transaction((tx) => remove(services, tx, actor, productId, reason));
  if (result.kind === "removed") services.products.changed([productId]);
  return result;
}

async function remove(
  services: Services,
  tx: Transaction,
  actor: Actor,
  productId: string,
  typedReason: string,
): Promise<RemovalResult> {
  const standing = await lockStatus(tx, actor.userId);
  if (!standing || !mayTrade(standing)) return { kind: "notAllowed" };
  const product = await lockProduct(tx, productId);
  if (!product) return { kind: "notFound" };
  const { sellerId } = product;
  const asker = { isAdmin: isAdmin(standing), isSeller: sellerId === actor.userId };
  const now = await databaseTime(tx);
  const outcome = decideRemoval(product, asker, now);
  if (outcome.kind !== "removed") return outcome;
  const { by } = outcome;
  const problem = by === "admin" ? removalReasonProblem(typedReason) : null;
  if (problem) return { kind: "problem", problem };
  const reason = by === "admin" ? typedReason.trim() : "";
  await takeOffSale(services, tx, actor, [productId], { by, reason, now, sellerId });
  if (by === "admin" && sellerId !== null && sellerId !== actor.userId)
    await notify(services, tx, {
      userId: sellerId,
      kind: "ownAuctionRemoved",
      eventKey: `own-auction-removed:${productId}`,
      about: { product: product.productName, reason },
      path: "/product-list",
    });
  return { kind: "removed" };
}

/** The product as it is once its bidding is locked. */
async function lockProduct(tx: Transaction, productId: string) {
  const [bidding] = await tx
    .select({ bidCount: auctionBidding.bidCount })
    .from(auctionBidding)
    .where(eq(auctionBidding.productId, productId))
    .for("update");
  // Read after the wait for the lock: the close may have been faster.
  const [product] = await tx
    .select({
      sellerId: auctionProduct.sellerId,
      productName: auctionProduct.productName,
      state: auctionProduct.state,
      endDate: auctionProduct.endDate,
    })
    .from(auctionProduct)
    .where(eq(auctionProduct.id, productId));
  return bidding && product ? { ...product, bidCount: bidding.bidCount } : null;
}
