import { and, desc, eq } from "drizzle-orm";
import { type AccountStatus, hasAccess, isBound } from "#domain/account.ts";
import { decideSecondChance, type RunnerUp, type SecondChance } from "#domain/second-chance.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { auctionBidder, auctionProduct } from "../tables.ts";
import { noSecondChances, sale, secondChance, tradingBar } from "./tables.ts";

/** The latest sale of a product, with the details that an offer needs. */
type LatestSale = {
  saleId: string;
  sellerId: string | null;
  state: typeof sale.$inferSelect.state;
  fault: typeof sale.$inferSelect.fault;
  closedAt: Date | null;
  productName: string;
  startingBid: number;
};

/** Returns the latest sale of a product; null if it is not sold. */
export async function latestSale(db: Reader, productId: string): Promise<LatestSale | null> {
  const [row] = await db
    .select({
      saleId: sale.id,
      sellerId: sale.sellerId,
      state: sale.state,
      fault: sale.fault,
      closedAt: auctionProduct.closedAt,
      productName: auctionProduct.productName,
      startingBid: auctionProduct.startingBid,
    })
    .from(sale)
    .innerJoin(auctionProduct, eq(auctionProduct.id, sale.productId))
    .where(and(eq(sale.productId, productId), eq(auctionProduct.state, "sold")))
    .orderBy(desc(sale.madeAt), desc(sale.id))
    .limit(1);
  return row ?? null;
}

/**
 * Locks all sales of a product in one order, and returns the latest. Offers and their answers do so, so that the second
 * of two concurrent ones sees the result of the first.
 */
export async function lockLatestSale(tx: Transaction, productId: string): Promise<LatestSale | null> {
  await tx
    .select({ id: sale.id })
    .from(sale)
    .where(eq(sale.productId, productId))
    .orderBy(sale.id)
    .for("update");
  return await latestSale(tx, productId);
}

/** Reads all bidders, the highest first, and whether their bids count and whether they may buy now. */
async function runnersUp(db: Reader, productId: string, now: Date): Promise<RunnerUp[]> {
  const rows = await db
    .select({
      bidderId: auctionBidder.bidderId,
      amount: auctionBidder.amount,
      withdrawn: auctionBidder.withdrawn,
      account: { role: user.role, status: user.status },
      barredUntil: tradingBar.until,
      optedOut: noSecondChances.accountId,
    })
    .from(auctionBidder)
    .leftJoin(user, eq(user.id, auctionBidder.bidderId))
    .leftJoin(tradingBar, eq(tradingBar.accountId, auctionBidder.bidderId))
    .leftJoin(noSecondChances, eq(noSecondChances.accountId, auctionBidder.bidderId))
    .where(eq(auctionBidder.productId, productId))
    .orderBy(desc(auctionBidder.amount), desc(auctionBidder.number));
  return rows.map(({ bidderId, amount, withdrawn, account, barredUntil, optedOut }) => ({
    bidderId,
    amount,
    counts: !withdrawn && account !== null && isBound(account),
    isReady: isReady({ account, barredUntil, now }) && optedOut === null,
  }));
}

type Readiness = { account: AccountStatus | null; barredUntil: Date | null; now: Date };
export const isReady = ({ account, barredUntil, now }: Readiness): boolean =>
  account !== null && hasAccess(account) && !(barredUntil && barredUntil > now);

/** Decides who would be offered a product next, and for how much. */
export async function nextSecondChance(
  db: Reader,
  productId: string,
  latest: Pick<LatestSale, "state" | "fault" | "closedAt" | "startingBid">,
  now: Date,
): Promise<SecondChance> {
  const offers = await db.select().from(secondChance).where(eq(secondChance.productId, productId));
  const buyers = await db.select({ buyerId: sale.buyerId }).from(sale).where(eq(sale.productId, productId));
  return decideSecondChance(
    {
      sale: latest,
      closedAt: latest.closedAt ?? now,
      startingBid: latest.startingBid,
      formerBuyers: buyers.flatMap(({ buyerId }) => (buyerId === null ? [] : [buyerId])),
      offered: offers.map(({ bidderId }) => bidderId),
      hasOpenOffer: offers.some(({ state, until }) => state === "open" && until > now),
      runnersUp: await runnersUp(db, productId, now),
    },
    now,
  );
}
