import type pg from "pg";
import type { ListedProduct } from "#contract/auctions.ts";
import { type AuctionSort } from "#domain/auction-list.ts";
import { searchWords } from "#domain/search-words.ts";
import { auctionsPerPage } from "#protocol/page-sizes.ts";
import { type Cursor, paginate, writeCursor } from "#server/platform/cursor.ts";
import type { ReadPools, Reads } from "#server/platform/reads.ts";
import { createSingleFlightCache } from "#server/platform/single-flight-cache.ts";
import type { Facets } from "./list-order.ts";
import { countInOrder, pageBySearch, pageInOrder, type Statement, wanted } from "./list-statements.ts";
import { correctedQuery, searchQuery, withoutBeginning } from "./search-query.ts";

export type ProductQuery = {
  /** Without spaces around it; empty: everything. */
  search: string;
  facets: Facets | null;
  sort: AuctionSort;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/**
 * Products that a search reads in the order asked for: what many have is found among them. At a million products it takes
 * about as long as the index for what just too few have.
 */
export const searchedInOrder = 4_000;
/** What a page reads: by price some may be over and not settled yet. */
export const readForPage: Record<AuctionSort, number> = {
  endingSoonest: wanted,
  newest: wanted,
  priceUp: 1_000,
  priceDown: 1_000,
};

/** `key`: a time as ISO 8601 has it, or cents. */
type Row = { key: string | number; product: ListedProduct };

const run = async (pool: pg.Pool, statement: Statement): Promise<Row[]> =>
  (await pool.query<{ products: Row[] }>(statement)).rows[0]?.products ?? [];

const isPage = (found: readonly Row[]) => found.length > auctionsPerPage;

/** A page without a search. What the first products did not fill is read to the end of the order. */
async function readPage(pool: pg.Pool, query: ProductQuery): Promise<Row[]> {
  const among = readForPage[query.sort];
  const found = await run(pool, pageInOrder(query, null, among));
  return isPage(found) || among === wanted ? found : await run(pool, pageInOrder(query, null, null));
}

/** What many items have is found soon by reading in order, what few have by the index. */
async function find(pool: pg.Pool, query: ProductQuery, search: string): Promise<Row[]> {
  const first = await run(pool, pageInOrder(query, search, searchedInOrder));
  if (isPage(first)) return first;
  const all = await run(pool, pageBySearch(query, search));
  // The index doesn't know words like "the".
  return all.length > first.length ? all : first;
}

/** What finds nothing is looked for without a last word that is still being typed, and as a misspelling. */
async function search(pool: pg.Pool, query: ProductQuery, words: readonly string[]): Promise<Row[]> {
  const found = await find(pool, query, searchQuery(words));
  if (found.length > 0) return found;
  const instead = withoutBeginning(words) ?? (await correctedQuery(pool, words));
  return instead === null ? [] : await find(pool, query, instead);
}

const cursorAfter = ({ key, product: { id } }: Row): string =>
  writeCursor(typeof key === "number" ? String(key) : new Date(key).toISOString(), id);

/** A page of the open auctions; `next` is null on the last one. `turn` carries out what is a search. */
export async function listProducts(
  { pool, searchPool }: ReadPools,
  query: ProductQuery,
  turn: <Found>(work: () => Promise<Found>) => Promise<Found>,
) {
  const words = searchWords(query.search);
  const found = await (words.length > 0
    ? turn(() => search(searchPool, query, words))
    : readPage(pool, query));
  const { rows, next } = paginate(found, query.limit ?? auctionsPerPage, cursorAfter);
  return { products: rows.map(({ product }) => product), next };
}

/** Milliseconds for which a count is kept: it takes several times as long as a page. */
const countedFor = 1_000;

/** How many open auctions there are of these kinds and grades, as of a second ago, up to one more than `auctionsCounted`. */
export function createOpenCounts(reads: Reads) {
  const counts = createSingleFlightCache<number>(countedFor, 2);
  return (facets: Facets | null): Promise<number> =>
    counts.get(JSON.stringify(facets), async () => {
      const { rows } = await reads.run(({ pool }) => pool.query<{ count: number }>(countInOrder(facets)));
      return rows[0]?.count ?? 0;
    });
}
export type OpenCounts = ReturnType<typeof createOpenCounts>;
