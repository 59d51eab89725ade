import { and, eq, inArray } from "drizzle-orm";
import type pg from "pg";
import type { ListedProduct } from "#contract/auctions.ts";
import { type AuctionSort, auctionsPerPage } from "#domain/auction-list.ts";
import { searchWords } from "#domain/search-words.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import { firstPictures } from "../../pictures/queries.ts";
import { auctionBidding, auctionProduct } from "../../tables.ts";
import type { Facets, Place } from "./list-order.ts";
import { pageBySearch, pageInOrder, type Statement, wanted } from "./list-statements.ts";
import { correctedQuery, searchQuery, withoutBeginning } from "./search-query.ts";

export type ProductQuery = {
  /** Without spaces around it; empty: everything. */
  search: string;
  facets: Facets | null;
  sort: AuctionSort;
  place: Place | null;
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

async function run(pool: pg.Pool, statement: Statement): Promise<Place[]> {
  const { rows } = await pool.query<{ id: string; key: Date | string }>(statement);
  return rows.map(({ id, key }) => ({ id, key: key instanceof Date ? key.toISOString() : key }));
}

const isPage = (found: readonly Place[]) => found.length > auctionsPerPage;

/** A page without a search. What the first products did not fill is read to the end of the order. */
async function readPage(pool: pg.Pool, query: ProductQuery): Promise<Place[]> {
  const among = readForPage[query.sort];
  const found = await run(pool, pageInOrder(query, null, among));
  return isPage(found) || among === wanted ? found : await run(pool, pageInOrder(query, null, null));
}

/** What many items have is found soon by reading in order, what few have by the index. */
async function find(pool: pg.Pool, query: ProductQuery, search: string): Promise<Place[]> {
  const first = await run(pool, pageInOrder(query, search, searchedInOrder));
  if (isPage(first)) return first;
  const all = await run(pool, pageBySearch(query, search));
  // The index doesn't know words like "the".
  return all.length > first.length ? all : first;
}

/** What finds nothing is looked for without a last word that is still being typed, and as a misspelling. */
async function search(pool: pg.Pool, query: ProductQuery, words: readonly string[]): Promise<Place[]> {
  const found = await find(pool, query, searchQuery(words));
  if (found.length > 0) return found;
  const instead = withoutBeginning(words) ?? (await correctedQuery(pool, words));
  return instead === null ? [] : await find(pool, query, instead);
}

const readRows = (db: Reader, ids: string[]) =>
  db
    .select({
      id: auctionProduct.id,
      productName: auctionProduct.productName,
      category: auctionProduct.category,
      subcategory: auctionProduct.subcategory,
      grade: auctionProduct.grade,
      price: auctionBidding.price,
      bidCount: auctionBidding.bidCount,
      endDate: auctionProduct.endDate,
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(and(inArray(auctionProduct.id, ids), eq(auctionProduct.state, "open")));

type Where = Pick<Database, "db" | "pool" | "searchPool">;

/** A page of the open auctions; `next` is null on the last one. `turn` carries out what is a search. */
export async function listProducts(
  { db, pool, searchPool }: Where,
  query: ProductQuery,
  turn: <Found>(work: () => Promise<Found>) => Promise<Found>,
) {
  const words = searchWords(query.search);
  const found = await (words.length > 0
    ? turn(() => search(searchPool, query, words))
    : readPage(pool, query));
  const places = found.slice(0, auctionsPerPage);
  const ids = places.map(({ id }) => id);
  if (ids.length === 0) return { products: [], next: null };
  const [rows, pictures] = await Promise.all([readRows(db, ids), firstPictures(db, ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const products = ids.flatMap((id): ListedProduct[] => {
    const row = byId.get(id);
    return row ? [{ ...row, picture: pictures.get(id) ?? null }] : [];
  });
  return { products, next: isPage(found) ? (places.at(-1) ?? null) : null };
}
