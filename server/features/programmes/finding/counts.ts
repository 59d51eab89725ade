import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { ProgrammeCounts } from "#contract/programmes.ts";
import { type ProgrammeFacet, programmeFacets } from "#domain/programme-list.ts";
import { searchWords } from "#domain/search-words.ts";
import type { Reads } from "#server/platform/reads.ts";
import { searchFor } from "#server/platform/search-query.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import { noAmount } from "../tables.ts";
import {
  conditions,
  matchesMostRows,
  type ProgrammeFilters,
  programmeWords,
  statement,
  withinBudget,
} from "./conditions.ts";

/**
 * Number of programmes with these values of the five facets. `starts` says whether they start in the requested month,
 * or that none was requested. `payable` counts those within `feeUpTo` or with an unknown fee.
 */
type Cell = Record<ProgrammeFacet, string> & {
  starts: boolean;
  all: number;
  payable: number;
  unknownFee: number;
};
type MonthCount = { month: string; count: number };
/** Counts by facet cell, and by start month without the month filter. */
type FacetCounts = { cells: Cell[]; months: MonthCount[] };

/**
 * Counts everything that has the words and all facet filters except one at most. The filters are applied to the cells
 * afterwards, so that each option of a facet shows its count in place of the chosen one.
 */
async function readCells(
  pool: pg.Pool,
  words: string | null,
  { feeUpTo, intake, ...facets }: ProgrammeFilters,
): Promise<Cell[]> {
  const { rows } = await pool.query<Omit<Cell, ProgrammeFacet> & { facets: string }>(
    statement(undefined, (bind) => {
      const starts = intake === undefined ? "true" : `starts like ${bind(`%${intake}%`)}`;
      const payable = feeUpTo === undefined ? "" : `filter (where ${withinBudget(feeUpTo, bind)})`;
      const where = ["not removed", ...conditions(words, {}, bind), ...matchesMostRows(facets, bind)];
      return `select facets, ${starts} as starts, count(*)::int as all, (count(*) ${payable})::int as payable,
          (count(*) filter (where tuition_rand = ${noAmount}))::int as "unknownFee"
        from programme_listing where ${where.join(" and ")} group by 1, 2`;
    }),
  );
  return rows.map(({ facets: values, ...counts }) => {
    // In the order of `programmeFacets`.
    const [country = "", level = "", field = "", language = "", mode = ""] = values.split("/");
    return { country, level, field, language, mode, ...counts };
  });
}

async function readMonths(
  pool: pg.Pool,
  words: string | null,
  filters: ProgrammeFilters,
): Promise<MonthCount[]> {
  const { rows } = await pool.query<MonthCount>(
    statement(undefined, (bind) => {
      const others = conditions(words, { ...filters, intake: undefined }, bind);
      // Groups by the list of starts first, because programmes have few different ones.
      return `select month, sum(alike.count)::int as count
        from (
          select starts, count(*) from programme_listing
          where ${["not removed", ...others].join(" and ")} group by starts) alike
        cross join string_to_table(starts, ' ') month group by month`;
    }),
  );
  return rows;
}

/** Whether a cell has all facet filters, except for `without`. */
const hasFacets = (cell: Cell, filters: ProgrammeFilters, without?: ProgrammeFacet): boolean =>
  programmeFacets.every(
    (facet) => facet === without || filters[facet] === undefined || filters[facet] === cell[facet],
  );
const chosenOf = (cells: readonly Cell[], filters: ProgrammeFilters, without?: ProgrammeFacet): Cell[] =>
  cells.filter((cell) => cell.starts && hasFacets(cell, filters, without));

const sum = (cells: readonly Cell[], figure: "all" | "payable" | "unknownFee"): number =>
  cells.reduce((total, cell) => total + cell[figure], 0);
const totalOf = (cells: readonly Cell[], filters: ProgrammeFilters): number =>
  sum(chosenOf(cells, filters), "payable");

/** Returns the number of programmes that an empty list would have without each of its filters. */
function withoutEach(cells: readonly Cell[], filters: ProgrammeFilters, wordless: readonly Cell[] | null) {
  const without: Record<string, number> = {};
  for (const facet of programmeFacets)
    if (filters[facet] !== undefined) without[facet] = sum(chosenOf(cells, filters, facet), "payable");
  if (filters.intake !== undefined)
    without["intake"] = sum(
      cells.filter((cell) => hasFacets(cell, filters)),
      "payable",
    );
  if (filters.feeUpTo !== undefined) without["feeUpTo"] = sum(chosenOf(cells, filters), "all");
  if (wordless) without["search"] = totalOf(wordless, filters);
  return without;
}

function countsOf(
  { cells, months }: FacetCounts,
  filters: ProgrammeFilters,
  wordless: readonly Cell[] | null,
): ProgrammeCounts {
  const byFacet = (facet: ProgrammeFacet) => {
    const counts: Record<string, number> = {};
    for (const cell of chosenOf(cells, filters, facet))
      if (cell.payable > 0) counts[cell[facet]] = (counts[cell[facet]] ?? 0) + cell.payable;
    return counts;
  };
  const total = totalOf(cells, filters);
  return {
    total,
    country: byFacet("country"),
    level: byFacet("level"),
    field: byFacet("field"),
    language: byFacet("language"),
    mode: byFacet("mode"),
    intake: Object.fromEntries(months.map(({ month, count }) => [month, count])),
    unknownFee: filters.feeUpTo === undefined ? 0 : sum(chosenOf(cells, filters), "unknownFee"),
    without: total === 0 ? withoutEach(cells, filters, wordless) : {},
  };
}

/** Milliseconds after which cached counts are refreshed, and after which stale ones are no longer shown. */
const refreshAfter = 5_000;
const maxAge = 60_000;
/** Number of cached counts: of the whole catalogue, and of chosen filters. */
const maxCached = 100;

/** Caches counts, and returns the previous ones while new ones are computed. */
function cached<Row>(
  reads: Reads,
  read: (pool: pg.Pool, words: null, filters: ProgrammeFilters) => Promise<Row[]>,
) {
  const cache = new LRUCache<string, { rows: Row[]; at: number }, ProgrammeFilters>({
    max: maxCached,
    ttl: refreshAfter,
    allowStale: true,
    fetchMethod: async (_key, _stale, { context: filters }) => {
      const at = performance.now();
      return { rows: await reads.run(({ pool }) => read(pool, null, filters)), at };
    },
  });
  return async (filters: ProgrammeFilters): Promise<Row[]> => {
    const [key, context] = [JSON.stringify(filters), filters];
    const answer = await cache.forceFetch(key, { context });
    if (performance.now() - answer.at < maxAge) return answer.rows;
    return (await cache.forceFetch(key, { context, forceRefresh: true })).rows;
  };
}

/** Counts programmes. Without words, the counts may be up to a minute old. */
export function createProgrammeCounts(reads: Reads) {
  const cells = cached(reads, readCells);
  const months = cached(reads, readMonths);

  const withoutWords = (filters: ProgrammeFilters) => {
    const { feeUpTo, intake, ...facets } = filters;
    return Promise.all([cells({ feeUpTo, intake }), months({ ...facets, feeUpTo })]);
  };
  const count = async (pool: pg.Pool, words: string, filters: ProgrammeFilters): Promise<FacetCounts> => {
    const [cells, months] = await Promise.all([
      readCells(pool, words, filters),
      readMonths(pool, words, filters),
    ]);
    return { cells, months };
  };

  return async (search: string, filters: ProgrammeFilters, queueSearch: QueueSearch) => {
    const words = searchWords(search);
    const isUnfiltered = Object.values(filters).every((value) => value === undefined);
    if (words.length === 0) {
      const read = () => withoutWords(filters);
      const [facetCells, monthCounts] = isUnfiltered ? await read() : await queueSearch(read);
      return countsOf({ cells: facetCells, months: monthCounts }, filters, null);
    }
    return await queueSearch(async () => {
      const { answer } = await reads.run(({ searchPool }) =>
        searchFor<FacetCounts>(
          searchPool,
          programmeWords,
          words,
          (answer) => totalOf(answer.cells, filters) === 0,
          (query) => count(searchPool, query, filters),
        ),
      );
      const isEmpty = totalOf(answer.cells, filters) === 0;
      return countsOf(answer, filters, isEmpty ? (await withoutWords(filters))[0] : null);
    });
  };
}
