import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { ListedProduct } from "#contract/auctions.ts";
import { searchWords } from "#domain/search-words.ts";
import { auctionsPerPage } from "#protocol/page-sizes.ts";
import { firstFull, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { Limiter } from "#server/platform/limiter.ts";
import type { ReadPools, Reads } from "#server/platform/reads.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import {
  countInOrder,
  type Facets,
  type Fit,
  fits,
  type ProductQuery,
  pageByDelivery,
  pageBySearch,
  pageInOrder,
  rowsToRead,
  type Statement,
} from "./list-statements.ts";
import { corrected, searchQuery, withoutBeginning } from "./search-query.ts";

/**
 * Products that a search reads in the requested order: common words are found among them. At a million products this
 * takes about as long as the index takes for words that are just too rare.
 */
export const searchedInOrder = 4_000;

/** A product as PostgreSQL writes it as JSON, with ISO 8601 times. `key` is such a time, or cents. */
type Row = Omit<ListedProduct, "endDate"> & { key: string | number; endDate: string; fit?: Fit };

const run = async (pool: pg.Pool, statement: Statement): Promise<Row[]> =>
  (await pool.query<{ products: Row[] }>(statement)).rows[0]?.products ?? [];

/** Finds a page in two steps. Reading in order also finds words like "the", which the index doesn't know. */
const findAlike = (pool: pg.Pool, query: ProductQuery, search: string): Promise<Row[]> =>
  firstFull(auctionsPerPage, [
    () => run(pool, pageInOrder(query, search, searchedInOrder)),
    () => run(pool, pageBySearch(query, search)),
  ]);

/** Finds a page without a search. Few of the first products may have the delivery that is asked for. */
const findPlain = (pool: pg.Pool, query: ProductQuery): Promise<Row[]> =>
  query.delivery === null
    ? run(pool, pageInOrder(query, null, rowsToRead))
    : firstFull(auctionsPerPage, [
        () => run(pool, pageInOrder(query, null, searchedInOrder)),
        () => run(pool, pageByDelivery(query)),
      ]);

/** Finds a page. In the order by fit, items with the words in their name come before items that only mention them. */
async function find(pool: pg.Pool, query: ProductQuery, search: string): Promise<Row[]> {
  const { sort, cursor } = query;
  if (sort !== "bestMatch") return await findAlike(pool, query, search);
  const rows: Row[] = [];
  const last = fits.find((fit) => fit === cursor?.[2]) ?? "called";
  for (const fit of fits.slice(fits.indexOf(last))) {
    const further = fit === last ? cursor : null;
    const alike = await findAlike(pool, { ...query, fit, cursor: further }, search);
    rows.push(...alike.map((row) => ({ ...row, fit })));
    if (rows.length > auctionsPerPage) break;
  }
  return rows;
}

/** `corrected` is the corrected search; null when it was run as typed. */
type SearchResult = { rows: Row[]; corrected: string | null };

/**
 * Runs a search. If nothing is found, tries without a last word that is still being typed, and then corrects the
 * spelling.
 */
async function search(pool: pg.Pool, query: ProductQuery, words: readonly string[]): Promise<SearchResult> {
  const rows = await find(pool, query, searchQuery(words));
  if (rows.length > 0) return { rows, corrected: null };
  const shorter = withoutBeginning(words);
  if (shorter !== null) return { rows: await find(pool, query, shorter), corrected: null };
  const meant = await corrected(pool, words);
  const instead = meant ? await find(pool, query, searchQuery(meant)) : [];
  return { rows: instead, corrected: meant && instead.length > 0 ? meant.join(" ") : null };
}

const cursorAfter = ({ key, id, fit }: Row): string =>
  writeCursor([typeof key === "number" ? String(key) : new Date(key), id, ...(fit ? [fit] : [])]);

/** Lists a page of the open auctions; `next` is null on the last one. */
export async function listProducts(
  { pool, searchPool }: ReadPools,
  query: ProductQuery,
  queueSearch: QueueSearch,
) {
  const words = searchWords(query.search);
  const result = await (words.length > 0
    ? queueSearch(() => search(searchPool, query, words))
    : findPlain(pool, query).then((rows): SearchResult => ({ rows, corrected: null })));
  const { rows, next } = paginate(result.rows, query.limit ?? auctionsPerPage, cursorAfter);
  const products = rows.map(
    (row): ListedProduct => ({
      id: row.id,
      productName: row.productName,
      category: row.category,
      subcategory: row.subcategory,
      grade: row.grade,
      price: row.price,
      bidCount: row.bidCount,
      endDate: new Date(row.endDate),
      picture: row.picture,
      collectionPlace: row.collectionPlace,
      courier: row.courier,
    }),
  );
  return { products, next, corrected: result.corrected };
}

/** Milliseconds for which a count is cached: counting takes several times as long as a page. */
const countedFor = 1_000;

/**
 * Counts the open auctions of these kinds and grades, up to one more than `auctionsCounted`. A count may be a second
 * old.
 */
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
