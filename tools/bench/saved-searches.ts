import pg from "pg";
import { categories, grades, subcategoriesOf } from "#domain/auction.ts";
import type { SearchFilters } from "#domain/watching.ts";
import { matchItem } from "#server/features/auctions/watching/match-item.ts";
import { indexed } from "#server/features/auctions/watching/search-anchors.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { fillAuctions } from "./auction-data.ts";
import { openFixture } from "./fixture.ts";
import { type Figure, median, milliseconds, p95, time } from "./measure.ts";
import { inTime } from "./pace.ts";
import { productManners, productModels, productWords } from "./product-names.ts";

const [products, searches] = [1_000_000, 100_000];
/** Number of new items that are matched, after some that don't count. */
const [matched, before] = [1_000, 200];

const none: SearchFilters = {
  search: "",
  category: null,
  subcategory: null,
  grade: null,
  delivery: null,
  priceFrom: null,
  priceTo: null,
};

/** Returns typical searches: a maker and a kind, a kind with a colour, a model's number, or filters alone. */
function kindsOfSearches(): SearchFilters[] {
  const searches: SearchFilters[] = [];
  for (const category of categories)
    for (const subcategory of subcategoriesOf[category]) {
      const { makers } = productWords[category];
      const types: readonly string[] = new Map(Object.entries(productWords[category])).get(subcategory) ?? [];
      const grade = grades[searches.length % grades.length] ?? "New";
      searches.push({ ...none, category, subcategory, grade, priceTo: 5_000 });
      for (const type of types) {
        for (const maker of makers) searches.push({ ...none, search: `${maker} ${type}` });
        for (const manner of productManners)
          searches.push({ ...none, search: `${manner} ${type}`, category, priceTo: 50_000 });
        for (const model of productModels) searches.push({ ...none, search: `${type} ${model}`, grade });
      }
    }
  for (let number = 100; number < 1_000; number++)
    searches.push({ ...none, search: `${String.fromCharCode(65 + (number % 26))}${number}` });
  return searches;
}

const addSearches = `
  with kind as (
    select * from json_to_recordset($2) as kind (place int, filters jsonb, query text, anchors jsonb)),
  search as (
    insert into saved_search (id, user_id, name, filters, query, mail)
    select gen_random_uuid(), 'bidder-' || n % 1000, kind.place, kind.filters, kind.query::tsquery, 'daily'
    from generate_series(1, $1::int) n join kind on kind.place = n % $3::int
    returning id, name::int as place)
  insert into saved_search_anchor (search_id, word, other_word)
  select search.id, anchor ->> 'word', anchor ->> 'otherWord'
  from search join kind using (place), jsonb_array_elements(kind.anchors) anchor`;

/** Analyzes the tables, as PostgreSQL does automatically after some time. Only their owner may. */
async function analyze(owner: DatabaseAddress): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  await client.query("vacuum analyze saved_search, saved_search_anchor");
  await client.end();
}

/** Measures how long a new item beside a million others takes to match 100,000 saved searches, including its hits. */
export async function savedSearches(): Promise<Figure[]> {
  const fixture = await openFixture();
  try {
    const { database } = fixture.services;
    await fillAuctions(fixture.owner, products);
    const kinds = [];
    for (const filters of kindsOfSearches()) {
      const search = await indexed(database, filters);
      if (search) kinds.push({ place: kinds.length, filters, ...search });
    }
    await database.pool.query(addSearches, [searches, JSON.stringify(kinds), kinds.length]);
    await analyze(fixture.owner);
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from auction_product order by md5(id::text) limit $1",
      [matched + before],
    );
    const times: number[] = [];
    for (const { id } of rows) times.push(await time(() => matchItem(database, id)));
    const countTimes = times.slice(before);
    const { rows: hits } = await database.pool.query<{ hits: number }>(
      "select count(*)::int as hits from saved_search_hit",
    );
    const value = p95(countTimes);
    const each = ((hits[0]?.hits ?? 0) / rows.length).toFixed(1);
    const detail = `median ${milliseconds(median(countTimes))}, ${each} searches an item fits, of ${searches}`;
    return [await inTime("saved searches, p95 ms", value, 10, detail)];
  } finally {
    await fixture.stop();
  }
}
