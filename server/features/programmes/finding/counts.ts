import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { ProgrammeCounts } from "#contract/programmes.ts";
import { type ProgrammeFacet, programmeFacets } from "#domain/programme-list.ts";
import { searchWords } from "#domain/search-words.ts";
import type { Reads } from "#server/platform/reads.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import { noAmount } from "../tables.ts";
import {
  isFound,
  isPayable,
  lookupOf,
  type ProgrammeFilters,
  type Statement,
  statement,
} from "./conditions.ts";
import { searchFor } from "./words.ts";

/**
 * How many programmes have these values of the five facets, and start in a month (YYYY-MM). `month` is null for the cell
 * that counts each programme once. `payable` counts those within `feeUpTo`, with those of which nobody knows the fee.
 */
type Cell = Record<ProgrammeFacet, string> & {
  month: string | null;
  all: number;
  payable: number;
  unknownFee: number;
};

const facetColumns = programmeFacets.join(", ");

/** Counts everything that has the words, by facets and months. The filters are applied to the cells afterwards. */
function cellsOf(words: string | null, feeUpTo: number | undefined): Statement {
  return statement(undefined, (put) => {
    const lookup = lookupOf(words, {}, put);
    const figures = `count(*)::int as all,
      ${feeUpTo === undefined ? "count(*)::int" : `(count(*) filter (where ${isPayable(feeUpTo, put)}))::int`} as payable,
      (count(*) filter (where tuition_rand = ${noAmount}))::int as "unknownFee"`;
    return `with found as materialized (
        select id, ${facetColumns}, tuition_rand from programme
        where removed_at is null ${lookup ? `and ${isFound(lookup)}` : ""})
      select ${facetColumns}, null as month, ${figures} from found group by ${facetColumns}
      union all
      select ${facetColumns}, year || '-' || lpad(month::text, 2, '0') as month, ${figures}
      from found join programme_intake on programme_id = found.id
      where dropped_at is null and state in ('open', 'notYet') and make_date(year, month, 1) > current_date
      group by ${facetColumns}, year, month`;
  });
}

/** Whether a cell has these filters, all or all but one. */
function isChosen(cell: Cell, filters: ProgrammeFilters, without?: ProgrammeFacet | "intake"): boolean {
  const hasFacets = programmeFacets.every(
    (facet) => facet === without || filters[facet] === undefined || filters[facet] === cell[facet],
  );
  // Without a month, each programme counts once; with one, those that start in it.
  const month = without === "intake" ? null : (filters.intake ?? null);
  return hasFacets && cell.month === month;
}

const sum = (cells: readonly Cell[], figure: "all" | "payable" | "unknownFee"): number =>
  cells.reduce((total, cell) => total + cell[figure], 0);

function countsBy(cells: readonly Cell[], key: (cell: Cell) => string | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const cell of cells) {
    const value = key(cell);
    if (value !== null && cell.payable > 0) counts[value] = (counts[value] ?? 0) + cell.payable;
  }
  return counts;
}

const totalOf = (cells: readonly Cell[], filters: ProgrammeFilters): number =>
  sum(
    cells.filter((cell) => isChosen(cell, filters)),
    "payable",
  );

/** Returns what each choice of a filter would leave, and, of an empty list, what it would have without each filter. */
function countsOf(
  cells: readonly Cell[],
  filters: ProgrammeFilters,
  wordless: readonly Cell[] | null,
): ProgrammeCounts {
  const chosen = cells.filter((cell) => isChosen(cell, filters));
  const withoutFacet = (facet: ProgrammeFacet | "intake") =>
    cells.filter((cell) => isChosen(cell, filters, facet));
  const byFacet = (facet: ProgrammeFacet) => countsBy(withoutFacet(facet), (cell) => cell[facet]);
  const { intake: _, ...otherThanIntake } = filters;
  const months = cells.filter(
    (cell) => cell.month !== null && isChosen(cell, { ...otherThanIntake, intake: cell.month }),
  );
  const total = sum(chosen, "payable");
  const without: Record<string, number> = {};
  if (total === 0) {
    for (const facet of [...programmeFacets, "intake"] as const)
      if (filters[facet] !== undefined) without[facet] = sum(withoutFacet(facet), "payable");
    if (filters.feeUpTo !== undefined) without["feeUpTo"] = sum(chosen, "all");
    if (wordless) without["search"] = totalOf(wordless, filters);
  }
  return {
    total,
    country: byFacet("country"),
    level: byFacet("level"),
    field: byFacet("field"),
    language: byFacet("language"),
    mode: byFacet("mode"),
    intake: countsBy(months, (cell) => cell.month),
    unknownFee: filters.feeUpTo === undefined ? 0 : sum(chosen, "unknownFee"),
    without,
  };
}

/** Milliseconds for which counts without words are cached: every visitor's first page asks for them. */
const countedFor = 5_000;
/** Limits of fees whose counts are cached; each takes up to a megabyte. */
const cachedLimits = 20;

/** Counts programmes. Without words, the counts may be five seconds old. */
export function createProgrammeCounts(reads: Reads) {
  const read = async (pool: pg.Pool, words: string | null, feeUpTo: number | undefined) =>
    (await pool.query<Cell>(cellsOf(words, feeUpTo))).rows;
  const wordless = new LRUCache<string, Cell[], number | undefined>({
    max: cachedLimits,
    ttl: countedFor,
    fetchMethod: (_key, _stale, { context: feeUpTo }) =>
      reads.run(({ searchPool }) => read(searchPool, null, feeUpTo)),
  });
  const withoutWords = (feeUpTo: number | undefined): Promise<Cell[]> =>
    wordless.forceFetch(String(feeUpTo), { context: feeUpTo });

  return async (search: string, filters: ProgrammeFilters, queueSearch: QueueSearch) => {
    const { feeUpTo } = filters;
    const words = searchWords(search);
    if (words.length === 0) {
      const cells =
        feeUpTo === undefined ? await withoutWords(feeUpTo) : await queueSearch(() => withoutWords(feeUpTo));
      return countsOf(cells, filters, null);
    }
    return await queueSearch(async () => {
      const { answer } = await reads.run(({ searchPool }) =>
        searchFor<Cell[]>(
          searchPool,
          words,
          (cells) => totalOf(cells, filters) === 0,
          (query) => read(searchPool, query, feeUpTo),
        ),
      );
      const isEmpty = totalOf(answer, filters) === 0;
      return countsOf(answer, filters, isEmpty ? await withoutWords(feeUpTo) : null);
    });
  };
}
