import type pg from "pg";
import type { ProgrammeSort } from "#domain/programme-list.ts";
import { searchWords } from "#domain/search-words.ts";
import { programmesPerPage } from "#protocol/page-sizes.ts";
import { type Cursor, firstFull, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import type { ReadPools } from "#server/platform/reads.ts";
import { searchFor } from "#server/platform/search-query.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import { type ListedRow, positionOf, readCards } from "./cards.ts";
import {
  beyond,
  conditions,
  inOrderSearchLimit,
  isNarrowed,
  lookupOf,
  orders,
  type ProgrammeFilters,
  programmeWords,
  type Statement,
  statement,
  withinBudget,
} from "./conditions.ts";

export type ProgrammeQuery = {
  search: string;
  filters: ProgrammeFilters;
  sort: ProgrammeSort;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** The rows of a page, and one more that shows whether there is another page. */
const rowsToRead = programmesPerPage + 1;

const run = async (pool: pg.Pool, query: Statement): Promise<ListedRow[]> =>
  (await pool.query<ListedRow>(query)).rows;

/** Reads a page of all programmes, with the index of its order only. */
function pageOfAll({ sort, cursor }: ProgrammeQuery): Statement {
  const order = orders[sort];
  return statement(
    `programmes_${sort}${cursor ? "_further" : ""}`,
    (bind) => `
      select id, stale, ${order.key} as key from programme_listing
      where ${["not removed", ...beyond(order, cursor, bind)].join(" and ")}
      order by stale, ${order.key}, id limit ${rowsToRead}`,
  );
}

/** Reads a page of the programmes with the words and filters among the first ones in the order. */
function pageInOrder({ filters, sort, cursor }: ProgrammeQuery, words: string | null): Statement {
  const order = orders[sort];
  return statement(
    undefined,
    (bind) => `
      select id, stale, key from (
        select id, stale, ${order.key} as key, search, tuition_rand from programme_listing
        where ${["not removed", ...beyond(order, cursor, bind)].join(" and ")}
        order by stale, ${order.key}, id limit ${inOrderSearchLimit}) first
      where ${conditions(words, filters, bind).join(" and ") || "true"}
      order by stale, key, id limit ${rowsToRead}`,
  );
}

/**
 * Reads a page of all programmes with the words and filters. `offset 0` makes PostgreSQL use the search index instead
 * of scanning the order, whatever it estimates; a materialized table would cost more.
 */
function pageBySearch({ filters, sort, cursor }: ProgrammeQuery, words: string | null): Statement {
  const order = orders[sort];
  return statement(undefined, (bind) => {
    const lookup = lookupOf(words, filters, bind);
    const others = [
      ...(filters.feeUpTo === undefined ? [] : [withinBudget(filters.feeUpTo, bind)]),
      ...beyond({ ...order, key: "key" }, cursor, bind),
    ];
    const matching = lookup ? `search @@ ${lookup.query} offset 0` : "true";
    return `
      select id, stale, key from (
        select id, stale, tuition_rand, ${order.key} as key from programme_listing
        where not removed and ${matching}) matching
      where ${others.join(" and ") || "true"}
      order by stale, key, id limit ${rowsToRead}`;
  });
}

const find = (pool: pg.Pool, query: ProgrammeQuery, words: string | null): Promise<ListedRow[]> =>
  firstFull(programmesPerPage, [
    () => run(pool, pageInOrder(query, words)),
    () => run(pool, pageBySearch(query, words)),
  ]);

/** Lists a page of the catalogue; `next` is null on the last one. */
export async function listProgrammes(
  { pool, searchPool }: ReadPools,
  query: ProgrammeQuery,
  queueSearch: QueueSearch,
) {
  const words = searchWords(query.search);
  const read = async () => {
    if (words.length > 0)
      return await queueSearch(() =>
        searchFor<ListedRow[]>(
          searchPool,
          programmeWords,
          words,
          (rows) => rows.length === 0,
          (tsquery) => find(searchPool, query, tsquery),
        ),
      );
    const rows = isNarrowed(query.filters)
      ? await queueSearch(() => find(searchPool, query, null))
      : await run(pool, pageOfAll(query));
    return { answer: rows, corrected: null };
  };
  const { answer, corrected } = await read();
  const size = query.limit ?? programmesPerPage;
  const { rows, next } = paginate(answer, size, (row) => writeCursor(positionOf(row)));
  const cards = await readCards(pool, rows, query.filters);
  return { programmes: rows.flatMap(({ id }) => cards.get(id) ?? []), next, corrected };
}
