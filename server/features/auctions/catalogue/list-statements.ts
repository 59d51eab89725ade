import type pg from "pg";
import { z } from "zod";
import { type Category, type Grade, grades, isSubcategoryOf, type Kind, kinds } from "#domain/auction.ts";
import type { AuctionSort } from "#domain/auction-list.ts";
import type { DeliveryWay } from "#domain/delivery.ts";
import { auctionsCounted, auctionsPerPage } from "#protocol/page-sizes.ts";
import { type Cursor, cursorForm } from "#server/platform/keyset-list.ts";

/** The requested filter; a subcategory counts only within its own category. */
type Filter = {
  category?: Category | undefined;
  subcategory?: string | undefined;
  grade?: Grade | undefined;
};
/** The requested kinds of products and grades; null when all are. */
export type Facets = { kinds: readonly Kind[]; grades: readonly Grade[] };

export function facetsOf({ category, subcategory, grade }: Filter): Facets | null {
  if (category === undefined && grade === undefined) return null;
  const only = category !== undefined && subcategory !== undefined && isSubcategoryOf(category, subcategory);
  const isAsked = (kind: Kind) =>
    (category === undefined || kind.category === category) && (!only || kind.subcategory === subcategory);
  return { kinds: kinds.filter(isAsked), grades: grade === undefined ? grades : [grade] };
}

/** An order of /auctions in terms of its index. */
type Order = {
  table: "auction_product" | "auction_bidding";
  open: string;
  /** The condition that the time of an open product is not over: it may not be settled yet. */
  going: string;
  id: "id" | "product_id";
  key: "ends_at" | "created_at" | "price";
  direction: "asc" | "desc";
  cursor: z.ZodType<Cursor>;
};

/** The ways in which an item fits a search, the better first: its name has the words, or it only mentions them. */
export const fits = ["called", "mentioned"] as const;
export type Fit = (typeof fits)[number];

const timeCursor = cursorForm("time", "uuid");
const priceCursor = cursorForm("number", "uuid");
/** A cursor of the order by fit, which has the fit of the products that come next. */
const fitCursor = cursorForm("time", "uuid", z.enum(fits));

const byBidding = {
  table: "auction_bidding",
  open: "open",
  going: "ends_at > now()",
  id: "product_id",
} as const;
const byEnd = {
  ...byBidding,
  key: "ends_at",
  direction: "asc",
  cursor: timeCursor,
} as const;
const byPrice = { ...byBidding, key: "price", cursor: priceCursor } as const;
const byAge = {
  table: "auction_product",
  open: "state = 'open'",
  going: "(select ends_at from auction_bidding where product_id = id) > now()",
  id: "id",
  key: "created_at",
  cursor: timeCursor,
} as const;

export const orders: Record<AuctionSort, Order> = {
  // Among items that fit alike, the one that ends soonest comes first.
  bestMatch: { ...byEnd, cursor: fitCursor },
  endingSoonest: byEnd,
  newest: { ...byAge, direction: "desc" },
  priceUp: { ...byPrice, direction: "asc" },
  priceDown: { ...byPrice, direction: "desc" },
};

export type ProductQuery = {
  /** The typed text without spaces around it; empty for everything. */
  search: string;
  facets: Facets | null;
  /** The way of delivery that products must have; null when any will do. */
  delivery: DeliveryWay | null;
  sort: AuctionSort;
  cursor: Cursor | null;
  limit?: number | undefined;
  /** Finds only items that fit the search in this way; without it, all of them. */
  fit?: Fit;
};

/**
 * A statement whose text depends only on the shape of the question. Without a search it has a name, and each connection
 * plans it once: there are at most 54. A search is planned for its own words.
 */
export type Statement = pg.QueryConfig<unknown[]>;

/** The products of a page and one more, which shows whether there is another page. */
export const rowsToRead = auctionsPerPage + 1;

/**
 * Adds a value to a statement, and returns its placeholder. These statements are text, unlike those of other lists:
 * Drizzle takes 100 microseconds to put the 15 parts of a category together, text takes 6.
 */
type Put = (value: unknown) => string;

function statement(name: string | undefined, write: (put: Put) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return { ...(name !== undefined && { name }), text, values };
}

/** Names a statement by everything that changes its text. */
const nameOf = ({ sort, facets, cursor }: ProductQuery, among: number): string => {
  const parts = facets ? `_${facets.kinds.length * facets.grades.length}` : "";
  return `auctions_${sort}${parts}${cursor ? "_further" : ""}_${among}`;
};

const tsquery = (query: string, put: Put) => `to_tsquery('auction_search', ${put(query)})`;

/** Returns the condition that a row comes after the cursor. */
function beyond({ direction, key }: Order, cursor: Cursor | null, put: Put, id: string): string {
  if (cursor === null) return "";
  const [lastKey, lastId] = cursor;
  return `and (${key}, ${id}) ${direction === "asc" ? ">" : "<"} (${put(lastKey)}, ${put(lastId)})`;
}

/**
 * Selects the first open products in the requested order: reads one index in order, or merges one part of an index for
 * each kind and grade, at most 45. It reads no more than it returns. Every part has its own limit: otherwise PostgreSQL
 * plans for all of its rows, and sorts them. `withWords` adds what a search looks in, and leaves the ended products in:
 * looking up the end is for those that fit.
 */
function firstInOrder(
  { sort, facets, cursor }: ProductQuery,
  put: Put,
  among: number,
  withWords = false,
): string {
  const order = orders[sort];
  const { table, id, key, open, direction } = order;
  const words = withWords ? ", search, called, collection_place, courier_cents" : "";
  const going = withWords ? "" : `and ${order.going}`;
  const limit = `order by key ${direction}, id ${direction} limit ${among}`;
  const part = (facet: string) =>
    `(select ${id} as id, ${key} as key ${words} from ${table}
      where ${open} ${facet} ${going} ${beyond(order, cursor, put, id)} ${limit})`;
  if (facets === null) return part("");
  const { kinds, grades } = facets;
  const parts = kinds.flatMap(({ category, subcategory }) =>
    grades.map((grade) =>
      part(`and category = ${put(category)} and subcategory = ${put(subcategory)} and grade = ${put(grade)}`),
    ),
  );
  return `(select * from (${parts.join(" union all ")}) parts ${limit})`;
}

/**
 * Selects a page's products as the list shows them, in the page's order: as one JSON array, which the driver reads
 * faster than rows. PostgreSQL takes a third less time for whole rows than with `json_build_object`.
 */
const productsOfPage = (page: string, direction: Order["direction"]) => `
  select coalesce(json_agg(listed), '[]') as products from (
    select page.key, product.id, product.product_name as "productName", product.category, product.subcategory,
      product.grade, product.collection_place as "collectionPlace", product.courier_cents as courier, bidding.price, bidding.bid_count as "bidCount", bidding.ends_at as "endDate", picture
    from (${page}) page
    join auction_product product on product.id = page.id
    join auction_bidding bidding on bidding.product_id = page.id
    left join lateral (
      select id, width, height from auction_picture where product_id = page.id order by position limit 1) picture on true
    order by page.key ${direction}, page.id ${direction}) listed`;

/**
 * Counts the open auctions of these kinds and grades, up to one more than is shown, which says whether there are more.
 */
export function countInOrder(facets: Facets | null): Statement {
  const query: ProductQuery = { search: "", sort: "endingSoonest", facets, delivery: null, cursor: null };
  const most = auctionsCounted + 1;
  return statement(
    nameOf(query, most),
    (put) => `select count(*)::int as count from ${firstInOrder(query, put, most)} counted`,
  );
}

/**
 * Returns the condition that a search finds a product. Words like "the" are dropped; a search without any other word
 * finds everything.
 */
function isFound(fit: Fit | undefined, asked: string): string {
  if (fit === "mentioned") return `search @@ ${asked} and not called @@ ${asked}`;
  return `${fit ?? "search"} @@ ${asked} or numnode(${asked}) = 0`;
}

/** The conditions that products have a way of delivery, which the partial indexes for them repeat. */
const isDelivered: Record<DeliveryWay, string> = {
  collection: "collection_place <> ''",
  courier: "courier_cents is not null",
};

/** Reads a page, of a search's results or of a way of delivery if there is one, among the first `among` products in the order. */
export function pageInOrder(query: ProductQuery, search: string | null, among: number): Statement {
  const { table, going, direction } = orders[query.sort];
  const { delivery } = query;
  const isPlain = search === null && delivery === null;
  const withWords = !isPlain && table === "auction_product";
  return statement(isPlain ? nameOf(query, among) : undefined, (put) => {
    const first = firstInOrder(query, put, among, withWords);
    // The bidding does not have the words of its product.
    const product =
      !isPlain && !withWords
        ? "cross join lateral (select search, called, collection_place, courier_cents from auction_product where id = first.id offset 0) product"
        : "";
    const onlyGoing = withWords ? `and ${going}` : "";
    const matches = search === null ? "true" : `(${isFound(query.fit, tsquery(search, put))})`;
    const delivered = delivery === null ? "" : `and ${isDelivered[delivery]}`;
    const condition = isPlain ? "" : `where ${matches} ${delivered} ${onlyGoing}`;
    const page = `select first.id, first.key from ${first} first ${product} ${condition}
      order by first.key ${direction}, first.id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}

/** Returns the requested kinds and grades in the form of the search index. */
function facetQuery({ kinds, grades }: Facets): string {
  const anyOf = (lexemes: readonly string[]) => `(${lexemes.map((each) => `'${each}'`).join(" | ")})`;
  const ofKinds = kinds.map(({ category, subcategory }) => `/${category}/${subcategory}`);
  return `${anyOf(ofKinds)} & ${anyOf(grades.map((grade) => `/${grade}`))}`;
}

/** Reads the first of all results of a search by its index. */
export function pageBySearch(query: ProductQuery, search: string): Statement {
  const { sort, facets, cursor, fit, delivery } = query;
  const order = orders[sort];
  const { key, direction } = order;
  return statement(undefined, (put) => {
    const words = tsquery(search, put);
    const index = fit === "called" ? "called" : "search";
    const others = fit === "mentioned" ? `and not called @@ ${words}` : "";
    const ofFacets = facets ? ` && ${put(facetQuery(facets))}::tsquery` : "";
    const delivered = delivery === null ? "" : `and ${isDelivered[delivery]}`;
    // Materialized, so that the index is used, whatever PostgreSQL estimates for the other conditions and the order.
    const page = `with found as materialized (
        select id, created_at from auction_product
        where state = 'open' and ${index} @@ (${words}${ofFacets}) ${others} ${delivered})
      select found.id, ${key} as key from found join auction_bidding on product_id = found.id
      where ends_at > now() ${beyond(order, cursor, put, "found.id")}
      order by ${key} ${direction}, found.id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}

/** Reads the first of all products with a way of delivery by its index: called where that is rare. */
export function pageByDelivery({ sort, facets, cursor, delivery }: ProductQuery): Statement {
  const order = orders[sort];
  const { key, direction } = order;
  return statement(undefined, (put) => {
    const ofFacets = facets
      ? `and (category || '/' || subcategory) = any(${put(facets.kinds.map((kind) => `${kind.category}/${kind.subcategory}`))}::text[]) and grade = any(${put(facets.grades)}::text[])`
      : "";
    const page = `with delivered as materialized (
        select id, created_at from auction_product
        where state = 'open' and ${delivery === null ? "true" : isDelivered[delivery]} ${ofFacets})
      select delivered.id, ${key} as key from delivered join auction_bidding on product_id = delivered.id
      where ends_at > now() ${beyond(order, cursor, put, "delivered.id")}
      order by ${key} ${direction}, delivered.id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}
