import { eq, inArray, sql } from "drizzle-orm";
import { type AccountStatus, isBound } from "#domain/account.ts";
import { type Sale, type SaleAccess, type SaleReport, type SaleSide } from "#domain/sale.ts";
import { user } from "#server/features/account/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { auctionProduct } from "../tables.ts";
import { sale } from "./tables.ts";

type Row = typeof sale.$inferSelect;

/** Returns a stored sale in the form that the rules use. */
export function saleOf(row: Omit<Row, "productId" | "amount" | "kind" | "endedAt">): Sale {
  const { state, madeAt, sellerSaidAt, buyerSaidAt, dueAt, fault } = row;
  const used = { seller: row.sellerUsed, buyer: row.buyerUsed };
  return { state, madeAt, sellerSaidAt, buyerSaidAt, report: reportOf(row), used, dueAt, fault };
}

function reportOf({
  reportedBy: by,
  claim,
  reportedAt: at,
  answer,
}: Pick<Row, "reportedBy" | "claim" | "reportedAt" | "answer">): SaleReport | null {
  return by && claim && at ? { by, claim, at, answer } : null;
}

/** Returns the columns that the rules may change. */
export function columnsOf(after: Sale, now: Date) {
  const { state, sellerSaidAt, buyerSaidAt, report, used, dueAt, fault } = after;
  return {
    state,
    sellerSaidAt,
    buyerSaidAt,
    reportedBy: report?.by ?? null,
    claim: report?.claim ?? null,
    reportedAt: report?.at ?? null,
    answer: report?.answer ?? null,
    sellerUsed: [...used.seller],
    buyerUsed: [...used.buyer],
    dueAt,
    fault,
    endedAt: state === "handedOver" || state === "fellThrough" ? now : null,
  };
}

/** A sale that this transaction has locked, with both accounts. */
export type LockedSale = {
  row: Row;
  sale: Sale;
  productName: string;
  now: Date;
  access: SaleAccess;
};

type Parties = Pick<Row, "sellerId" | "buyerId">;

/**
 * Locks both accounts, then their sale, always in this order. The accounts' roles and statuses can't change until the
 * transaction ends. Returns null for a sale that doesn't exist and for one that `mayKnow` hides from the caller, with
 * the same work, so that the two can't be told apart.
 */
export async function lockSale(
  tx: Transaction,
  saleId: string,
  mayKnow: (parties: Parties) => boolean = () => true,
): Promise<LockedSale | null> {
  const [parties] = await tx
    .select({ sellerId: sale.sellerId, buyerId: sale.buyerId })
    .from(sale)
    .where(eq(sale.id, saleId));
  if (!parties || !mayKnow(parties)) return null;
  const ids = [parties.sellerId, parties.buyerId].filter((id) => id !== null);
  const accounts = await tx
    .select({ id: user.id, role: user.role, status: user.status })
    .from(user)
    .where(inArray(user.id, ids))
    .orderBy(user.id)
    .for("share");
  const [match] = await tx
    .select({ row: sale, productName: auctionProduct.productName })
    .from(sale)
    .innerJoin(auctionProduct, eq(auctionProduct.id, sale.productId))
    .where(eq(sale.id, saleId))
    .for("update", { of: sale });
  if (!match) return null;
  const { row, productName } = match;
  const access = {
    seller: isReachable(accounts, row.sellerId),
    buyer: isReachable(accounts, row.buyerId),
  };
  return { row, sale: saleOf(row), productName, now: await databaseTime(tx), access };
}

const isReachable = (accounts: readonly (AccountStatus & { id: string })[], id: string | null): boolean => {
  const account = accounts.find((each) => each.id === id);
  return account !== undefined && isBound(account);
};

/** Returns an account's side in a sale; null if it has none. */
export function sideOf({ sellerId, buyerId }: Parties, id: string): SaleSide | null {
  if (id === sellerId) return "seller";
  return id === buyerId ? "buyer" : null;
}

/** Returns the account of a side; null once it is erased. */
export const accountOf = ({ sellerId, buyerId }: Parties, side: SaleSide) =>
  side === "seller" ? sellerId : buyerId;

/** Selects the number of a sale's next event. */
export const nextEvent = (saleId: string) =>
  sql<number>`(select coalesce(max(number), 0) + 1 from sale_event where sale_id = ${saleId})`;
