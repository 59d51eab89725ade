import type pg from "pg";
import { z } from "zod";
import { type Category, type Grade, grades, isSubcategoryOf, type Kind, kinds } from "#domain/auction.ts";
import type { AuctionSort } from "#domain/auction-list.ts";
import { auctionsCounted, auctionsPerPage } from "#protocol/page-sizes.ts";
import { type Cursor, cursorForm, cursorTime } from "#server/platform/cursor.ts";

/** What is asked for; a subcategory counts only within its own category. */
type Filter = {
  category?: Category | undefined;
  subcategory?: string | undefined;
  grade?: Grade | undefined;
};
/** The kinds of products and the grades that are asked for; null when all are. */
export type Facets = { kinds: readonly Kind[]; grades: readonly Grade[] };

export function facetsOf({ category, subcategory, grade }: Filter): Facets | null {
  if (category === undefined && grade === undefined) return null;
  const only = category !== undefined && subcategory !== undefined && isSubcategoryOf(category, subcategory);
  const isAsked = (kind: Kind) =>
    (category === undefined || kind.category === category) && (!only || kind.subcategory === subcategory);
  return { kinds: kinds.filter(isAsked), grades: grade === undefined ? grades : [grade] };
}

/** An order of /auctions in the words of its indexes. */
type Order = {
  table: "auction_product" | "auction_bidding";
  open: string;
  id: "id" | "product_id";
  key: "end_date" | "created_at" | "price";
  type: "timestamptz" | "bigint";
  direction: "asc" | "desc";
  cursor: z.ZodType<ProductCursor>;
};

/** How an item fits a search, the better first: it is called so, or it only mentions the words. */
export const fits = ["called", "mentioned"] as const;
export type Fit = (typeof fits)[number];
/** `fit`: how well what comes next matches, in the order by fit. */
type ProductCursor = Cursor & { fit?: Fit };

/** Cursors whose keys are times as ISO 8601 has them, or whole numbers such as cents. */
export const timeCursor = cursorForm(cursorTime, z.uuid());
export const numberCursor = cursorForm(z.string().regex(/^\d{1,15}$/), z.uuid());
const fitCursor = z
  .tuple([cursorTime, z.uuid(), z.enum(fits)])
  .transform(([key, id, fit]): ProductCursor => ({ key, id, fit }));

const byTime = {
  table: "auction_product",
  open: "state = 'open'",
  id: "id",
  type: "timestamptz",
  cursor: timeCursor,
} as const;
const byPrice = {
  table: "auction_bidding",
  open: "open",
  id: "product_id",
  key: "price",
  type: "bigint",
  cursor: numberCursor,
} as const;

export const orders: Record<AuctionSort, Order> = {
  // What fits alike: what ends soonest.
  bestMatch: { ...byTime, key: "end_date", direction: "asc", cursor: fitCursor },
  endingSoonest: { ...byTime, key: "end_date", direction: "asc" },
  newest: { ...byTime, key: "created_at", direction: "desc" },
  priceUp: { ...byPrice, direction: "asc" },
  priceDown: { ...byPrice, direction: "desc" },
};

export type ProductQuery = {
  /** Without spaces around it; empty: everything. */
  search: string;
  facets: Facets | null;
  sort: AuctionSort;
  cursor: ProductCursor | null;
  limit?: number | undefined;
  /** Finds only what fits the search so; without it, all that it finds. */
  fit?: Fit;
};

/**
 * A statement whose text depends only on the kind of question. Without a search it has a name, and each connection has
 * it planned once: there are at most 78. A search is planned for what it asks.
 */
export type Statement = pg.QueryConfig<unknown[]>;

/** A page and the product after it, which shows whether there is another page. */
export const wanted = auctionsPerPage + 1;

/** Adds a value to a statement, and returns how it is written there. */
type Put = (value: unknown) => string;

function statement(name: string | undefined, write: (put: Put) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return { ...(name !== undefined && { name }), text, values };
}

/** By all that changes the text. */
const nameOf = ({ sort, facets, cursor }: ProductQuery, among: number | null): string => {
  const parts = facets ? `_${facets.kinds.length * facets.grades.length}` : "";
  return `auctions_${sort}${parts}${cursor ? "_further" : ""}_${among ?? "all"}`;
};

const tsquery = (query: string, put: Put) => `to_tsquery('auction_search', ${put(query)})`;

/** The condition that a row stands after the cursor. */
function beyond(order: Order, cursor: Cursor | null, put: Put, key: string, id: string): string {
  const sign = order.direction === "asc" ? ">" : "<";
  return cursor
    ? `and (${key}, ${id}) ${sign} (${put(cursor.key)}::${order.type}, ${put(cursor.id)}::uuid)`
    : "";
}

/**
 * The first of what is open, in the order that is asked for: one index read in its order, or one part of an index for
 * each kind and grade, at most 45, merged. No more is read than is taken. Every part says itself how many of it can be
 * wanted: otherwise PostgreSQL plans as if all of them were, and sorts them.
 */
function firstInOrder(
  { sort, facets, cursor }: ProductQuery,
  put: Put,
  columns: string,
  among: number | null,
): string {
  const order = orders[sort];
  const { table, id, key, open, direction } = order;
  const going = table === "auction_product" ? "and end_date > now()" : "";
  const limit = among === null ? "" : `order by key ${direction}, id ${direction} limit ${among}`;
  const part = (facet: string) =>
    `(select ${id} as id, ${key} as key ${columns} from ${table}
      where ${open} ${facet} ${going} ${beyond(order, cursor, put, key, id)} ${limit})`;
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
 * What the list shows of a page's products, in the page's order: as one JSON array, which the driver takes in faster than
 * rows.
 */
const shown = (page: string, direction: Order["direction"]) => `
  select coalesce(json_agg(json_build_object('key', page.key, 'product', json_build_object(
    'id', product.id, 'productName', product.product_name, 'category', product.category,
    'subcategory', product.subcategory, 'grade', product.grade, 'price', bidding.price,
    'bidCount', bidding.bid_count, 'endDate', (extract(epoch from product.end_date) * 1000)::bigint,
    'picture', (
      select json_build_object('id', id, 'width', width, 'height', height) from auction_picture
      where product_id = page.id order by position limit 1)))
    order by page.key ${direction}, page.id ${direction}), '[]') as products
  from (${page}) page
  join auction_product product on product.id = page.id
  join auction_bidding bidding on bidding.product_id = page.id`;

/** How many are open of these kinds and grades, counted up to one more than is shown: that shows whether there are more. */
export function countInOrder(facets: Facets | null): Statement {
  const query: ProductQuery = { search: "", sort: "endingSoonest", facets, cursor: null };
  const most = auctionsCounted + 1;
  return statement(
    nameOf(query, most),
    (put) => `select count(*)::int as count from ${firstInOrder(query, put, "", most)} counted`,
  );
}

/** The condition that a search finds a product. Of words like "the" nothing is left, and everything is found. */
function isFound(fit: Fit | undefined, asked: string): string {
  if (fit === "mentioned") return `search @@ ${asked} and not called @@ ${asked}`;
  return `${fit ?? "search"} @@ ${asked} or numnode(${asked}) = 0`;
}

/** A page, of what a search finds if there is one, among so many of the first in the order; null: among all. */
export function pageInOrder(query: ProductQuery, search: string | null, among: number | null): Statement {
  const { table, direction } = orders[query.sort];
  const isBidding = table === "auction_bidding";
  return statement(search === null ? nameOf(query, among) : undefined, (put) => {
    const first = firstInOrder(query, put, search !== null && !isBidding ? ", search, called" : "", among);
    // The bidding doesn't know when its product ends, nor what it is called.
    const product = isBidding
      ? `cross join lateral (
          select search, called from auction_product where id = first.id and state = 'open' and end_date > now() offset 0) product`
      : "";
    const found = search === null ? "" : `where ${isFound(query.fit, tsquery(search, put))}`;
    const page = `select first.id, first.key from ${first} first ${product} ${found}
      order by first.key ${direction}, first.id ${direction} limit ${wanted}`;
    return shown(page, direction);
  });
}

/** The kinds and grades that are asked for, as a search's index has them. */
function facetQuery({ kinds, grades }: Facets): string {
  const anyOf = (lexemes: readonly string[]) => `(${lexemes.map((each) => `'${each}'`).join(" | ")})`;
  const ofKinds = kinds.map(({ category, subcategory }) => `/${category}/${subcategory}`);
  return `${anyOf(ofKinds)} & ${anyOf(grades.map((grade) => `/${grade}`))}`;
}

/** All that a search finds by its index, of which the first are taken. */
export function pageBySearch(query: ProductQuery, search: string): Statement {
  const { sort, facets, cursor, fit } = query;
  const order = orders[sort];
  const { key, direction, table } = order;
  return statement(undefined, (put) => {
    const asked = tsquery(search, put);
    const index = fit === "called" ? "called" : "search";
    const others = fit === "mentioned" ? `and not called @@ ${asked}` : "";
    const ofFacets = facets ? ` && ${put(facetQuery(facets))}::tsquery` : "";
    const price = table === "auction_bidding" ? "join auction_bidding on product_id = found.id" : "";
    // Materialized: found by the index, whatever PostgreSQL guesses of the other conditions and of the order.
    const page = `with found as materialized (
        select id, end_date, created_at from auction_product
        where state = 'open' and ${index} @@ (${asked}${ofFacets}) ${others})
      select found.id, ${key} as key from found ${price}
      where found.end_date > now() ${beyond(order, cursor, put, key, "found.id")}
      order by ${key} ${direction}, found.id ${direction} limit ${wanted}`;
    return shown(page, direction);
  });
}
