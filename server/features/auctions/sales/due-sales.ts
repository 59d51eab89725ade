import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { repeat } from "#server/platform/repeat.ts";
import type { Services } from "#server/services.ts";
import { elapseSale, type SaleServices } from "./change-sale.ts";
import { expireOffersOf } from "./second-chances.ts";
import { sale, secondChance } from "./tables.ts";

/** Milliseconds between two checks, and rows per query. */
const interval = 2_000;
const pageSize = 100;

/**
 * Lets silence decide due sales, and expires due offers. Several nodes may do this concurrently, because each change is
 * made under the lock of its sale. A failure doesn't stop the rest; all failures are returned by id.
 */
export async function processDueSales(
  services: SaleServices,
  signal?: AbortSignal,
): Promise<Map<string, unknown>> {
  const { db } = services.database;
  const failures = new Map<string, unknown>();
  const tasks = [
    { due: dueSales, end: elapseSale },
    { due: dueOffers, end: expireOffersOf },
  ];
  for (const { due, end } of tasks) {
    let last: DueRow | undefined;
    do {
      const page = await due(db, last);
      for (const { id } of page) {
        if (signal?.aborted) return failures;
        await end(services, id).catch((error: unknown) => failures.set(id, error));
      }
      last = page.at(-1);
    } while (last);
  }
  return failures;
}

/** A due row, which is also the cursor of the next page. */
type DueRow = { id: string; at: Date };

/** Returns a page of due sales, the longest overdue first. */
const dueSales = (db: Reader, after: DueRow | undefined): Promise<DueRow[]> =>
  db
    .select({ id: sale.id, at: sql<Date>`${sale.dueAt}`.mapWith(sale.dueAt) })
    .from(sale)
    .where(and(sql`${sale.dueAt} <= now()`, beyond(sql`(${sale.dueAt}, ${sale.id})`, after)))
    .orderBy(asc(sale.dueAt), asc(sale.id))
    .limit(pageSize);

/** Returns a page of products whose offer is due; a product has at most one open offer. */
const dueOffers = (db: Reader, after: DueRow | undefined): Promise<DueRow[]> => {
  const { productId: id, until: at, state } = secondChance;
  return db
    .select({ id, at })
    .from(secondChance)
    .where(and(eq(state, "open"), sql`${at} <= now()`, beyond(sql`(${at}, ${id})`, after)))
    .orderBy(asc(at), asc(id))
    .limit(pageSize);
};

const beyond = (key: SQL, after: DueRow | undefined): SQL | undefined =>
  after ? sql`${key} > (${after.at.toISOString()}, ${after.id})` : undefined;

/** Runs `processDueSales` regularly on every node, beside the closer of auctions. */
export const createSaleProcessor = (services: SaleServices & Pick<Services, "log">) =>
  repeat(services.log, {
    pause: interval,
    run: async (report, signal) => report(await processDueSales(services, signal)),
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
