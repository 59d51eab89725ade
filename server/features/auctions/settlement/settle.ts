import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { type AccountStatus, isBound } from "#domain/account.ts";
import { type Candidate, type CloseOutcome, decideClose } from "#domain/auction-close.ts";
import { formatLongDate } from "#domain/date-format.ts";
import { contactEnds } from "#domain/deletion.ts";
import { formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { user } from "#server/features/account/tables.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { bidTopic } from "../bidding/outbid.ts";
import { recordSales } from "../sales/open-sale.ts";
import { endVoidRequests } from "../sales/void-requests.ts";
import { auctionBidder, auctionBidding, auctionProduct, type LockMode } from "../tables.ts";

/** Rows per statement: PostgreSQL accepts at most 65,535 values. */
const batchSize = 1000;

export type SettlingServices = Pick<Services, "database" | "jobs" | "live"> & {
  products: Pick<Services["products"], "changed">;
};
type SettlementKind = CloseOutcome["kind"];

/**
 * Settles the products that are due and not settled yet; skipped ones are missing from the result. Deciding, storing
 * and announcing happen in one transaction under the locks of their bidding, so exactly once, even after a crash.
 */
export async function settleTogether(
  services: SettlingServices,
  productIds: readonly string[],
  lockMode: LockMode,
): Promise<Map<string, SettlementKind>> {
  return await services.database.transaction(async (tx) => {
    const auctions = await lockBidding(tx, productIds, lockMode);
    const decisions = await decide(tx, auctions);
    const closings = decisions.filter(isClosing);
    if (closings.length > 0) await carryOut(services, tx, closings);
    return new Map(decisions.map(({ auction, outcome }) => [auction.id, outcome.kind]));
  });
}

/** Settles one product; returns `busy` if it was skipped. */
export async function settle(
  services: SettlingServices,
  productId: string,
  lockMode: LockMode = "wait",
): Promise<SettlementKind | "busy"> {
  return (await settleTogether(services, [productId], lockMode)).get(productId) ?? "busy";
}

/** Locks the bidding, always in the same order, like bids and removals. */
async function lockBidding(tx: Transaction, ids: readonly string[], lockMode: LockMode): Promise<string[]> {
  const rows = await tx
    .select({ id: auctionBidding.productId })
    .from(auctionBidding)
    .where(inArray(auctionBidding.productId, [...ids]))
    .orderBy(auctionBidding.productId)
    .for("update", lockMode === "skipLocked" ? { skipLocked: true } : {});
  return rows.map(({ id }) => id);
}

/** Reads products for their close, with the database's time; `seller` is null once their account is gone. */
const readAuctions = (tx: Transaction, ids: readonly string[]) =>
  tx
    .select({
      id: auctionProduct.id,
      sellerId: auctionProduct.sellerId,
      seller: { role: user.role, status: user.status },
      productName: auctionProduct.productName,
      state: auctionProduct.state,
      endDate: auctionBidding.endsAt,
      now: sql<Date>`clock_timestamp()`.mapWith(auctionBidding.endsAt),
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .leftJoin(user, eq(user.id, auctionProduct.sellerId))
    .where(inArray(auctionProduct.id, [...ids]));

/**
 * Reads the bidders whose bids on these products count and who still have an account, with their highest bid, the
 * highest of each product first.
 */
const biddersOf = (tx: Transaction, ids: readonly string[]) =>
  tx
    .select({
      productId: auctionBidder.productId,
      bidderId: auctionBidder.bidderId,
      amount: auctionBidder.amount,
      role: user.role,
      status: user.status,
    })
    .from(auctionBidder)
    .innerJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(and(inArray(auctionBidder.productId, [...ids]), eq(auctionBidder.withdrawn, false)))
    .orderBy(auctionBidder.productId, desc(auctionBidder.amount), desc(auctionBidder.number));

/** A seller or bidder. `isLeaving`: they have asked for the deletion of their account. */
type Party = { isBound: boolean; isLeaving: boolean };
const partyOf = (account: AccountStatus | null): Party => ({
  isBound: account !== null && isBound(account),
  isLeaving: account?.status === "leaving",
});

type AuctionRow = Omit<Awaited<ReturnType<typeof readAuctions>>[number], "seller">;
type DecidedAuction = {
  auction: AuctionRow & { seller: Party };
  outcome: CloseOutcome;
  bidders: readonly (Candidate & Party)[];
};
type ClosingAuction = DecidedAuction & { outcome: Extract<CloseOutcome, { kind: "sold" | "unsold" }> };
const isClosing = (decision: DecidedAuction): decision is ClosingAuction =>
  decision.outcome.kind === "sold" || decision.outcome.kind === "unsold";

/**
 * Decides with separate statements after the one that locks, so that everything they read, including the time, is as of
 * a moment under the locks.
 */
async function decide(tx: Transaction, ids: readonly string[]): Promise<DecidedAuction[]> {
  if (ids.length === 0) return [];
  const auctions = await readAuctions(tx, ids);
  const rows = await biddersOf(tx, ids);
  const bidders = Map.groupBy(
    rows.map((bidder) => Object.assign(bidder, partyOf(bidder))),
    ({ productId }) => productId,
  );
  return auctions.map((auction) => {
    const candidates = bidders.get(auction.id) ?? [];
    const outcome = decideClose(auction, candidates, auction.now);
    return { auction: { ...auction, seller: partyOf(auction.seller) }, outcome, bidders: candidates };
  });
}

async function carryOut(
  services: SettlingServices,
  tx: Transaction,
  closings: readonly ClosingAuction[],
): Promise<void> {
  await close(tx, closings);
  await recordSales(tx, closings.flatMap(saleOfClose));
  const entries = closings.map(({ auction: { id, sellerId }, outcome }) => ({
    action: "auction-settled" as const,
    subjectId: sellerId,
    detail: {
      product: id,
      outcome: outcome.kind,
      ...(outcome.kind === "sold" && { winner: outcome.winnerId, winningBid: String(outcome.winningBid) }),
    },
  }));
  await recordAudit(tx, ...entries);
  const requests = await endVoidRequests(
    tx,
    closings.map(({ auction: { id, seller, sellerId, productName } }) => ({
      id,
      productName,
      sellerId: seller.isBound ? sellerId : null,
    })),
  );
  const notifications = [...closings.flatMap(notificationsOfClose), ...requests];
  for (let at = 0; at < notifications.length; at += batchSize)
    await notify(services, tx, ...notifications.slice(at, at + batchSize));
  tx.afterCommit(() => services.products.changed(closings.map(({ auction }) => auction.id)));
}

const saleOfClose = ({ auction: { id, sellerId, now }, outcome }: ClosingAuction) =>
  outcome.kind === "sold"
    ? [
        {
          productId: id,
          sellerId,
          buyerId: outcome.winnerId,
          amount: outcome.winningBid,
          kind: "auction" as const,
          madeAt: now,
        },
      ]
    : [];

async function close(tx: Transaction, closings: readonly ClosingAuction[]): Promise<void> {
  const column = <Value>(valueOf: (closing: ClosingAuction) => Value) => sql.param(closings.map(valueOf));
  const ids = column(({ auction }) => auction.id);
  const states = column(({ outcome }) => outcome.kind);
  const times = column(({ auction }) => auction.now.toISOString());
  const winners = column(({ outcome }) => (outcome.kind === "sold" ? outcome.winnerId : null));
  const prices = column(({ outcome }) => (outcome.kind === "sold" ? outcome.winningBid : null));
  const closed = sql`unnest(${ids}::uuid[], ${states}::text[], ${times}::timestamptz[], ${winners}::text[], ${prices}::bigint[])
    as closed (id, state, at, winner, price)`;
  await tx
    .update(auctionProduct)
    .set({
      state: sql`closed.state`,
      closedAt: sql`closed.at`,
      winnerId: sql`closed.winner`,
      winningBid: sql`closed.price`,
    })
    .from(closed)
    .where(eq(auctionProduct.id, sql`closed.id`));
  await tx
    .update(auctionBidding)
    .set({ open: false, version: sql`${auctionBidding.version} + 1` })
    .where(sql`${auctionBidding.productId} = any(${ids}::uuid[])`);
}

type ClosedAuction = Pick<ClosingAuction, "outcome" | "bidders"> & {
  auction: Pick<ClosingAuction["auction"], "id" | "sellerId" | "seller" | "productName" | "now">;
};

/**
 * Returns the notifications for the winner, the seller and the other bidders: how an auction ended, and until when
 * buyer and seller can reach each other if one of them is leaving. People whom an admin has shut out get none.
 */
export function notificationsOfClose({ auction, outcome, bidders }: ClosedAuction): NewNotification[] {
  const { id, sellerId, seller, productName, now } = auction;
  const shared = {
    eventKey: `auction-settled:${id}`,
    topic: bidTopic(id),
    ids: { productId: id },
    path: productPath(id),
  };
  const [highest] = bidders;
  const voided = highest && !highest.isBound ? { voided: formatMoney(highest.amount) } : {};
  const boundBidders = bidders.filter((each) => each.isBound);
  const [winner] = boundBidders;
  const reachedSeller = sellerId !== null && seller.isBound ? [{ ...shared, userId: sellerId }] : [];
  // No bid counts in an unsold auction.
  if (outcome.kind === "unsold" || !winner)
    return reachedSeller.map((each) => ({
      ...each,
      kind: "auctionUnsold",
      about: { product: productName, ...voided },
    }));
  const about = { product: productName, price: formatMoney(outcome.winningBid) };
  const until = formatLongDate(contactEnds(now));
  /** Returns the dates until which the other party can be reached and the party's own account is kept. */
  const datesFor = (self: Party, other: Party) => ({
    ...(other.isLeaving && { day: until }),
    ...(self.isLeaving && { kept: until }),
  });
  return [
    {
      ...shared,
      userId: outcome.winnerId,
      kind: "auctionWon",
      about: { ...about, ...datesFor(winner, seller) },
    },
    ...reachedSeller.map(
      (each): NewNotification => ({
        ...each,
        kind: "auctionSold",
        about: { ...about, ...datesFor(seller, winner), ...voided },
      }),
    ),
    ...boundBidders
      .slice(1)
      .map(({ bidderId }): NewNotification => ({ ...shared, userId: bidderId, kind: "auctionLost", about })),
  ];
}
