import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { VoidRequest } from "#contract/sale-views.ts";
import { hasEnded } from "#domain/auction-end.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import { productPath } from "#protocol/addresses.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { activeAdmins, lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { checkedReason } from "../checked-reason.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../tables.ts";
import { bidderAt } from "./locked-bidding.ts";
import { refuseInvolved } from "./own-matter.ts";
import { voidRequest } from "./tables.ts";

type Parts = Pick<Services, "database" | "jobs" | "live">;

const requestedBefore = "You have asked about this bidder already.";

/** Asks administrators, as the seller, to void all bids by the bidder of bid `number`. */
export async function askToVoid(
  services: Parts,
  actor: Actor,
  { productId, number, reason: typedReason }: { productId: string; number: number; reason: string },
): Promise<void> {
  const reason = checkedReason(typedReason);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const [product] = await tx
      .select({
        sellerId: auctionProduct.sellerId,
        productName: auctionProduct.productName,
        open: auctionBidding.open,
        endDate: auctionBidding.endsAt,
      })
      .from(auctionProduct)
      .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
      .where(eq(auctionProduct.id, productId))
      // The close ends all existing requests, so none may be added meanwhile.
      .for("share", { of: auctionBidding });
    if (product?.sellerId !== actor.userId) throw new Refusal("not-found");
    const bidderId = await bidderAt(tx, productId, number);
    if (bidderId === null) throw new Refusal("not-found");
    const now = await databaseTime(tx);
    if (!product.open || hasEnded(product.endDate, now) || !(await hasBids(tx, productId, bidderId)))
      throw Refusal.conflict();
    const [request] = await tx
      .insert(voidRequest)
      .values({ productId, bidderId, reason, at: now })
      .onConflictDoNothing()
      .returning({ id: voidRequest.id });
    if (!request) throw new Refusal("already-exists", { message: requestedBefore });
    await recordAudit(tx, {
      action: "void-requested",
      actorId: actor.userId,
      subjectId: bidderId,
      address: actor.address,
      detail: { product: productId, reason },
    });
    const admins = await activeAdmins(tx);
    await notify(
      services,
      tx,
      ...admins.map((userId) => ({
        userId,
        kind: "voidRequested" as const,
        eventKey: `void-requested:${request.id}`,
        about: { product: product.productName, reason },
        ids: { productId },
        path: "/admin/disputes",
      })),
    );
  });
}

/** Whether a bidder has bids on a product that count. */
async function hasBids(tx: Transaction, productId: string, bidderId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: auctionBidder.bidderId })
    .from(auctionBidder)
    .where(
      and(
        eq(auctionBidder.productId, productId),
        eq(auctionBidder.bidderId, bidderId),
        eq(auctionBidder.withdrawn, false),
      ),
    );
  return rows.length > 0;
}

/** Lets the bids stay, as an admin, with a reason that the seller sees. */
export async function declineVoid(
  services: Parts,
  actor: Actor,
  requestId: string,
  typedReason: string,
): Promise<void> {
  const reason = checkedReason(typedReason);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [request] = await tx.select().from(voidRequest).where(eq(voidRequest.id, requestId)).for("update");
    if (!request) throw new Refusal("not-found");
    if (request.closedAt !== null) throw Refusal.conflict();
    const { productId, bidderId } = request;
    await refuseInvolved(tx, productId, actor.userId);
    await tx.update(voidRequest).set({ closedAt: sql`now()` }).where(eq(voidRequest.id, requestId));
    await recordAudit(tx, {
      action: "void-declined",
      actorId: actor.userId,
      subjectId: bidderId,
      address: actor.address,
      detail: { product: productId, reason },
    });
    const [product] = await tx
      .select({ sellerId: auctionProduct.sellerId, productName: auctionProduct.productName })
      .from(auctionProduct)
      .where(eq(auctionProduct.id, productId));
    if (product?.sellerId)
      await notify(
        services,
        tx,
        notificationOfDeclined({ id: requestId, productId }, product.sellerId, {
          product: product.productName,
          reason,
        }),
      );
  });
}

/** Returns the notification that the bids stay, without a reason if no administrator has reviewed the request. */
const notificationOfDeclined = (
  { id, productId }: { id: string; productId: string },
  userId: string,
  about: { product: string; reason?: string },
): NewNotification => ({
  userId,
  kind: "voidDeclined",
  eventKey: `void-declined:${id}`,
  about,
  ids: { productId },
  path: productPath(productId),
});

type ClosedAuction = { id: string; sellerId: string | null; productName: string };

/** Ends the requests that nobody answered before the close. Returns the notifications for their sellers. */
export async function endVoidRequests(
  tx: Transaction,
  auctions: readonly ClosedAuction[],
): Promise<NewNotification[]> {
  const ended = await tx
    .update(voidRequest)
    .set({ closedAt: sql`now()` })
    .where(
      and(
        inArray(
          voidRequest.productId,
          auctions.map(({ id }) => id),
        ),
        isNull(voidRequest.closedAt),
      ),
    )
    .returning({ id: voidRequest.id, productId: voidRequest.productId });
  return ended.flatMap((request) => {
    const auction = auctions.find(({ id }) => id === request.productId);
    return auction?.sellerId
      ? [notificationOfDeclined(request, auction.sellerId, { product: auction.productName })]
      : [];
  });
}

/** Lists the pending requests of open auctions, the oldest first. */
export async function listVoidRequests(db: Reader): Promise<VoidRequest[]> {
  return await db
    .select({
      id: voidRequest.id,
      productId: voidRequest.productId,
      productName: auctionProduct.productName,
      bidder: user.name,
      number: sql<number | null>`case when not ${auctionBidder.withdrawn} then (
        select max(number) from auction_bid
        where product_id = ${voidRequest.productId} and bidder_id = ${voidRequest.bidderId} and kind in ('bid', 'auto')) end`,
      amount: auctionBidder.amount,
      reason: voidRequest.reason,
      at: voidRequest.at,
    })
    .from(voidRequest)
    .innerJoin(auctionProduct, eq(auctionProduct.id, voidRequest.productId))
    .innerJoin(user, eq(user.id, voidRequest.bidderId))
    .innerJoin(
      auctionBidder,
      and(
        eq(auctionBidder.productId, voidRequest.productId),
        eq(auctionBidder.bidderId, voidRequest.bidderId),
      ),
    )
    .where(and(isNull(voidRequest.closedAt), eq(auctionProduct.state, "open")))
    .orderBy(asc(voidRequest.at), asc(voidRequest.id))
    .limit(adminRowsPerPage);
}
