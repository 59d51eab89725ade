import { and, eq, inArray, sql } from "drizzle-orm";
import { isBound } from "#domain/account.ts";
import { auctionTexts, type Remover } from "#domain/auction.ts";
import { decideRemoval, removalMessages } from "#domain/auction-removal.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, type AuditEntry, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { bidTopic } from "../bidding/outbid.ts";
import { checkedReason } from "../checked-reason.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../tables.ts";
import { databaseTime } from "./database-time.ts";

/** Rows per statement: PostgreSQL accepts at most 65,535 values. */
const batchSize = 1000;

/**
 * Takes a product off sale (docs/product.md, "Taking an item off sale"), as its seller, or as an admin with a reason
 * that seller and bidders see. Its bids stay for the record.
 */
export async function removeProduct(
  services: Services,
  actor: Actor,
  productId: string,
  typedReason: string,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const account = await lockActor(tx, actor, mayTrade);
    const product = await lockProduct(tx, productId);
    const now = await databaseTime(tx);
    if (!product) throw notFound();
    const { sellerId } = product;
    const outcome = decideRemoval(
      product,
      { isAdmin: isAdmin(account), isSeller: sellerId === account.id },
      now,
    );
    if (outcome.kind === "notFound") throw notFound();
    if (outcome.kind !== "removed")
      throw new Refusal("failed-precondition", { message: removalMessages[outcome.kind] });
    const { by } = outcome;
    const reason = by === "admin" ? checkedReason(typedReason) : "";
    await takeOffSale(services, tx, actor, [productId], { by, reason, now, sellerId });
    if (by === "admin" && sellerId !== null && sellerId !== actor.userId)
      await notify(services, tx, notificationOfOwnRemoval(sellerId, { ...product, id: productId }, reason));
  });
}

/** People who may not remove a product get this answer too. */
const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });

/** Locks a product's bidding, and then reads the product. */
async function lockProduct(tx: Transaction, productId: string) {
  const [bidding] = await tx
    // Without a leader no bid counts, and none binds the seller.
    .select({
      endDate: auctionBidding.endsAt,
      bidCount: sql<number>`case when ${auctionBidding.highestBidderId} is null then 0 else ${auctionBidding.bidCount} end`,
    })
    .from(auctionBidding)
    .where(eq(auctionBidding.productId, productId))
    .for("update");
  // This is read after waiting for the lock, because the close may have come first.
  const [product] = await tx
    .select({
      sellerId: auctionProduct.sellerId,
      productName: auctionProduct.productName,
      state: auctionProduct.state,
    })
    .from(auctionProduct)
    .where(eq(auctionProduct.id, productId));
  return bidding && product ? { ...product, ...bidding } : null;
}

/** `now` is the database's time under the locks; `reason` is an admin's. */
type Removal = { by: Remover; reason: string; now: Date; sellerId: string | null };

/**
 * Takes products off sale whose bidding the caller has locked. Notifies their bidders and writes the audit log. `actor`
 * is null when the server does it automatically.
 */
export async function takeOffSale(
  services: Services,
  tx: Transaction,
  actor: Actor | null,
  ids: string[],
  { by, reason, now, sellerId }: Removal,
): Promise<void> {
  // This comes before the products are changed, so that no deletion of an account waits for that change.
  await notifyBidders(services, tx, ids, (bidder) => notificationOfRemoval(bidder, reason));
  await tx
    .update(auctionProduct)
    .set({ state: "removed", closedAt: now, removedBy: by, removalReason: reason || null })
    .where(inArray(auctionProduct.id, ids));
  await tx
    .update(auctionBidding)
    .set({ open: false, version: sql`${auctionBidding.version} + 1` })
    .where(inArray(auctionBidding.productId, ids));
  const entries = ids.map(
    (product): AuditEntry => ({
      action: "product-removed",
      actorId: actor?.userId ?? null,
      subjectId: sellerId,
      ...(actor && { address: actor.address }),
      detail: { product, by, ...(reason && { reason }) },
    }),
  );
  for (let at = 0; at < entries.length; at += batchSize)
    await recordAudit(tx, ...entries.slice(at, at + batchSize));
  tx.afterCommit(() => services.products.changed(ids));
}

type Cursor = { productId: string; bidderId: string };

/** Selects a page of the products' bidders, and locks their accounts against deletion until the transaction ends. */
function biddersAfter(tx: Transaction, productIds: string[], after: Cursor | undefined) {
  const { productId, bidderId } = auctionBidder;
  return tx
    .select({
      productId,
      bidderId,
      productName: auctionProduct.productName,
      role: user.role,
      status: user.status,
    })
    .from(auctionBidder)
    .innerJoin(auctionProduct, eq(auctionProduct.id, productId))
    .innerJoin(user, eq(user.id, bidderId))
    .where(
      and(
        inArray(productId, productIds),
        eq(auctionBidder.withdrawn, false),
        after && sql`(${productId}, ${bidderId}) > (${after.productId}, ${after.bidderId})`,
      ),
    )
    .orderBy(productId, bidderId)
    .limit(batchSize)
    .for("key share", { of: user });
}

/** Notifies all bidders on these products, page by page. */
export async function notifyBidders(
  services: Services,
  tx: Transaction,
  productIds: string[],
  notificationOf: (bidder: ReachedBidder) => NewNotification,
): Promise<void> {
  let last: Cursor | undefined;
  do {
    const page = await biddersAfter(tx, productIds, last);
    await notify(services, tx, ...page.filter(isBound).map(notificationOf));
    // Only the last page is not full.
    last = page[batchSize - 1];
  } while (last);
}

type ReachedBidder = Cursor & { productName: string };

export const notificationOfRemoval = (
  { productId, bidderId, productName }: ReachedBidder,
  reason: string,
): NewNotification => ({
  userId: bidderId,
  kind: "auctionRemoved",
  eventKey: `auction-removed:${productId}`,
  topic: bidTopic(productId),
  about: { product: productName, ...(reason && { reason }) },
  ids: { productId },
  path: "/my-bids",
});

type RemovedProduct = { id: string; productName: string };

export const notificationOfOwnRemoval = (
  userId: string,
  { id, productName }: RemovedProduct,
  reason: string,
): NewNotification => ({
  userId,
  kind: "ownAuctionRemoved",
  eventKey: `own-auction-removed:${id}`,
  about: { product: productName, reason },
  ids: { productId: id },
  path: "/product-list",
});
