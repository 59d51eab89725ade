import { getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { currencies, decimalsOf } from "#domain/currency.ts";
import { studyFieldLabels } from "#domain/programme.ts";
import { programmeFacets } from "#domain/programme-list.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import { rowsOf } from "./store-requirements.ts";
import { noAmount, programme, programmeListing } from "./tables.ts";

const fieldWords = sql.join(
  Object.entries(studyFieldLabels).map(([field, label]) => sql`when ${field}::text then ${label}::text`),
  sql` `,
);
/** The number of smallest units in one unit of each currency. */
const smallestUnits = sql.join(
  currencies.map((each) => sql`when ${each}::text then ${10 ** decimalsOf[each]}::numeric`),
  sql` `,
);

/** Whether an intake in the tables takes applications now or later (`takesApplications` in the domain). */
export const takesApplications = `dropped_at is null and state in ('open', 'notYet') and make_date(year, month, 1) > current_date
  and not coalesce((select bool_or(group_id is null) and bool_and(hard and due_at <= now())
    from intake_deadline where intake_id = programme_intake.id and kind = 'applyBy'), false)`;
const isUpcoming = sql.raw(takesApplications);

const facets = programmeFacets.map((facet) =>
  facet === "country" ? "institution.country" : `listed.${facet}`,
);

/**
 * Computes the columns that lists filter and sort by. A deadline that has passed does not count. The search index
 * contains the filters beside the words, so that one lookup serves both: `/GB`, `/Postgraduate`, `/2027-09`.
 */
const listingOf = (which: SQL) => sql`
  select
    coalesce(fee.rand, ${sql.raw(String(noAmount))}) as tuition_rand,
    case when coming.apply_by > now() then coming.apply_by else '9999-12-31T00:00:00Z' end as apply_by,
    listed.id,
    coalesce(coming.start, date_trunc('month', current_date + interval '1 month')::date) as judged_for,
    listed.removed_at is not null as removed,
    listed.checked_on < current_date - interval '18 months' as stale,
    listed.entry_requirements_id,
    concat_ws('/', ${sql.raw(facets.join(", "))}) as facets,
    folded(listed.title) as title_key,
    array_to_string(all_coming.starts, ' ') as starts,
    strip(to_tsvector('auction_search', search_text(listed.title || ' ' || listed.award || ' ' || listed.level) || ' ' ||
        search_text(institution.name || ' ' || array_to_string(institution.other_names, ' ') || ' ' || institution.place)
        || ' ' || case listed.field ${fieldWords} else '' end))
      || array_to_tsvector(array(select '/' || filter from unnest(array[${sql.raw(facets.join(", "))}] || all_coming.starts) filter))
      as search,
    fee.amount as tuition,
    fee.currency as tuition_currency
  from programme listed
  join institution on institution.id = listed.institution_id
  cross join lateral (
    select array(
      select year || '-' || lpad(month::text, 2, '0') from programme_intake
      where programme_id = listed.id and ${isUpcoming} order by year, month) as starts) all_coming
  left join lateral (
    select make_date(year, month, 1) as start, due_at as apply_by
    from programme_intake
    left join intake_deadline on intake_id = programme_intake.id and kind = 'applyBy' and group_id is null
    where programme_id = listed.id and ${isUpcoming}
    order by year, month limit 1) coming on true
  left join lateral (
    select amount, currency, round(amount / decimals.factor / rate.per_rand * 100)::bigint as rand
    from programme_fee
    cross join lateral (select case currency ${smallestUnits} end as factor) decimals
    left join lateral (
      (select per_rand from exchange_rate
        where exchange_rate.currency = programme_fee.currency and day <= current_date order by day desc limit 1)
      union all (select 1 where programme_fee.currency = 'ZAR')
      limit 1) rate on true
    where programme_id = listed.id and kind = 'tuition' and per = 'year' and audience <> 'home'
    order by academic_year desc, audience desc limit 1) fee on true
  where listed.id in (select id from programme where ${which})`;

const columns = Object.values(getTableColumns(programmeListing)).map(({ name }) => name);
const columnsOf = (table: string) => sql.raw(columns.map((column) => `${table}.${column}`).join(", "));

/**
 * Updates the listing of programmes from their institutions, intakes, fees and the newest rates. Called with every
 * change of these, for programmes whose rows are locked, and each night for all, because intakes pass and rates age.
 * Does not write unchanged rows, and reads nothing of agreements.
 */
export async function refreshListing(tx: Pick<Transaction, "execute">, which: SQL): Promise<void> {
  await tx.execute(sql`
    merge into programme_listing using (${listingOf(which)}) fresh on programme_listing.id = fresh.id
    when not matched then insert (${sql.raw(columns.join(", "))}) values (${columnsOf("fresh")})
    when matched and (${columnsOf("fresh")}) is distinct from (${columnsOf("programme_listing")}) then
      update set (${sql.raw(columns.join(", "))}) = row(${columnsOf("fresh")})`);
  // Inserts the words in order, so that two transactions can't deadlock.
  await tx.execute(sql`
    insert into programme_word (word)
    select distinct word from programme
    join institution on institution.id = institution_id
    cross join lateral unnest(tsvector_to_array(to_tsvector('auction_words',
      search_text(title || ' ' || institution.name || ' ' || array_to_string(other_names, ' '))))) word
    where programme.id in (select id from programme where ${which})
    order by word
    on conflict do nothing`);
}

export const refreshListingOf = (tx: Pick<Transaction, "execute">, ids: readonly string[]) =>
  ids.length === 0 ? Promise.resolve() : refreshListing(tx, inArray(programme.id, [...ids]));

/** Number of programmes that are refreshed in one transaction: few enough that an edit hardly waits for them. */
const batchSize = 500;

/**
 * Refreshes the listing of very many programmes, in batches that lock few at a time. `prepare` changes the data that it
 * is computed from. Ids in the order of titles store rows that a search finds in that order near each other, so that
 * they are read faster.
 */
export async function refreshInBatches(
  database: Database,
  ids: readonly string[],
  prepare: (tx: Transaction, which: SQL) => Promise<unknown> = async () => {},
  size = batchSize,
): Promise<void> {
  for (let start = 0; start < ids.length; start += size)
    await database.transaction(async (tx) => {
      const batch = rowsOf(ids.slice(start, start + size));
      const which = sql`${programme.id} in (select jsonb_array_elements_text(${batch})::uuid)`;
      await tx
        .select({ id: programme.id })
        .from(programme)
        .where(which)
        .orderBy(programme.id)
        .for("no key update");
      await prepare(tx, which);
      await refreshListing(tx, which);
    });
}
