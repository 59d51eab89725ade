import { eq, inArray, sql } from "drizzle-orm";
import { type AccountStatus, hasAccess } from "#domain/account.ts";
import { type Candidate, type CloseOutcome, decideClose } from "#domain/auction-close.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, auctionProduct, type LockMode } from "../../tables.ts";
import { biddersOf, readClosing } from "../queries/due.ts";
import { type Closing, notifyOfClose } from "./notify-of-close.ts";

export type SettlingServices = Pick<Services, "database" | "jobs" | "live"> & {
  products: Pick<Services["products"], "changed">;
};
/** `busy`: skipped. */
export type Settled = CloseOutcome["kind"] | "busy";

/**
 * Settles those of the products whose time is over and that nobody has settled yet. What is
 * decided, stored and announced is one transaction under the locks of their bidding: whatever crashes, it happens once.
 */
export async function settleTogether(
  services: SettlingServices,
  productIds: readonly string[],
  lockMode: LockMode,
): Promise<Map<string, Settled>> {
  const kinds = await services.database.transaction(async (tx) => {
    const locked = await lockBidding(tx, productIds, lockMode);
    const decided = await decide(tx, locked);
    const closings = decided.filter(isClosing);
    if (closings.length > 0) await carryOut(services, tx, closings);
    return decided.map(({ auction, outcome }) => [auction.id, outcome.kind] as const);
  });
  const busy = productIds.map((id) => [id, "busy"] as const);
  return new Map<string, Settled>([...busy, ...kinds]);
}

/** The same for one. */
export async function settle(
  services: SettlingServices,
  productId: string,
  lockMode: LockMode = "wait",
): Promise<Settled> {
  return (await settleTogether(services, [productId], lockMode)).get(productId) ?? "busy";
}

/** Always in the same order, as bids and removals do. */
async function lockBidding(tx: Transaction, ids: readonly string[], lockMode: LockMode): Promise<string[]> {
  const locked = await tx
    .select({ id: auctionBidding.productId })
    .from(auctionBidding)
    .where(inArray(auctionBidding.productId, [...ids]))
    .orderBy(auctionBidding.productId)
    .for("update", lockMode === "skipLocked" ? { skipLocked: true } : {});
  return locked.map(({ id }) => id);
}

type Decided = Omit<Closing, "outcome"> & { outcome: CloseOutcome };
const isClosing = (decided: Decided): decided is Closing =>
  decided.outcome.kind === "sold" || decided.outcome.kind === "unsold";

/** In statements of their own, after the one that locks: what they read, the time too, is of a moment under the locks. */
async function decide(tx: Transaction, ids: readonly string[]): Promise<Decided[]> {
  if (ids.length === 0) return [];
  const auctions = await readClosing(tx, ids);
  const candidates = new Map<string, Candidate[]>();
  for (const { productId, bidderId, amount, role, status } of await biddersOf(tx, ids)) {
    const all = candidates.get(productId) ?? [];
    all.push({ bidderId, amount, hasAccess: isReached({ role, status }) });
    candidates.set(productId, all);
  }
  return auctions.map(({ sellerRole: role, sellerStatus: status, ...auction }) => {
    const bidders = candidates.get(auction.id) ?? [];
    const outcome = decideClose(auction, bidders, auction.now);
    return { auction: { ...auction, isSellerReached: isReached({ role, status }) }, bidders, outcome };
  });
}

type PerhapsGone = { [key in keyof AccountStatus]: AccountStatus[key] | null };
const isReached = ({ role, status }: PerhapsGone): boolean =>
  role !== null && status !== null && hasAccess({ role, status });

async function carryOut(
  services: SettlingServices,
  tx: Transaction,
  closings: readonly Closing[],
): Promise<void> {
  await close(tx, closings);
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
  await notifyOfClose(services, tx, closings);
  tx.afterCommit(() => services.products.changed(closings.map(({ auction }) => auction.id)));
}

async function close(tx: Transaction, closings: readonly Closing[]): Promise<void> {
  const column = <Value>(valueOf: (closing: Closing) => Value) => sql.param(closings.map(valueOf));
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
