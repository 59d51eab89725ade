import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { isAdmin } from "#domain/permission.ts";
import { barredText, barredUntil, strikeEnds } from "#domain/strike.ts";
import { productPath } from "#protocol/addresses.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { checkedReason } from "../checked-reason.ts";
import { auctionProduct } from "../tables.ts";
import { ownCaseRefusal } from "./own-matter.ts";
import { sale, strike, tradingBar } from "./tables.ts";

const maxStrikes = 50;

/** Gives an account a strike for a sale, once. */
export async function giveStrike(
  tx: Transaction,
  { accountId, saleId, at }: { accountId: string; saleId: string; at: Date },
): Promise<void> {
  await lockBar(tx, accountId);
  await tx
    .insert(strike)
    .values({ accountId, saleId, at, until: strikeEnds(at) })
    .onConflictDoNothing();
  await writeBar(tx, accountId);
}

const never = new Date(0);

/** Serialises changes of an account's strikes, so that each counts all of them. */
async function lockBar(tx: Transaction, accountId: string): Promise<void> {
  await tx
    .insert(tradingBar)
    .values({ accountId, until: never })
    .onConflictDoUpdate({ target: tradingBar.accountId, set: { until: sql`${tradingBar.until}` } });
}

/** Stores the time until which an account can't bid or sell. The caller has locked that row. */
async function writeBar(tx: Transaction, accountId: string): Promise<void> {
  const strikes = await tx.select().from(strike).where(eq(strike.accountId, accountId));
  await tx
    .update(tradingBar)
    .set({ until: barredUntil(strikes) ?? never })
    .where(eq(tradingBar.accountId, accountId));
}

/** Returns the time until which an account can't bid or sell; null if it can. */
export async function readBar(db: Reader, accountId: string, now: Date): Promise<Date | null> {
  const [bar] = await db.select().from(tradingBar).where(eq(tradingBar.accountId, accountId));
  return bar && bar.until > now ? bar.until : null;
}

/** Refuses an account that is barred from bidding and selling. */
export async function refuseBarred(db: Reader, accountId: string): Promise<void> {
  const until = await readBar(db, accountId, await databaseTime(db));
  if (until) throw new Refusal("permission-denied", { message: barredText(until) });
}

/** Lists an account's strikes, the latest first. */
export const strikesOf = (db: Reader, accountId: string) =>
  db
    .select({
      id: strike.id,
      productId: sale.productId,
      productName: auctionProduct.productName,
      at: strike.at,
      until: strike.until,
      liftedAt: strike.liftedAt,
      reason: strike.reason,
    })
    .from(strike)
    .innerJoin(sale, eq(sale.id, strike.saleId))
    .innerJoin(auctionProduct, eq(auctionProduct.id, sale.productId))
    .where(eq(strike.accountId, accountId))
    .orderBy(desc(strike.at), asc(strike.id))
    .limit(maxStrikes);

/** Lifts a strike, as an admin, with a reason that the account sees. */
export async function liftStrike(
  services: Services,
  actor: Actor,
  strikeId: string,
  typedReason: string,
): Promise<void> {
  const reason = checkedReason(typedReason);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [row] = await tx
      .select({ accountId: strike.accountId, productId: sale.productId, product: auctionProduct.productName })
      .from(strike)
      .innerJoin(sale, eq(sale.id, strike.saleId))
      .innerJoin(auctionProduct, eq(auctionProduct.id, sale.productId))
      .where(eq(strike.id, strikeId));
    if (!row) throw new Refusal("not-found");
    if (row.accountId === actor.userId) throw ownCaseRefusal();
    await lockBar(tx, row.accountId);
    const lifted = await tx
      .update(strike)
      .set({ liftedBy: actor.userId, liftedAt: await databaseTime(tx), reason })
      .where(and(eq(strike.id, strikeId), isNull(strike.liftedAt)))
      .returning({ id: strike.id });
    if (lifted.length === 0) throw Refusal.conflict();
    await writeBar(tx, row.accountId);
    await recordAudit(tx, {
      action: "strike-lifted",
      actorId: actor.userId,
      subjectId: row.accountId,
      address: actor.address,
      detail: { strike: strikeId, product: row.productId, reason },
    });
    await notify(services, tx, {
      userId: row.accountId,
      kind: "strikeLifted",
      eventKey: `strike-lifted:${strikeId}`,
      about: { product: row.product, reason },
      ids: { productId: row.productId },
      path: productPath(row.productId),
    });
  });
}
