import { inArray, type SQL, sql } from "drizzle-orm";
import { studyFieldLabels } from "#domain/programme.ts";
import type { Transaction } from "#server/platform/database.ts";
import { noAmount, programme } from "./tables.ts";

const fieldWords = sql.join(
  Object.entries(studyFieldLabels).map(([field, label]) => sql`when ${field}::text then ${label}::text`),
  sql` `,
);

/**
 * Writes the columns that lists are filtered and ordered by: from the programmes, their institutions, intakes, fees and
 * the newest rates. It is called with every change of these, for programmes whose rows are locked, and each night for
 * all, since intakes pass and rates age. It reads nothing of agreements.
 */
export async function refreshListing(tx: Pick<Transaction, "execute">, which: SQL): Promise<void> {
  await tx.execute(sql`
    update programme set
      country = institution.country,
      title_key = folded(listed.title),
      search = strip(to_tsvector('auction_search', search_text(listed.title || ' ' || listed.award || ' ' || listed.level) || ' ' ||
          search_text(institution.name || ' ' || array_to_string(institution.other_names, ' ') || ' ' || institution.place)
          || ' ' || case listed.field ${fieldWords} else '' end))
        || array_to_tsvector(array['/' || institution.country, '/' || listed.level, '/' || listed.field, '/' || listed.language, '/' || listed.mode]),
      judged_for = coalesce(coming.start, date_trunc('month', current_date + interval '1 month')::date),
      apply_by = coalesce(coming.apply_by, '9999-12-31T00:00:00Z'),
      tuition = fee.amount,
      tuition_currency = fee.currency,
      tuition_rand = coalesce(fee.rand, ${sql.raw(String(noAmount))}),
      stale = listed.checked_on < current_date - interval '18 months'
    from programme listed
    join institution on institution.id = listed.institution_id
    left join lateral (
      select make_date(year, month, 1) as start, due_at as apply_by
      from programme_intake
      left join intake_deadline on intake_id = programme_intake.id and kind = 'applyBy' and group_id is null
      where programme_id = listed.id and dropped_at is null and state in ('open', 'notYet')
        and make_date(year, month, 1) > current_date
      order by year, month limit 1) coming on true
    left join lateral (
      select amount, currency, round(amount / decimals.factor / rate.per_rand * 100)::bigint as rand
      from programme_fee
      cross join lateral (
        select (case currency when 'JPY' then 1 when 'KWD' then 1000 else 100 end)::numeric as factor) decimals
      left join lateral (
        (select per_rand from exchange_rate
          where exchange_rate.currency = programme_fee.currency and day <= current_date order by day desc limit 1)
        union all (select 1 where programme_fee.currency = 'ZAR')
        limit 1) rate on true
      where programme_id = listed.id and kind = 'tuition' and per = 'year' and audience <> 'home'
      order by academic_year desc, audience desc limit 1) fee on true
    where programme.id = listed.id and ${which}`);
}

/** Refreshes the listing of these programmes. */
export const refreshListingOf = (tx: Pick<Transaction, "execute">, ids: readonly string[]) =>
  ids.length === 0 ? Promise.resolve() : refreshListing(tx, inArray(programme.id, [...ids]));
