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
  type ProductQuery,
  pageBySearch,
  pageInOrder,
  type Statement,
  wanted,
} from "./list-statements.ts";

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

/** `key`: a time as ISO 8601 has it, or cents. `endDate`: in milliseconds since 1970. */
type Row = { key: string | number; product: Omit<ListedProduct, "endDate"> & { endDate: number } };

const run = async (pool: pg.Pool, statement: Statement): Promise<Row[]> =>
  (await pool.query<{ products: Row[] }>(statement)).rows[0]?.products ?? [];

const isPage = (found: readonly Row[]) => found.length > auctionsPerPage;

/** A page without a search. What the first products did not fill is read to the end of the order. */
async function readPage(pool: pg.Pool, query: ProductQuery): Promise<Row[]> {
  const among = readForPage[query.sort];
  const found = await run(pool, pageInOrder(query, null, among));
  return isPage(found) || among === wanted ? found : await run(pool, pageInOrder(query, null, null));
}

/** A word as a search asks for it, with what it may be a misspelling of. */
type Term = { word: string; others: readonly string[] };

/** A last word of so many letters may be the beginning of one: people look at what is found while they type. */
const leastOfBeginning = 3;

/** As PostgreSQL's `tsquery`. The words have letters, marks and digits alone, so a quote is enough. */
function tsquery(terms: readonly Term[]): string {
  const written = terms.map(({ word, others }, at) => {
    const isBeginning = at === terms.length - 1 && word.length >= leastOfBeginning;
    const all = [`'${word}'${isBeginning ? ":*" : ""}`, ...others.map((other) => `'${other}'`)];
    return all.length === 1 ? all[0] : `(${all.join(" | ")})`;
  });
  return written.join(" & ");
}

export const searchQuery = (words: readonly string[]): string =>
  tsquery(words.map((word) => ({ word, others: [] })));

/** Without a last word that is still being typed; null when there is none, or nothing else. */
function withoutBeginning(words: readonly string[]): string | null {
  const last = words.at(-1) ?? "";
  return words.length > 1 && last.length < leastOfBeginning ? searchQuery(words.slice(0, -1)) : null;
}

/** For each word that no name begins with, the three words of names that are most like it. */
const similar = `
  select asked.word, near.word as other
  from unnest($1::text[]) asked(word)
  cross join lateral (select folded(asked.word) as word) plain
  cross join lateral (
    select known.word from auction_word known where known.word % plain.word
    order by similarity(known.word, plain.word) desc, known.word limit 3) near
  where not exists (select from auction_word known where known.word like plain.word || '%')`;

const mayBeMisspelt = (word: string) => /^\p{L}{5,}$/u.test(word);

/** With what misspelt words may have meant; null when they are spelled right, or like nothing. */
async function correctedQuery(pool: pg.Pool, words: readonly string[]): Promise<string | null> {
  const asked = words.filter(mayBeMisspelt);
  if (asked.length === 0) return null;
  const { rows } = await pool.query<{ word: string; other: string }>(similar, [asked]);
  if (rows.length === 0) return null;
  const othersOf = (word: string) => rows.filter((row) => row.word === word).map(({ other }) => other);
  return tsquery(words.map((word) => ({ word, others: othersOf(word) })));
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
  return { products: rows.map(({ product }) => ({ ...product, endDate: new Date(product.endDate) })), next };
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
