import { inArray, sql } from "drizzle-orm";
import type { Remover } from "#domain/auction.ts";
import { type Actor, type AuditEntry, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionBidding, auctionProduct } from "../../tables.ts";
import { notifyBiddersOfRemoval } from "./notify-of-removal.ts";

/** Rows written by one statement: PostgreSQL takes 65,535 values at most. */
const batchSize = 1000;

/** `now` is the database's time under the locks; `reason` an admin's. */
export type Removal = { by: Remover; reason: string; now: Date; sellerId: string | null };

/**
 * Takes products off sale whose bidding the caller has locked: their bidders are notified, and it is in the audit log.
 * `actor` is null when it is the server's own doing.
 */
export async function takeOffSale(
  services: Pick<Services, "jobs" | "live" | "products">,
  tx: Transaction,
  actor: Actor | null,
  productIds: readonly string[],
  { by, reason, now, sellerId }: Removal,
): Promise<void> {
  if (productIds.length === 0) return;
  const ids = [...productIds];
  await notifyBiddersOfRemoval(services, tx, ids, reason);
  await tx
    .update(auctionProduct)
    .set({ state: "removed", closedAt: now, removedBy: by, removalReason: reason || null })
    .where(inArray(auctionProduct.id, ids));
  await tx
    .update(auctionBidding)
    .set({ open: false, version: sql`${auctionBidding.version} + 1` })
    .where(inArray(auctionBidding.productId, ids));
  await auditAll(tx, actor, ids, { by, reason, sellerId });
  tx.afterCommit(() => services.products.changed(ids));
}

type Reasons = Omit<Removal, "now">;

const entryOf = (actor: Actor | null, product: string, { by, reason, sellerId }: Reasons): AuditEntry => ({
  action: "product-removed",
  actorId: actor?.userId ?? null,
  subjectId: sellerId,
  ...(actor && { address: actor.address }),
  detail: { product, by, ...(reason && { reason }) },
});

async function auditAll(
  tx: Transaction,
  actor: Actor | null,
  productIds: readonly string[],
  reasons: Reasons,
): Promise<void> {
  for (let at = 0; at < productIds.length; at += batchSize)
    await recordAudit(tx, ...productIds.slice(at, at + batchSize).map((id) => entryOf(actor, id, reasons)));
}
