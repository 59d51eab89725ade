import { asc, desc, inArray, sql } from "drizzle-orm";
import { calendarDate } from "#domain/calendar-date.ts";
import { type Rate, ratesProblem } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refreshListing } from "../listing.ts";
import { rowsOf } from "../store-requirements.ts";
import { exchangeRate, programme } from "../tables.ts";

/** Returns the newest rate of each currency. */
export const newestRates = (db: Reader): Promise<Rate[]> =>
  db
    .selectDistinctOn([exchangeRate.currency], {
      day: exchangeRate.day,
      currency: exchangeRate.currency,
      perRand: sql<string>`trim_scale(${exchangeRate.perRand})::text`,
    })
    .from(exchangeRate)
    .orderBy(asc(exchangeRate.currency), desc(exchangeRate.day));

/** Enters rates, in place of those of the same day, and computes what tuition in their currencies is about in rand. */
export async function enterRates(
  { database }: Pick<Services, "database">,
  actor: Actor,
  rates: readonly Rate[],
): Promise<void> {
  const problem = ratesProblem(rates, calendarDate(new Date()));
  if (problem) throw Refusal.of(problem);
  const ids = await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    await tx
      .insert(exchangeRate)
      .values(rates.toSorted((one, other) => (one.currency + one.day < other.currency + other.day ? -1 : 1)))
      .onConflictDoUpdate({
        target: [exchangeRate.currency, exchangeRate.day],
        set: { perRand: sql`excluded.per_rand` },
      });
    await recordAudit(tx, {
      action: "rates-entered",
      ...actedBy(actor),
      detail: { count: String(rates.length) },
    });
    const currencies = [...new Set(rates.map(({ currency }) => currency))];
    return await tx
      .select({ id: programme.id })
      .from(programme)
      .where(inArray(programme.tuitionCurrency, currencies))
      .orderBy(programme.id);
  });
  await refreshInBatches(
    { database },
    ids.map(({ id }) => id),
  );
}

/** Programmes whose listing is refreshed in one transaction: few enough that an edit hardly waits for them. */
const batchSize = 2000;

/** Refreshes the listing of very many programmes, a part at a time. */
async function refreshInBatches(
  { database }: Pick<Services, "database">,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += batchSize)
    await database.transaction(async (tx) => {
      const batch = rowsOf(ids.slice(start, start + batchSize));
      const which = sql`${programme.id} in (select jsonb_array_elements_text(${batch})::uuid)`;
      await tx.select({ id: programme.id }).from(programme).where(which).orderBy(programme.id).for("update");
      await refreshListing(tx, which);
    });
}
