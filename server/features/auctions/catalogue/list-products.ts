import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { ListedProduct } from "#contract/listed-products.ts";
import type { Kind } from "#domain/auction.ts";
import { type SearchFit, searchFits } from "#domain/auction-list.ts";
import { searchWords } from "#domain/search-words.ts";
import { auctionsPerPage, itemsInSitemap, similarItems } from "#protocol/page-sizes.ts";
import { firstFull, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { Limiter } from "#server/platform/limiter.ts";
import { singleFlight } from "#server/platform/memoize.ts";
import type { ReadPools, Reads } from "#server/platform/reads.ts";
import { type SearchResult, searchFor, type Vocabulary } from "#server/platform/search-query.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import {
  countInOrder,
  type Facets,
  type ProductQuery,
  pageBySearch,
  pageInOrder,
  rowsToRead,
  type Statement,
} from "./list-statements.ts";
import { pageByFilters, pageOfSeller, pageOfSimilar } from "./narrowed-statements.ts";
import { isNarrowed } from "./narrowing.ts";

/**
 * Number of products that a search reads in the requested order, among which it finds common words. At a million
 * products this takes about as long as the index takes for words that are just too rare.
 */
export const inOrderSearchLimit = 4_000;

/** A product as PostgreSQL writes it as JSON, with ISO 8601 times. `key` is such a time, or cents. */
type Row = Omit<ListedProduct, "endDate" | "fit"> & {
  key: string | number;
  endDate: string;
  fit?: SearchFit;
};

const run = async (pool: pg.Pool, statement: Statement): Promise<Row[]> =>
  (await pool.query<{ products: Row[] }>(statement)).rows[0]?.products ?? [];

/**
 * Finds a page in two steps. Reading in order also finds words like "the", which the index doesn't know. The items of
 * one seller are few enough for one step. `search` is null without any word.
 */
async function findAlike(pool: pg.Pool, query: ProductQuery, search: string | null): Promise<Row[]> {
  if (query.narrowing.sellerOf !== undefined) return await run(pool, pageOfSeller(query, search));
  return await firstFull(auctionsPerPage, [
    () => run(pool, pageInOrder(query, search, inOrderSearchLimit)),
    () => run(pool, search === null ? pageByFilters(query) : pageBySearch(query, search)),
  ]);
}

/** Finds a page. By relevance, items with the words in their name come before items that only mention them. */
async function find(pool: pg.Pool, query: ProductQuery, search: string): Promise<Row[]> {
  const { sort, cursor } = query;
  if (sort !== "bestMatch") return await findAlike(pool, query, search);
  const rows: Row[] = [];
  const last = searchFits.find((fit) => fit === cursor?.[2]) ?? "called";
  for (const fit of searchFits.slice(searchFits.indexOf(last))) {
    const further = fit === last ? cursor : null;
    const alike = await findAlike(pool, { ...query, fit, cursor: further }, search);
    rows.push(...alike.map((row) => ({ ...row, fit })));
    if (rows.length > auctionsPerPage) break;
  }
  return rows;
}

/** The words in the names of items; a word counts while it finds an open item. */
const itemWords: Vocabulary = {
  words: "auction_word",
  isFound: "exists (select from auction_product where state = 'open' and search @@ $word)",
};

const cursorAfter = ({ key, id, fit }: Row): string =>
  writeCursor([typeof key === "number" ? String(key) : new Date(key), id, ...(fit ? [fit] : [])]);

/** Lists a page of the open auctions; `next` is null on the last one. */
export async function listProducts(
  { pool, searchPool }: ReadPools,
  query: ProductQuery,
  queueSearch: QueueSearch,
) {
  const words = searchWords(query.search);
  const plain = (rows: Row[]): SearchResult<Row[]> => ({ answer: rows, corrected: null });
  const isEmpty = (rows: Row[]) => rows.length === 0;
  const read = async (): Promise<SearchResult<Row[]>> => {
    if (words.length > 0)
      return await queueSearch(() =>
        searchFor(searchPool, itemWords, words, isEmpty, (text) => find(searchPool, query, text)),
      );
    if (!isNarrowed(query.narrowing)) return plain(await run(pool, pageInOrder(query, null, rowsToRead)));
    return plain(await queueSearch(() => findAlike(searchPool, query, null)));
  };
  const { answer, corrected } = await read();
  const { rows, next } = paginate(answer, query.limit ?? auctionsPerPage, cursorAfter);
  return { products: rows.map(productOf), next, corrected };
}

/** Creates a single-flight cache, so that concurrent requests for the same list share one read. */
export const createSharedLists = () => singleFlight<Awaited<ReturnType<typeof listProducts>>>();

const productOf = (row: Row): ListedProduct => ({
  id: row.id,
  productName: row.productName,
  category: row.category,
  subcategory: row.subcategory,
  grade: row.grade,
  price: row.price,
  bidCount: row.bidCount,
  endDate: new Date(row.endDate),
  version: row.version,
  fit: row.fit ?? null,
  picture: row.picture,
  collectionPlace: row.collectionPlace,
  courier: row.courier,
  lateBidsExtend: row.lateBidsExtend,
});

/** Reads a product's kind, and the words by which its name differs from others of that kind. */
const nameOfProduct = `
  select category, subcategory, array(
    select word from unnest(tsvector_to_array(called)) word
    where not starts_with(word, '/')
      and word <> all(tsvector_to_array(to_tsvector('auction_search', category || ' ' || subcategory)))) as words
  from auction_product where id = $1 and state <> 'removed'`;
type NamedProduct = Kind & { words: string[] };

/** Lists open auctions that are similar to a product; null if there is no such product. */
export async function listSimilar(
  { searchPool }: ReadPools,
  productId: string,
  queueSearch: QueueSearch,
): Promise<ListedProduct[] | null> {
  return await queueSearch(async () => {
    const { rows } = await searchPool.query<NamedProduct>({
      name: "product_name_words",
      text: nameOfProduct,
      values: [productId],
    });
    const [product] = rows;
    if (!product) return null;
    const similar = await run(searchPool, pageOfSimilar(productId, product, product.words, similarItems));
    return similar.map(productOf);
  });
}

/** Milliseconds for which a count is cached: counting takes several times as long as a page. */
const countLifetime = 1_000;

/**
 * Counts the open auctions of these kinds and grades, up to one more than `maxAuctions`. A count may be a second
 * old.
 */
export function createOpenCounts(reads: Reads) {
  const turns = new Limiter({ running: 2, waiting: Number.POSITIVE_INFINITY });
  const counts = new LRUCache<string, number, Facets | null>({
    max: 1_000,
    ttl: countLifetime,
    fetchMethod: (key, _, { context: facets }) =>
      turns.run(key, async () => {
        const { rows } = await reads.run(({ pool }) => pool.query<{ count: number }>(countInOrder(facets)));
        return rows[0]?.count ?? 0;
      }),
  });
  return (facets: Facets | null): Promise<number> =>
    counts.forceFetch(JSON.stringify(facets), { context: facets });
}

/** Milliseconds for which the list for search engines is cached. */
const itemsLifetime = 10 * 60_000;

/** Lists the ids of the open auctions that were listed last, for search engines. The list may be ten minutes old. */
export function createItemsOnSale(reads: Reads) {
  const lists = new LRUCache<"items", string[]>({
    max: 1,
    ttl: itemsLifetime,
    fetchMethod: async () => {
      const { rows } = await reads.run(({ pool }) =>
        pool.query<{ id: string }>({
          name: "items_on_sale",
          text: "select id from auction_product where state = 'open' order by created_at desc, id desc limit $1",
          values: [itemsInSitemap],
        }),
      );
      return rows.map(({ id }) => id);
    },
  });
  return (): Promise<string[]> => lists.forceFetch("items");
}
