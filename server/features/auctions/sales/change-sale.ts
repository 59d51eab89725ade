import { eq, sql } from "drizzle-orm";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import {
  applySilence,
  type DisputeEnd,
  type DisputeFault,
  decideDispute,
  decideSaleAct,
  restartAnswer,
  type SaleAct,
  type SaleSide,
} from "#domain/sale.ts";
import { saleRefusals } from "#domain/sale-texts.ts";
import { activeAdmins, lockActor } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { checkedReason } from "../checked-reason.ts";
import { auctionBidding } from "../tables.ts";
import { accountOf, columnsOf, type LockedSale, lockSale, nextEvent, saleOf, sideOf } from "./lock-sale.ts";
import { ownCaseRefusal } from "./own-matter.ts";
import { notificationsOfChange, type SaleChangeWithCause } from "./sale-notifications.ts";
import { giveStrike } from "./strikes.ts";
import { sale, saleEvent } from "./tables.ts";

export type SaleServices = Pick<Services, "database" | "jobs" | "live"> & {
  products: Pick<Services["products"], "changed">;
};

/** Carries out an act of one side of a sale. Resolves once the other side can see it. */
export async function applySaleAct(
  services: SaleServices,
  actor: Actor,
  saleId: string,
  act: SaleAct,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { id } = await lockActor(tx, actor, mayTrade);
    const current = await lockSale(tx, saleId, (parties) => sideOf(parties, id) !== null);
    const side = current && sideOf(current.row, id);
    if (!side) throw new Refusal("not-found");
    // Silence counts from the deadline on, even if the server hasn't processed it yet.
    if (applySilence(current.sale, current.now, current.access)) throw over();
    const outcome = decideSaleAct(current.sale, side, act, current);
    if (outcome.kind === "refused")
      throw new Refusal("failed-precondition", { message: saleRefusals[outcome.why] });
    if (outcome.kind === "unchanged") return;
    const reason = act.kind === "report" ? act.claim : act.kind === "answer" ? act.answer : "";
    await save(
      services,
      tx,
      { locked: current, change: outcome, actor: side, act, reason: "" },
      { by: actor, reason },
    );
  });
}

const over = () => new Refusal("failed-precondition", { message: saleRefusals.over });

/** Decides a dispute, as an admin, with a reason that both sides see. */
export async function decideSale(
  services: SaleServices,
  actor: Actor,
  saleId: string,
  { reason: typedReason, ...decision }: { end: DisputeEnd; fault: DisputeFault; reason: string },
): Promise<void> {
  const reason = checkedReason(typedReason);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const current = await lockSale(tx, saleId);
    if (!current) throw new Refusal("not-found");
    if (sideOf(current.row, actor.userId)) throw ownCaseRefusal();
    const outcome = decideDispute(current.sale, decision);
    if (outcome.kind !== "changed") throw over();
    await save(
      services,
      tx,
      { locked: current, change: outcome, actor: null, act: null, reason },
      { by: actor, reason },
    );
  });
}

/** Lets silence decide a sale if its deadline has passed; returns whether it had. */
export async function elapseSale(services: SaleServices, saleId: string): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    const current = await lockSale(tx, saleId);
    const change = current && applySilence(current.sale, current.now, current.access);
    if (!change) return false;
    await save(
      services,
      tx,
      { locked: current, change, actor: null, act: null, reason: "" },
      { by: null, reason: "" },
    );
    return true;
  });
}

type SavedChange = Omit<SaleChangeWithCause, "number" | "admins">;
/** The person who changes a sale, null for silence, and the text of the event. */
type Cause = { by: Actor | null; reason: string };

async function save(
  services: SaleServices,
  tx: Transaction,
  change: SavedChange,
  { by, reason }: Cause,
): Promise<void> {
  const { locked } = change;
  const { row, now } = locked;
  const { sale: after, event, strike } = change.change;
  await tx.update(sale).set(columnsOf(after, now)).where(eq(sale.id, row.id));
  const [entry] = await tx
    .insert(saleEvent)
    .values({
      saleId: row.id,
      number: sql`${nextEvent(row.id)}`,
      actorId: by?.userId ?? null,
      kind: event,
      reason,
      at: now,
    })
    .returning({ number: saleEvent.number });
  const atFault = strike && accountOf(row, strike);
  if (atFault) await giveStrike(tx, { accountId: atFault, saleId: row.id, at: now });
  await recordAudit(tx, {
    action: event === "decided" ? "sale-decided" : "sale-changed",
    actorId: by?.userId ?? null,
    subjectId: atFault ?? otherAccount(locked, change.actor),
    ...(by && { address: by.address }),
    detail: { product: row.productId, sale: row.id, outcome: event, ...(reason && { reason }) },
  });
  const admins = event === "disputed" ? await activeAdmins(tx) : [];
  await notify(services, tx, ...notificationsOfChange({ ...change, number: entry?.number ?? 0, admins }));
  await publishToBoth(services, tx, row);
  if (after.state === "fellThrough") await refreshProduct(services, tx, row.productId);
}

const otherAccount = ({ row }: LockedSale, actor: SaleSide | null): string | null =>
  actor === "seller" ? row.buyerId : row.sellerId;

/** Makes the open pages of both sides reload. */
export async function publishToBoth(
  { live }: Pick<Services, "live">,
  tx: Transaction,
  { sellerId, buyerId }: { sellerId: string | null; buyerId: string | null },
): Promise<void> {
  const ids = [sellerId, buyerId].filter((id) => id !== null);
  await live.publishTo(
    ids.map((id) => `notifications:${id}`),
    "{}",
    tx,
  );
}

/** Makes everyone's open pages of a product reload. */
async function refreshProduct(
  services: Pick<SaleServices, "products">,
  tx: Transaction,
  productId: string,
): Promise<void> {
  await tx
    .update(auctionBidding)
    .set({ version: sql`${auctionBidding.version} + 1` })
    .where(eq(auctionBidding.productId, productId));
  tx.afterCommit(() => services.products.changed([productId]));
}

/** Restarts the time to answer reports for an account that regains access. The caller has locked the account. */
export async function restartAnswers(tx: Transaction, accountId: string): Promise<void> {
  const rows = await tx
    .select()
    .from(sale)
    .where(
      sql`${sale.state} = 'awaiting' and ${sale.dueAt} is not null and ${accountId} in (${sale.sellerId}, ${sale.buyerId})`,
    )
    .orderBy(sale.id)
    .for("update");
  const now = await databaseTime(tx);
  for (const row of rows) {
    const side = sideOf(row, accountId);
    const restarted = side && restartAnswer(saleOf(row), side, now);
    if (restarted) await tx.update(sale).set({ dueAt: restarted.dueAt }).where(eq(sale.id, row.id));
  }
}
