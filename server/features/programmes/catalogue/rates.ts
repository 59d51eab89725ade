import { asc, desc, inArray, sql } from "drizzle-orm";
import { calendarDate } from "#domain/calendar-date.ts";
import { type Rate, ratesProblem } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refreshInBatches } from "../listing.ts";
import { exchangeRate, programmeListing } from "../tables.ts";

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

/** Saves rates, replacing those of the same day, and recomputes the tuition in rand for their currencies. */
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
      .select({ id: programmeListing.id })
      .from(programmeListing)
      .where(inArray(programmeListing.tuitionCurrency, currencies))
      .orderBy(programmeListing.titleKey);
  });
  await refreshInBatches(
    database,
    ids.map(({ id }) => id),
  );
}
