import { and, eq, inArray } from "drizzle-orm";
import type pg from "pg";
import type { ListedProduct } from "#contract/auctions.ts";
import { type AuctionSort, auctionsPerPage } from "#domain/auction-list.ts";
import type { Database } from "#server/platform/database.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";
import { type Facets, orders, type Place } from "./auction-order.ts";
import { pageInOrder, type Statement, searchByWords, wanted } from "./find-statements.ts";
import { firstPictures } from "./first-pictures.ts";
import { nearbyFor } from "./nearby.ts";
import { priceSpread } from "./price-spread.ts";

export type ProductQuery = {
  /** Without spaces around it; empty: everything. */
  search: string;
  facets: Facets | null;
  sort: AuctionSort;
  place: Place | null;
};

/**
 * Products that are read in the order asked for: for a page, and by a search to begin with, and further when so many of
 * the first were `common`. By price some may be over and not settled yet; and names are read more quickly there, since the
 * rows of the bidding are small.
 */
type Reach = { page: number; first: number; further: number; common: number };
const byTime: Reach = { page: wanted, first: 1_500, further: 3_000, common: 15 };
const byPrice: Reach = { page: 1_000, first: 1_500, further: 8_000, common: 6 };
export const reaches: Record<AuctionSort, Reach> = {
  endingSoonest: byTime,
  newest: byTime,
  priceUp: byPrice,
  priceDown: byPrice,
};

async function run(pool: pg.Pool, statement: Statement): Promise<Place[]> {
  const { rows } = await pool.query<{ id: string; key: Date | string }>(statement);
  return rows.map(({ id, key }) => ({ id, key: key instanceof Date ? key.toISOString() : key }));
}

const isPage = (found: readonly Place[]) => found.length > auctionsPerPage;

/** A page without a search. What the first reach did not fill is read to the end of the order. */
async function readPage(pool: pg.Pool, query: ProductQuery): Promise<Place[]> {
  const { page } = reaches[query.sort];
  const found = await run(pool, pageInOrder(query, page));
  return isPage(found) || page === wanted ? found : await run(pool, pageInOrder(query, null));
}

async function searchNearby(pool: pg.Pool, query: ProductQuery, found: Place[]): Promise<Place[]> {
  const { first: among } = reaches[query.sort];
  const begun = { found, among, wanted, from: query.place?.key ?? null };
  const nearby = nearbyFor(orders[query.sort], begun, await priceSpread(pool));
  return nearby ? await run(pool, searchByWords(query, nearby)) : [];
}

/**
 * What a search finds. A common text is found soon by reading in order, a rare one by the index of words; one in between
 * by that index among those that are as near as what the reading found tells, unless kinds and grades narrow it down
 * already. At a million products none of these does for all, and PostgreSQL guesses too often wrongly which one a text is.
 */
async function search(pool: pg.Pool, query: ProductQuery): Promise<Place[]> {
  const { first, further, common } = reaches[query.sort];
  const begun = await run(pool, pageInOrder(query, first));
  if (isPage(begun)) return begun;
  const read = begun.length < common ? begun : await run(pool, pageInOrder(query, further));
  if (isPage(read)) return read;
  const near = query.facets ? [] : await searchNearby(pool, query, begun);
  return isPage(near) ? near : await run(pool, searchByWords(query, null));
}

const readRows = (db: Database["db"], ids: string[]) =>
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

/** A page of the open auctions; `next` is null on the last one. */
export async function listProducts({ db, pool }: Pick<Database, "db" | "pool">, query: ProductQuery) {
  const found = await (query.search === "" ? readPage : search)(pool, query);
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
