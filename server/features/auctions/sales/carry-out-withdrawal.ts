import { and, eq, ne } from "drizzle-orm";
import { isBound } from "#domain/account.ts";
import type { Bidding } from "#domain/bid.ts";
import {
  type AcceptedAttempt,
  replay,
  type WithdrawalEffect,
  type WithdrawalForm,
  withdraw,
} from "#domain/bid-withdrawal.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { publicRows } from "../bidding/decide-batch.ts";
import { bidTopic } from "../bidding/outbid.ts";
import { saveStoppedLimits } from "../catalogue/save-stops.ts";
import { uncountedRows } from "../catalogue/valid-bids.ts";
import { auctionBid, auctionBidder, auctionBidding } from "../tables.ts";
import type { LockedBidding } from "./locked-bidding.ts";
import { inUtc } from "./sale-notifications.ts";
import { bidWithdrawal } from "./tables.ts";

export type BidServices = Pick<Services, "database" | "jobs" | "live" | "outbid"> & {
  products: Pick<Services["products"], "changed" | "tagOf">;
};

type Withdrawal = {
  bidding: LockedBidding;
  attempts: readonly AcceptedAttempt[];
  bidderId: string;
  form: WithdrawalForm;
  instead: Cents | null;
  /** The key of the replacement bid. */
  key: string | null;
  reason: string;
  actor: Actor;
  now: Date;
};

/** Removes a bidder's bids from an auction, with all consequences. The caller has locked its bidding. */
export async function carryOut(
  services: BidServices,
  tx: Transaction,
  withdrawal: Withdrawal,
): Promise<void> {
  const { bidding, attempts, bidderId, form, instead, reason, actor, now } = withdrawal;
  const { productId } = bidding;
  const rest = replay(
    bidding,
    attempts.filter((each) => each.bidderId !== bidderId),
  );
  const number = bidding.bidCount + 1;
  const outcome = withdraw(
    {
      bidding,
      bidderId,
      kind: form === "admin" ? "voided" : "withdrawn",
      rest: { bidding: await withoutLostLimit(tx, rest.bidding, { productId, number, at: now }) },
      instead,
      hasMovedEnd: await hasMovedEnd(tx, productId),
    },
    now,
  );
  await saveBidding(services, tx, withdrawal, outcome);
  await saveBidders(tx, withdrawal, outcome, rest);
  await tx.insert(bidWithdrawal).values({
    productId,
    number,
    bidderId,
    form,
    intendedAmount: instead,
    reason,
    at: now,
    by: actor.userId,
    movedEnd: outcome.movesEnd,
  });
  await tx
    .update(auctionBidding)
    .set({ uncounted: uncountedRows(productId) })
    .where(eq(auctionBidding.productId, productId));
  await recordAudit(tx, {
    action: form === "admin" ? "bids-voided" : "bids-withdrawn",
    actorId: actor.userId,
    subjectId: bidderId,
    address: actor.address,
    detail: { product: productId, ...(reason && { reason }) },
  });
  await notify(services, tx, ...(await notificationsOf(tx, withdrawal, outcome, number)));
  await services.live.publishTo([`notifications:${bidderId}`], "{}", tx);
  tx.afterCommit(() => services.products.changed([productId]));
  tx.afterCommit(() => services.outbid.after([productId]));
}

/**
 * Ends the limit of a leader whose account an admin has closed, so that it makes no further bids. `row` is the row of
 * the withdrawal.
 */
async function withoutLostLimit(
  tx: Transaction,
  bidding: Bidding,
  row: { productId: string; number: number; at: Date },
): Promise<Bidding> {
  const { highestBidderId: bidderId, highestBid: price, leaderLimit } = bidding;
  if (bidderId === null || price === null || leaderLimit === price) return bidding;
  const [leader] = await tx
    .select({ role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, bidderId));
  if (leader && isBound(leader)) return bidding;
  await saveStoppedLimits(tx, [{ ...row, bidderId, price }]);
  return { ...bidding, leaderLimit: price };
}

async function hasMovedEnd(tx: Transaction, productId: string): Promise<boolean> {
  const rows = await tx
    .select({ number: bidWithdrawal.number })
    .from(bidWithdrawal)
    .where(and(eq(bidWithdrawal.productId, productId), eq(bidWithdrawal.movedEnd, true)))
    .limit(1);
  return rows.length > 0;
}

async function saveBidding(
  { products }: BidServices,
  tx: Transaction,
  { bidding: before, key, now }: Withdrawal,
  { bids, bidding }: WithdrawalEffect,
): Promise<void> {
  const { rows, head } = publicRows(before, bids, now, products.tagOf, () => null);
  await tx.insert(auctionBid).values(
    rows.map(({ productId, number, bidderId, amount, kind, at, tag, hash, commitment }) => ({
      productId,
      number,
      bidderId,
      amount,
      kind,
      idempotencyKey: kind === "bid" ? key : null,
      createdAt: at,
      tag,
      hash,
      commitment,
    })),
  );
  await tx
    .update(auctionBidding)
    .set({
      price: bidding.highestBid ?? bidding.startingBid,
      highestBidderId: bidding.highestBidderId,
      leaderLimit: bidding.leaderLimit,
      endsAt: bidding.endDate,
      latestEnd: bidding.latestEnd,
      bidCount: bidding.bidCount,
      writtenTo: bidding.bidCount,
      version: before.version + rows.length,
      head,
    })
    .where(eq(auctionBidding.productId, before.productId));
}

/**
 * Sets every bidder's highest public bid that counts. The leader's bid gets the number of the withdrawal, so that a
 * leader isn't notified of being outbid.
 */
async function saveBidders(
  tx: Transaction,
  { bidding: before, bidderId }: Withdrawal,
  { bids, bidding }: WithdrawalEffect,
  rest: ReturnType<typeof replay>,
): Promise<void> {
  const { productId } = before;
  const since = before.bidCount + 1;
  const own = (id: string) => and(eq(auctionBidder.productId, productId), eq(auctionBidder.bidderId, id));
  await tx.update(auctionBidder).set({ withdrawn: true }).where(own(bidderId));
  for (const [id, amount] of rest.amounts) {
    const leads = rest.bidding.highestBidderId === id;
    await tx
      .update(auctionBidder)
      .set({ amount, ...(leads && { number: since, outbidAtOnce: false }) })
      .where(own(id));
  }
  for (const [place, bid] of bids.entries()) {
    if (place === 0) continue;
    const outbidAtOnce = bid.bidderId === bidderId && bidding.highestBidderId !== bidderId;
    await tx
      .update(auctionBidder)
      .set({ amount: bid.amount, number: since + place, outbidAtOnce, withdrawn: false })
      .where(own(bid.bidderId));
  }
}

/** Returns the notifications for the other bidders, the seller, and the bidder whose bids were voided. */
async function notificationsOf(
  tx: Transaction,
  { bidding: { productId, productName: product, sellerId }, bidderId, form, reason }: Withdrawal,
  { bidding, movesEnd }: WithdrawalEffect,
  number: number,
): Promise<NewNotification[]> {
  const bidders = await tx
    .select({ id: user.id, role: user.role, status: user.status, withdrawn: auctionBidder.withdrawn })
    .from(auctionBidder)
    .innerJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(and(eq(auctionBidder.productId, productId), ne(auctionBidder.bidderId, bidderId)));
  const shared = {
    eventKey: `bids-withdrawn:${productId}:${number}`,
    topic: bidTopic(productId),
    ids: { productId },
    path: productPath(productId),
  };
  const about = {
    product,
    ...(bidding.highestBid !== null && { price: formatMoney(bidding.highestBid) }),
    ...(movesEnd && { end: inUtc(bidding.endDate) }),
    ...(reason && { reason }),
  };
  const recipients = bidders.filter(isBound).map(({ id }) => id);
  const others = [...new Set([...recipients, ...(sellerId === null ? [] : [sellerId])])];
  const notifications = others.map(
    (userId): NewNotification => ({
      ...shared,
      userId,
      kind: "bidsWithdrawn",
      about: { ...about, ...(bidding.highestBidderId === userId && { leads: "yes" }) },
    }),
  );
  if (form !== "admin") return notifications;
  return [
    ...notifications,
    { ...shared, userId: bidderId, kind: "ownBidsVoided", about: { product, reason } },
  ];
}
