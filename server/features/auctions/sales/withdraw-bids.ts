import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { auctionTexts } from "#domain/auction.ts";
import { hasEnded } from "#domain/auction-end.ts";
import { bidTexts } from "#domain/bid.ts";
import {
  decideWithdrawal,
  replay,
  type WithdrawalMode,
  withdrawalRefusalText,
} from "#domain/bid-withdrawal.ts";
import type { Cents } from "#domain/money.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { timeOfNextRow } from "../catalogue/database-time.ts";
import { checkedReason } from "../checked-reason.ts";
import { type BidServices, carryOut } from "./carry-out-withdrawal.ts";
import { bidderAt, lockBidding, readAttempts } from "./locked-bidding.ts";
import { refuseInvolved } from "./own-matter.ts";
import { bidWithdrawal, voidRequest } from "./tables.ts";

/**
 * Withdraws all of the actor's bids on a product and, after a slip, bids the intended amount if that is still valid.
 * That bid gets the key; a repeated call with this key changes nothing.
 */
export async function withdrawBids(
  services: BidServices & { environment: { bidWithdrawal: WithdrawalMode } },
  actor: Actor,
  { productId, instead, key }: { productId: string; instead: Cents | null; key: string },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { id: bidderId } = await lockActor(tx, actor, mayTrade);
    const bidding = await lockBidding(tx, productId);
    const use = await useOfKey(tx, { productId, bidderId, instead, key });
    if (use === "other") throw new Refusal("already-exists", { message: bidTexts.keyReused });
    if (use === "same") return;
    if (!bidding) throw notFound();
    const now = await timeOfNextRow(tx, productId);
    const attempts = await readAttempts(tx, productId);
    const own = attempts.findLast((each) => each.bidderId === bidderId);
    const replayed = replay(bidding, attempts);
    const withdrawals = await withdrawalsOf(tx, bidderId);
    const met = replayed.met.get(bidderId);
    const outcome = decideWithdrawal(
      {
        mode: services.environment.bidWithdrawal,
        bidding,
        own: own && met ? { amount: own.amount, at: own.at, met: met.price, before: met.bound } : null,
        instead,
        withdrawals,
      },
      now,
    );
    if (outcome.kind !== "withdrawn")
      throw new Refusal("failed-precondition", { message: withdrawalRefusalText(outcome) });
    const { form } = outcome;
    const intended = form === "slip" ? instead : null;
    await carryOut(services, tx, {
      bidding,
      attempts,
      bidderId,
      form,
      instead: intended,
      key,
      reason: "",
      actor,
      now,
    });
  });
}

const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });

type ReplacementBid = { productId: string; bidderId: string; instead: Cents | null; key: string };

/** Returns how a bidder's key was used so far: `same` means for this replacement of withdrawn bids. */
async function useOfKey(
  tx: Transaction,
  { productId, bidderId, instead, key }: ReplacementBid,
): Promise<"none" | "same" | "other"> {
  const { rows } = await tx.execute<{ same: boolean | null }>(sql`
    select b.product_id = ${productId} and b.amount = ${instead} and exists (
      select from bid_withdrawal w where w.product_id = b.product_id and w.bidder_id = b.bidder_id
        and w.at = b.created_at and w.intended_amount = b.amount) as same
    from auction_bid b where b.bidder_id = ${bidderId} and b.idempotency_key = ${key}
    union all
    select false from auction_limit where bidder_id = ${bidderId} and idempotency_key = ${key}`);
  const [row] = rows;
  if (!row) return "none";
  return row.same === true ? "same" : "other";
}

const withdrawalsOf = async (tx: Transaction, bidderId: string): Promise<Date[]> => {
  const rows = await tx
    .select({ at: bidWithdrawal.at })
    .from(bidWithdrawal)
    .where(and(eq(bidWithdrawal.bidderId, bidderId), ne(bidWithdrawal.form, "admin")));
  return rows.map(({ at }) => at);
};

/** Voids all bids by the bidder of bid `number`, as an admin, for a reason that everyone sees. */
export async function voidBids(
  services: BidServices,
  actor: Actor,
  { productId, number, reason: typedReason }: { productId: string; number: number; reason: string },
): Promise<void> {
  const reason = checkedReason(typedReason);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const bidding = await lockBidding(tx, productId);
    const bidderId = await bidderAt(tx, productId, number);
    if (!bidding || bidderId === null) throw notFound();
    await refuseInvolved(tx, productId, actor.userId);
    const now = await timeOfNextRow(tx, productId);
    const attempts = await readAttempts(tx, productId);
    if (
      !bidding.open ||
      hasEnded(bidding.endDate, now) ||
      !attempts.some((each) => each.bidderId === bidderId)
    )
      throw Refusal.conflict();
    await carryOut(services, tx, {
      bidding,
      attempts,
      bidderId,
      form: "admin",
      instead: null,
      key: null,
      reason,
      actor,
      now,
    });
    await closeRequest(tx, productId, bidderId);
  });
}

/** Closes the request about a bidder whose bids were voided. */
async function closeRequest(tx: Transaction, productId: string, bidderId: string): Promise<void> {
  await tx
    .update(voidRequest)
    .set({ closedAt: sql`now()` })
    .where(
      and(
        eq(voidRequest.productId, productId),
        eq(voidRequest.bidderId, bidderId),
        isNull(voidRequest.closedAt),
      ),
    );
}
