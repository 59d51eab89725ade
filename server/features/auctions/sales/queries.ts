import { and, asc, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Dispute, OfferView, SaleView, SecondChanceOffer } from "#contract/sale-views.ts";
import { isBound } from "#domain/account.ts";
import { applySilence, otherSide, possibleActs, type SaleSide } from "#domain/sale.ts";
import { secondChanceRefusals } from "#domain/second-chance.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Reader } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { auctionProduct } from "../tables.ts";
import { saleOf, sideOf } from "./lock-sale.ts";
import { nextSecondChance } from "./next-second-chance.ts";
import { recordOf } from "./records.ts";
import { readBar, strikesOf } from "./strikes.ts";
import { noSecondChances, sale, saleEvent, secondChance } from "./tables.ts";

const maxPurchases = 50;

const seller = alias(user, "seller");
const buyer = alias(user, "buyer");

const decisionReason = sql<string | null>`(
  select reason from ${saleEvent} where ${saleEvent.saleId} = ${sale.id} and ${saleEvent.kind} = 'decided')`;

const readSales = (db: Reader, where: SQL | undefined, limit: number) =>
  db
    .select({
      row: sale,
      productName: auctionProduct.productName,
      seller: { name: seller.name, role: seller.role, status: seller.status },
      buyer: { name: buyer.name, role: buyer.role, status: buyer.status },
      sellerRecord: recordOf("seller", sql`${sale.sellerId}`),
      buyerRecord: recordOf("buyer", sql`${sale.buyerId}`),
      reason: decisionReason,
    })
    .from(sale)
    .innerJoin(auctionProduct, eq(auctionProduct.id, sale.productId))
    .leftJoin(seller, eq(seller.id, sale.sellerId))
    .leftJoin(buyer, eq(buyer.id, sale.buyerId))
    .where(and(where, ne(auctionProduct.state, "removed")))
    .orderBy(desc(sale.madeAt), desc(sale.id))
    .limit(limit);

type SaleRow = Awaited<ReturnType<typeof readSales>>[number];

/** Returns a sale as one side sees it, including what silence has decided by now. */
function saleView(saleRow: SaleRow, side: SaleSide, now: Date): SaleView {
  const { row, productName, reason } = saleRow;
  const access = {
    seller: saleRow.seller !== null && isBound(saleRow.seller),
    buyer: saleRow.buyer !== null && isBound(saleRow.buyer),
  };
  const before = saleOf(row);
  const current = applySilence(before, now, access)?.sale ?? before;
  const { state, sellerSaidAt, buyerSaidAt, report, dueAt, fault } = current;
  const { claims, answers, handOver } = possibleActs(current, side, { now, access });
  const other = otherSide(side);
  const record = other === "seller" ? saleRow.sellerRecord : saleRow.buyerRecord;
  const account = saleRow[other];
  return {
    id: row.id,
    productId: row.productId,
    productName,
    side,
    kind: row.kind,
    state,
    amount: row.amount,
    madeAt: row.madeAt,
    other: account && access[other] ? { name: account.name, record } : null,
    sellerSaidAt,
    buyerSaidAt,
    report,
    dueAt,
    fault,
    reason: reason ?? "",
    may: { handOver, claims: [...claims], answers: [...answers] },
  };
}

/** Returns a user's purchases, offers and strikes. */
export async function readMine(db: Reader, userId: string) {
  const now = await databaseTime(db);
  const [sales, offers, strikes, barredUntil, optedOut] = await Promise.all([
    readSales(db, eq(sale.buyerId, userId), maxPurchases),
    openOffersOf(db, userId, now),
    strikesOf(db, userId),
    readBar(db, userId, now),
    db.select().from(noSecondChances).where(eq(noSecondChances.accountId, userId)),
  ]);
  return {
    sales: sales.map((each) => saleView(each, "buyer", now)),
    offers,
    strikes,
    barredUntil,
    wantsSecondChances: optedOut.length === 0,
  };
}

/**
 * Returns the offers that a user can accept, for one product if given. Offers by sellers who are shut out don't count.
 */
async function openOffersOf(db: Reader, userId: string, now: Date, productId?: string): Promise<OfferView[]> {
  const rows = await db
    .select({
      offer: {
        id: secondChance.id,
        productId: secondChance.productId,
        productName: auctionProduct.productName,
        amount: secondChance.amount,
        until: secondChance.until,
      },
      account: { role: seller.role, status: seller.status },
    })
    .from(secondChance)
    .innerJoin(auctionProduct, eq(auctionProduct.id, secondChance.productId))
    .innerJoin(seller, eq(seller.id, auctionProduct.sellerId))
    .where(
      and(
        eq(secondChance.bidderId, userId),
        productId === undefined ? undefined : eq(secondChance.productId, productId),
        eq(secondChance.state, "open"),
        sql`${secondChance.until} > ${now.toISOString()}`,
        eq(auctionProduct.state, "sold"),
      ),
    )
    .orderBy(asc(secondChance.until));
  return rows.flatMap(({ offer, account }) => (isBound(account) ? [offer] : []));
}

/** Drops notifications of offers that can't be accepted any more. */
export const openOffers: NotificationCheck<"secondChanceOffered"> = async (tx, notifications) => {
  const [first] = notifications;
  const offers = first ? await openOffersOf(tx, first.userId, await databaseTime(tx)) : [];
  const offered = new Set(offers.map(({ productId }) => productId));
  return notifications.filter(({ ids }) => !ids?.productId || offered.has(ids.productId));
};

/** Returns the viewer's latest sale of a product, and their second-chance offer. */
export async function readSaleOfProduct(
  db: Reader,
  productId: string,
  viewerId: string,
): Promise<{ sale: SaleView | null; secondChances: SecondChanceOffer | null; offer: OfferView | null }> {
  const [product] = await db
    .select({ closedAt: auctionProduct.closedAt, startingBid: auctionProduct.startingBid })
    .from(auctionProduct)
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")));
  if (!product) throw new Refusal("not-found");
  const now = await databaseTime(db);
  // A former buyer sees their own sale that fell through, the seller sees the latest one.
  const isParty = sql`${viewerId} in (${sale.sellerId}, ${sale.buyerId})`;
  const [latest] = await readSales(db, and(eq(sale.productId, productId), isParty), 1);
  const side = latest && sideOf(latest.row, viewerId);
  const [offer = null] = side === "seller" ? [] : await openOffersOf(db, viewerId, now, productId);
  if (!side) return { sale: null, secondChances: null, offer };
  const view = saleView(latest, side, now);
  if (side !== "seller") return { sale: view, secondChances: null, offer };
  const secondChances =
    view.state === "fellThrough" && view.fault === "buyer"
      ? await sellersOffer(db, productId, { ...view, ...product }, now)
      : null;
  return { sale: view, secondChances, offer };
}

async function sellersOffer(
  db: Reader,
  productId: string,
  latest: Parameters<typeof nextSecondChance>[2],
  now: Date,
): Promise<SecondChanceOffer> {
  const [open] = await db
    .select({
      id: secondChance.id,
      name: user.name,
      amount: secondChance.amount,
      until: secondChance.until,
    })
    .from(secondChance)
    .innerJoin(user, eq(user.id, secondChance.bidderId))
    .where(
      and(
        eq(secondChance.productId, productId),
        eq(secondChance.state, "open"),
        sql`${secondChance.until} > ${now.toISOString()}`,
      ),
    );
  if (open) return { open, next: null, why: "" };
  const next = await nextSecondChance(db, productId, latest, now);
  if (next.kind === "refused") return { open: null, next: null, why: secondChanceRefusals[next.why] };
  const [bidder] = await db.select({ name: user.name }).from(user).where(eq(user.id, next.bidderId));
  return { open: null, next: { name: bidder?.name ?? "", amount: next.amount }, why: "" };
}

export const disputeCursor = cursorForm("time", "uuid");

/** Lists the disputes, the oldest first; `next` is null on the last page. */
export async function listDisputes(db: Reader, after: Cursor | null, limit = adminRowsPerPage) {
  const order = ascending(sale.reportedAt, sale.id);
  const candidates = await db
    .select({
      row: sale,
      productName: auctionProduct.productName,
      seller: { id: seller.id, name: seller.name },
      buyer: { id: buyer.id, name: buyer.name },
    })
    .from(sale)
    .innerJoin(auctionProduct, eq(auctionProduct.id, sale.productId))
    .leftJoin(seller, eq(seller.id, sale.sellerId))
    .leftJoin(buyer, eq(buyer.id, sale.buyerId))
    .where(and(eq(sale.state, "disputed"), order.after(after)))
    .orderBy(...order.by)
    .limit(adminRowsPerPage + 1);
  const { rows, next } = paginate(candidates, limit, ({ row }) =>
    writeCursor([row.reportedAt ?? row.madeAt, row.id]),
  );
  const disputes = rows.flatMap(({ row, productName, ...people }): Dispute[] => {
    const { report, sellerSaidAt, buyerSaidAt } = saleOf(row);
    if (!report) return [];
    const { id, productId, amount, madeAt } = row;
    return [{ id, productId, productName, amount, madeAt, report, ...people, sellerSaidAt, buyerSaidAt }];
  });
  return { disputes, next };
}

/** Returns an account's strikes, and the time until which they bar it. */
export async function readStrikes(db: Reader, userId: string) {
  const [account] = await db.select({ id: user.id }).from(user).where(eq(user.id, userId));
  if (!account) throw new Refusal("not-found");
  const now = await databaseTime(db);
  return { strikes: await strikesOf(db, userId), barredUntil: await readBar(db, userId, now) };
}
