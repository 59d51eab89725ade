import { inArray, type SQL, sql } from "drizzle-orm";
import { currencies, decimalsOf } from "#domain/currency.ts";
import { studyFieldLabels } from "#domain/programme.ts";
import type { Transaction } from "#server/platform/database.ts";
import { noAmount, programme } from "./tables.ts";

const fieldWords = sql.join(
  Object.entries(studyFieldLabels).map(([field, label]) => sql`when ${field}::text then ${label}::text`),
  sql` `,
);
/** How many of its smallest units one of each currency has. */
const smallestUnits = sql.join(
  currencies.map((each) => sql`when ${each}::text then ${10 ** decimalsOf[each]}::numeric`),
  sql` `,
);

/** Whether somebody may apply for an intake in the tables, or will (`takesApplications` in the domain). */
export const takesApplications = `dropped_at is null and state in ('open', 'notYet') and make_date(year, month, 1) > current_date
  and not coalesce((select bool_or(group_id is null) and bool_and(hard and due_at <= now())
    from intake_deadline where intake_id = programme_intake.id and kind = 'applyBy'), false)`;
const isComing = sql.raw(takesApplications);

/**
 * Computes what lists are filtered and ordered by. A deadline that has passed orders nothing any more. The filters stand
 * in the search index beside the words, so that one look into it serves both: `/GB`, `/Postgraduate`, `/2027-09`.
 */
const listingOf = (which: SQL) => sql`
  select listed.id, institution.country, folded(listed.title) as title_key,
    strip(to_tsvector('auction_search', search_text(listed.title || ' ' || listed.award || ' ' || listed.level) || ' ' ||
        search_text(institution.name || ' ' || array_to_string(institution.other_names, ' ') || ' ' || institution.place)
        || ' ' || case listed.field ${fieldWords} else '' end))
      || array_to_tsvector(array['/' || institution.country, '/' || listed.level, '/' || listed.field, '/' || listed.language, '/' || listed.mode])
      || array_to_tsvector(array(select '/' || start from unnest(all_coming.starts) start)) as search,
    all_coming.starts,
    coalesce(coming.start, date_trunc('month', current_date + interval '1 month')::date) as judged_for,
    case when coming.apply_by > now() then coming.apply_by else '9999-12-31T00:00:00Z' end as apply_by,
    fee.amount as tuition,
    fee.currency as tuition_currency,
    coalesce(fee.rand, ${sql.raw(String(noAmount))}) as tuition_rand,
    listed.checked_on < current_date - interval '18 months' as stale
  from programme listed
  join institution on institution.id = listed.institution_id
  cross join lateral (
    select array(
      select year || '-' || lpad(month::text, 2, '0') from programme_intake
      where programme_id = listed.id and ${isComing} order by year, month) as starts) all_coming
  left join lateral (
    select make_date(year, month, 1) as start, due_at as apply_by
    from programme_intake
    left join intake_deadline on intake_id = programme_intake.id and kind = 'applyBy' and group_id is null
    where programme_id = listed.id and ${isComing}
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

const derived =
  "country title_key search starts judged_for apply_by tuition tuition_currency tuition_rand stale".split(
    " ",
  );
const columnsOf = (table: string) => sql.raw(derived.map((column) => `${table}.${column}`).join(", "));

/**
 * Writes the columns that lists are filtered and ordered by: from the programmes, their institutions, intakes, fees and
 * the newest rates. It is called with every change of these, for programmes whose rows are locked, and each night for
 * all, since intakes pass and rates age. Unchanged rows are not written. It reads nothing of agreements.
 */
export async function refreshListing(tx: Pick<Transaction, "execute">, which: SQL): Promise<void> {
  await tx.execute(sql`
    update programme set (${sql.raw(derived.join(", "))}) = (${columnsOf("fresh")})
    from (${listingOf(which)}) fresh
    where programme.id = fresh.id and (${columnsOf("fresh")}) is distinct from (${columnsOf("programme")})`);
  // In the order of the words, so that two transactions never wait for each other.
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

/** Refreshes the listing of these programmes. */
export const refreshListingOf = (tx: Pick<Transaction, "execute">, ids: readonly string[]) =>
  ids.length === 0 ? Promise.resolve() : refreshListing(tx, inArray(programme.id, [...ids]));
