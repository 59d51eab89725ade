import { eq } from "drizzle-orm";
import { auctionTexts } from "#domain/auction.ts";
import { decideRemoval, removalMessages, removalReasonProblem } from "#domain/auction-removal.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, auctionProduct } from "../../tables.ts";
import { databaseTime } from "../queries/database-time.ts";
import { takeOffSale } from "./take-off-sale.ts";

/**
 * Takes a product off sale (docs/product.md, "Taking an item off sale"): its seller's doing, or an admin's with
 * a reason that seller and bidders read. Its bids stay for the record.
 */
export async function removeProduct(
  services: Services,
  actor: Actor,
  productId: string,
  reason: string,
): Promise<void> {
  await services.database.transaction((tx) => remove(services, tx, actor, productId, reason));
}

async function remove(
  services: Services,
  tx: Transaction,
  actor: Actor,
  productId: string,
  typedReason: string,
): Promise<void> {
  const who = await lockActor(tx, actor, mayTrade);
  const product = await lockProduct(tx, productId);
  const now = await databaseTime(tx);
  if (!product) throw notFound();
  const { sellerId } = product;
  const outcome = decideRemoval(product, { isAdmin: isAdmin(who), isSeller: sellerId === who.id }, now);
  if (outcome.kind === "notFound") throw notFound();
  if (outcome.kind !== "removed")
    throw new Refusal("failed-precondition", { message: removalMessages[outcome.kind] });
  const { by } = outcome;
  const problem = by === "admin" ? removalReasonProblem(typedReason) : null;
  if (problem) throw Refusal.of(problem);
  const reason = by === "admin" ? typedReason.trim() : "";
  await takeOffSale(services, tx, actor, [productId], { by, reason, now, sellerId });
  if (by === "admin" && sellerId !== null && sellerId !== actor.userId)
    await notify(services, tx, newsOfOwnRemoval(sellerId, { ...product, id: productId }, reason));
}

type RemovedProduct = { id: string; productName: string };

export const newsOfOwnRemoval = (
  userId: string,
  { id, productName }: RemovedProduct,
  reason: string,
): News => ({
  userId,
  kind: "ownAuctionRemoved",
  eventKey: `own-auction-removed:${id}`,
  about: { product: productName, reason },
  ids: { productId: id },
  path: "/product-list",
});

/** Also the answer to whoever may not remove it. */
const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });

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
