import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { hasEnded } from "#domain/auction-end.ts";
import { holdsSeller } from "#domain/auction-removal.ts";
import type { LostAccount } from "#server/features/account/events.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../tables.ts";
import { databaseTime } from "./database-time.ts";
import { takeOffSale } from "./remove-product.ts";
import { saveStoppedLimits } from "./save-stops.ts";

/** Selects the ids of the auctions that an account has on sale. */
const soldBy = (id: string) => sql`select id from auction_product where seller_id = ${id} and state = 'open'`;
/** Selects the ids of the auctions in which an account has bid. */
const bidOnBy = (id: string) =>
  sql`select ${auctionBidder.productId} from ${auctionBidder} where ${auctionBidder.bidderId} = ${id}`;

/** Locks the bidding of the open auctions, always in the same order, as bids and the close do. */
function lockOpen(tx: Transaction, ids: ReturnType<typeof sql>) {
  return (
    tx
      .select({
        id: auctionBidding.productId,
        sellerId: auctionProduct.sellerId,
        state: auctionProduct.state,
        endDate: auctionBidding.endsAt,
        // Without a leader no bid counts.
        bidCount: sql<number>`case when ${auctionBidding.highestBidderId} is null then 0 else ${auctionBidding.bidCount} end`,
      })
      .from(auctionBidding)
      .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidding.productId))
      // The condition is on the locked row, so that after a wait it is checked again on the row's current state.
      .where(and(sql`${auctionBidding.productId} = any(array(${ids}))`, eq(auctionBidding.open, true)))
      .orderBy(auctionBidding.productId)
      .for("update", { of: auctionBidding })
  );
}

/**
 * Removes a lost account from auctions (docs/product.md, "Losing access" and "Deleting an account"). Its items are
 * taken off sale and their bidders are notified, unless an auction has ended and is about to be settled, or has bids
 * that bind a leaving seller. The bids of an account that is shut out no longer count, and the pages say so. Runs in
 * the transaction that ends the account, before its row is deleted. The caller has locked that row.
 */
export async function endAccountsAuctions(
  services: Services,
  tx: Transaction,
  { id, actor, cause }: LostAccount,
): Promise<void> {
  const losesBids = cause === "shutOut";
  const auctions = await lockOpen(tx, losesBids ? sql`${soldBy(id)} union ${bidOnBy(id)}` : soldBy(id));
  const now = await databaseTime(tx);
  const own = auctions
    .filter(({ sellerId, endDate }) => sellerId === id && !hasEnded(endDate, now))
    .filter((auction) => cause !== "leaving" || !holdsSeller(auction, now));
  const removal = { by: "withdrawn", reason: "", now, sellerId: id } as const;
  if (own.length > 0)
    await takeOffSale(
      services,
      tx,
      actor,
      own.map((auction) => auction.id),
      removal,
    );
  const others = auctions.filter(({ sellerId }) => sellerId !== id);
  if (losesBids) await endLimits(tx, others, id, now);
  await announce(services, tx, others);
}

/** Lowers the limits of a leader who is shut out to the price, so that they make no further bids. */
async function endLimits(tx: Transaction, auctions: readonly { id: string }[], leaderId: string, at: Date) {
  const ids = auctions.map(({ id }) => id);
  const stops = await tx
    .update(auctionBidding)
    .set({ leaderLimit: sql`${auctionBidding.price}` })
    .where(
      and(
        inArray(auctionBidding.productId, ids),
        eq(auctionBidding.highestBidderId, leaderId),
        gt(auctionBidding.leaderLimit, auctionBidding.price),
      ),
    )
    .returning({
      productId: auctionBidding.productId,
      number: auctionBidding.bidCount,
      price: auctionBidding.price,
    });
  await saveStoppedLimits(
    tx,
    stops.map((stop) => ({ ...stop, bidderId: leaderId, at })),
  );
}

/** Announces that the bids of an account count again, after an admin has let it in again. */
export async function refreshBidPages(services: Services, tx: Transaction, id: string): Promise<void> {
  await announce(services, tx, await lockOpen(tx, bidOnBy(id)));
}

/** Makes the pages of these auctions reload, because different bids count now. */
async function announce(services: Services, tx: Transaction, auctions: readonly { id: string }[]) {
  if (auctions.length === 0) return;
  const ids = auctions.map(({ id }) => id);
  await tx
    .update(auctionBidding)
    .set({ version: sql`${auctionBidding.version} + 1` })
    .where(inArray(auctionBidding.productId, ids));
  tx.afterCommit(() => services.products.changed(ids));
}
