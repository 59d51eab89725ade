import { asc, sql } from "drizzle-orm";
import { repeat } from "#server/platform/repeat.ts";
import type { Services } from "#server/services.ts";
import { elapseSale, type SaleServices } from "./change-sale.ts";
import { expireOffersOf } from "./second-chances.ts";
import { sale, secondChance } from "./tables.ts";

/** Milliseconds between two looks, and what one look does at most. */
const lookEvery = 2_000;
const batchSize = 100;

/**
 * Lets silence decide the sales whose time has come, and ends the offers whose time is over. Several nodes may do this
 * at once: each happens once, under the lock of the sale. What fails holds nothing else up; it is returned.
 */
export async function keepSales(services: SaleServices, signal?: AbortSignal): Promise<Map<string, unknown>> {
  const { db } = services.database;
  const failures = new Map<string, unknown>();
  const sales = await db
    .select({ id: sale.id })
    .from(sale)
    .where(sql`${sale.dueAt} <= now()`)
    .orderBy(asc(sale.dueAt))
    .limit(batchSize);
  const offers = await db
    .selectDistinct({ id: secondChance.productId })
    .from(secondChance)
    .where(sql`${secondChance.state} = 'open' and ${secondChance.until} <= now()`)
    .limit(batchSize);
  const acts = [
    ...sales.map(({ id }) => ({ id, run: () => elapseSale(services, id) })),
    ...offers.map(({ id }) => ({ id, run: () => expireOffersOf(services, id) })),
  ];
  for (const { id, run } of acts) {
    if (signal?.aborted) break;
    await run().catch((error: unknown) => failures.set(id, error));
  }
  return failures;
}

/** Keeps sales beside the closer of auctions, on every node. */
export const createSaleKeeper = (services: SaleServices & Pick<Services, "log">) =>
  repeat(services.log, {
    pause: lookEvery,
    run: async (report, signal) => report(await keepSales(services, signal)),
    failed: { one: "a sale could not be kept", all: "the sales could not be looked through" },
  });

/** Records sales that a node of an earlier version has settled meanwhile. Runs every night. */
export async function recordMissingSales({ database }: Pick<Services, "database">): Promise<void> {
  await database.db.execute(sql`
    with missing as (
      insert into sale (product_id, seller_id, buyer_id, amount, kind, made_at)
      select id, seller_id, winner_id, winning_bid, 'auction', closed_at from auction_product
      where state = 'sold' and not exists (select from sale where sale.product_id = auction_product.id)
      on conflict do nothing
      returning id, made_at)
    insert into sale_event (sale_id, number, kind, at) select id, 1, 'made', made_at from missing`);
}
