import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { ListedProduct } from "#contract/auctions.ts";
import type { AuctionSort } from "#domain/auction-list.ts";
import { searchWords } from "#domain/search-words.ts";
import { auctionsPerPage } from "#protocol/page-sizes.ts";
import { paginate, writeCursor } from "#server/platform/cursor.ts";
import { Limiter } from "#server/platform/limiter.ts";
import type { ReadPools, Reads } from "#server/platform/reads.ts";
import {
  countInOrder,
  type Facets,
  type Fit,
  fits,
  type ProductQuery,
  pageBySearch,
  pageInOrder,
  type Statement,
  wanted,
} from "./list-statements.ts";
import { corrected, searchQuery, withoutBeginning } from "./search-query.ts";

/**
 * Products that a search reads in the order asked for: what many have is found among them. At a million products it takes
 * about as long as the index for what just too few have.
 */
export const searchedInOrder = 4_000;
/** What a page reads: by price some may be over and not settled yet. */
export const readForPage: Record<AuctionSort, number> = {
  bestMatch: wanted,
  endingSoonest: wanted,
  newest: wanted,
  priceUp: 1_000,
  priceDown: 1_000,
};

/** `key`: a time as ISO 8601 has it, or cents. `endDate`: in milliseconds since 1970. */
type Row = {
  key: string | number;
  product: Omit<ListedProduct, "endDate"> & { endDate: number };
  fit?: Fit;
};

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
async function findAlike(pool: pg.Pool, query: ProductQuery, search: string): Promise<Row[]> {
  const first = await run(pool, pageInOrder(query, search, searchedInOrder));
  if (isPage(first)) return first;
  const all = await run(pool, pageBySearch(query, search));
  // The index doesn't know words like "the".
  return all.length > first.length ? all : first;
}

/** In the order by fit, what is called so comes before what only mentions it. */
async function find(pool: pg.Pool, query: ProductQuery, search: string): Promise<Row[]> {
  const { sort, cursor } = query;
  if (sort !== "bestMatch") return await findAlike(pool, query, search);
  const rows: Row[] = [];
  for (const fit of fits.slice(fits.indexOf(cursor?.fit ?? "called"))) {
    const further = cursor?.fit === fit ? cursor : null;
    const alike = await findAlike(pool, { ...query, fit, cursor: further }, search);
    rows.push(...alike.map((row) => ({ ...row, fit })));
    if (isPage(rows)) break;
  }
  return rows;
}

/** `corrected`: what was searched for instead; null when it was what was typed. */
type Found = { rows: Row[]; corrected: string | null };

/** What finds nothing is looked for without a last word that is still being typed, and as a misspelling. */
async function search(pool: pg.Pool, query: ProductQuery, words: readonly string[]): Promise<Found> {
  const rows = await find(pool, query, searchQuery(words));
  if (rows.length > 0) return { rows, corrected: null };
  const shorter = withoutBeginning(words);
  if (shorter !== null) return { rows: await find(pool, query, shorter), corrected: null };
  const meant = await corrected(pool, words);
  const instead = meant ? await find(pool, query, searchQuery(meant)) : [];
  return { rows: instead, corrected: meant && instead.length > 0 ? meant.join(" ") : null };
}

const cursorAfter = ({ key, product: { id }, fit }: Row): string =>
  writeCursor(typeof key === "number" ? String(key) : new Date(key).toISOString(), id, ...(fit ? [fit] : []));

/** A page of the open auctions; `next` is null on the last one. `turn` carries out what is a search. */
export async function listProducts(
  { pool, searchPool }: ReadPools,
  query: ProductQuery,
  turn: <Answer>(work: () => Promise<Answer>) => Promise<Answer>,
) {
  const words = searchWords(query.search);
  const found = await (words.length > 0
    ? turn(() => search(searchPool, query, words))
    : readPage(pool, query).then((rows): Found => ({ rows, corrected: null })));
  const { rows, next } = paginate(found.rows, query.limit ?? auctionsPerPage, cursorAfter);
  const products = rows.map(({ product }) => ({ ...product, endDate: new Date(product.endDate) }));
  return { products, next, corrected: found.corrected };
}

/** Milliseconds for which a count is kept: it takes several times as long as a page. */
const countedFor = 1_000;

/** How many open auctions there are of these kinds and grades, as of a second ago, up to one more than `auctionsCounted`. */
export function createOpenCounts(reads: Reads) {
  const turns = new Limiter({ running: 2, waiting: Number.POSITIVE_INFINITY });
  const counts = new LRUCache<string, number, Facets | null>({
    max: 1_000,
    ttl: countedFor,
    fetchMethod: (key, _, { context: facets }) =>
      turns.run(key, async () => {
        const { rows } = await reads.run(({ pool }) => pool.query<{ count: number }>(countInOrder(facets)));
        return rows[0]?.count ?? 0;
      }),
  });
  return (facets: Facets | null): Promise<number> =>
    counts.forceFetch(JSON.stringify(facets), { context: facets });
}
