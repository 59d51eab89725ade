import type pg from "pg";
import { z } from "zod";
import { type Category, type Grade, grades, isSubcategoryOf, type Kind, kinds } from "#domain/auction.ts";
import { type AuctionSort, type SearchFit, searchFits } from "#domain/auction-list.ts";
import { auctionsPerPage, maxAuctions } from "#protocol/page-sizes.ts";
import { type Cursor, cursorForm } from "#server/platform/keyset-list.ts";
import { isNarrowed, type NarrowingFilter, narrowed, onKey } from "./narrowing.ts";

/** The requested filter; a subcategory counts only within its own category. */
type Filter = {
  category?: Category | undefined;
  subcategory?: string | undefined;
  grade?: Grade | undefined;
};
/** The requested kinds of products and grades; null stands for all. */
export type Facets = { kinds: readonly Kind[]; grades: readonly Grade[] };

export function facetsOf({ category, subcategory, grade }: Filter): Facets | null {
  if (category === undefined && grade === undefined) return null;
  const only = category !== undefined && subcategory !== undefined && isSubcategoryOf(category, subcategory);
  const isRequested = (kind: Kind) =>
    (category === undefined || kind.category === category) && (!only || kind.subcategory === subcategory);
  return { kinds: kinds.filter(isRequested), grades: grade === undefined ? grades : [grade] };
}

/** An order of /auctions in terms of its index. */
export type Order = {
  table: "auction_product" | "auction_bidding";
  open: string;
  /** The condition that an open product has not ended, since an ended one may not be settled yet. */
  going: string;
  id: "id" | "product_id";
  key: "ends_at" | "created_at" | "price";
  direction: "asc" | "desc";
  cursor: z.ZodType<Cursor>;
};

const timeCursor = cursorForm("time", "uuid");
const priceCursor = cursorForm("number", "uuid");
/** A cursor for sorting by relevance, which has the fit of the products that come next. */
const fitCursor = cursorForm("time", "uuid", z.enum(searchFits));

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
  // Among items with the same fit, the one that ends soonest comes first.
  bestMatch: { ...byEnd, cursor: fitCursor },
  endingSoonest: byEnd,
  newest: { ...byAge, direction: "desc" },
  priceUp: { ...byPrice, direction: "asc" },
  priceDown: { ...byPrice, direction: "desc" },
};

export type ProductQuery = {
  /** The trimmed search text; empty for everything. */
  search: string;
  facets: Facets | null;
  narrowing: NarrowingFilter;
  sort: AuctionSort;
  cursor: Cursor | null;
  limit?: number | undefined;
  /** Finds only items that fit the search in this way; without it, all of them. */
  fit?: SearchFit;
};

/**
 * A statement whose text depends only on the shape of the query. Without a search and narrowing filters it has a name,
 * and each connection plans it once: there are at most 54. The others are planned for their own words and values.
 */
export type Statement = pg.QueryConfig<unknown[]>;

/** The products of a page and one more, which shows whether there is another page. */
export const rowsToRead = auctionsPerPage + 1;

/**
 * Adds a value to a statement, and returns its placeholder. These statements are text, unlike those of other lists:
 * Drizzle takes 100 microseconds to put the 15 parts of a category together, text takes 6.
 */
export type AddParameter = (value: unknown) => string;

export function statement(name: string | undefined, write: (bind: AddParameter) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return { ...(name !== undefined && { name }), text, values };
}

/** Names a statement by everything that changes its text. */
const nameOf = ({ sort, facets, cursor }: ProductQuery, among: number): string => {
  const parts = facets ? `_${facets.kinds.length * facets.grades.length}` : "";
  return `auctions_${sort}${parts}${cursor ? "_further" : ""}_${among}`;
};

export const tsquery = (query: string, bind: AddParameter) => `to_tsquery('auction_search', ${bind(query)})`;

/** Returns the condition that a row comes after the cursor. */
export function beyond(
  { direction, key }: Order,
  cursor: Cursor | null,
  bind: AddParameter,
  id: string,
): string {
  if (cursor === null) return "";
  const [lastKey, lastId] = cursor;
  return `and (${key}, ${id}) ${direction === "asc" ? ">" : "<"} (${bind(lastKey)}, ${bind(lastId)})`;
}

/**
 * Selects the first open products in the requested order: reads one index in order, or merges one part of an index for
 * each kind and grade, at most 45. It reads no more than it returns. Every part has its own limit: otherwise PostgreSQL
 * plans for all of its rows, and sorts them. `withWords` adds the searchable columns and keeps ended products, because
 * the end is looked up only for matches.
 */
function firstInOrder(
  { sort, facets, cursor, narrowing }: ProductQuery,
  bind: AddParameter,
  among: number,
  withWords = false,
): string {
  const order = orders[sort];
  const { table, id, key, open, direction } = order;
  const words = withWords ? ", search, called" : "";
  const going = withWords ? "" : `and ${order.going}`;
  const limit = `order by key ${direction}, id ${direction} limit ${among}`;
  const range = narrowed(onKey(order, narrowing), bind, table).map((condition) => `and ${condition}`);
  const part = (facet: string) =>
    `(select ${id} as id, ${key} as key ${words} from ${table}
      where ${open} ${facet} ${going} ${range.join(" ")} ${beyond(order, cursor, bind, id)} ${limit})`;
  if (facets === null) return part("");
  const { kinds, grades } = facets;
  const parts = kinds.flatMap(({ category, subcategory }) =>
    grades.map((grade) =>
      part(
        `and category = ${bind(category)} and subcategory = ${bind(subcategory)} and grade = ${bind(grade)}`,
      ),
    ),
  );
  return `(select * from (${parts.join(" union all ")}) parts ${limit})`;
}

/**
 * Selects a page's products as the list shows them, in the page's order: as one JSON array, which the driver reads
 * faster than rows. PostgreSQL takes a third less time for whole rows than with `json_build_object`.
 */
export const productsOfPage = (page: string, direction: Order["direction"]) => `
  select coalesce(json_agg(listed), '[]') as products from (
    select page.key, product.id, product.product_name as "productName", product.category, product.subcategory,
      product.grade, product.collection_place as "collectionPlace", product.courier_cents as courier,
      bidding.price, bidding.bid_count - bidding.uncounted as "bidCount", bidding.ends_at as "endDate", bidding.latest_end is not null as "lateBidsExtend",
      bidding.version, picture
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
  const query: ProductQuery = { search: "", sort: "endingSoonest", facets, narrowing: {}, cursor: null };
  const maxCount = maxAuctions + 1;
  return statement(
    nameOf(query, maxCount),
    (bind) => `select count(*)::int as count from ${firstInOrder(query, bind, maxCount)} counted`,
  );
}

/**
 * Returns the condition that a search finds a product. Words like "the" are dropped; a search without any other word
 * finds everything.
 */
export function isFound(fit: SearchFit | undefined, query: string): string {
  if (fit === "mentioned") return `search @@ ${query} and not called @@ ${query}`;
  return `${fit ?? "search"} @@ ${query} or numnode(${query}) = 0`;
}

/**
 * Reads a page of the products that match the search and the narrowing filters, if there are any, among the first
 * `among` products in the order.
 */
export function pageInOrder(query: ProductQuery, search: string | null, among: number): Statement {
  const { sort, narrowing } = query;
  const { table, going, direction } = orders[sort];
  const withWords = search !== null && table === "auction_product";
  const isPlain = search === null && !isNarrowed(narrowing);
  return statement(isPlain ? nameOf(query, among) : undefined, (bind) => {
    const first = firstInOrder(query, bind, among, withWords);
    // The bidding does not have the words of its product.
    const product =
      search !== null && !withWords
        ? "cross join lateral (select search, called from auction_product where id = first.id offset 0) product"
        : "";
    const bidding = isNarrowed(narrowing)
      ? "join auction_bidding bidding on bidding.product_id = first.id"
      : "";
    const conditions = [
      ...(search === null ? [] : [`(${isFound(query.fit, tsquery(search, bind))})`]),
      ...(withWords ? [going] : []),
      ...narrowed(narrowing, bind, "bidding"),
    ];
    const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
    const page = `select first.id, first.key from ${first} first ${product} ${bidding} ${where}
      order by first.key ${direction}, first.id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}

/** Returns the requested kinds and grades in the form of the search index. */
export function facetQuery({ kinds, grades }: Facets): string {
  const anyOf = (lexemes: readonly string[]) => `(${lexemes.map((each) => `'${each}'`).join(" | ")})`;
  const kindWords = kinds.map(({ category, subcategory }) => `/${category}/${subcategory}`);
  return `${anyOf(kindWords)} & ${anyOf(grades.map((grade) => `/${grade}`))}`;
}

/** Reads the first results of a search by the search index. */
export function pageBySearch(query: ProductQuery, search: string): Statement {
  const { sort, facets, cursor, fit, narrowing } = query;
  const order = orders[sort];
  const { key, direction } = order;
  return statement(undefined, (bind) => {
    const words = tsquery(search, bind);
    const filters = narrowed(narrowing, bind, "auction_bidding").map((condition) => `and ${condition}`);
    const index = fit === "called" ? "called" : "search";
    const others = fit === "mentioned" ? `and not called @@ ${words}` : "";
    const facetCondition = facets ? ` && ${bind(facetQuery(facets))}::tsquery` : "";
    // Materialized, so that the index is used, whatever PostgreSQL estimates for the other conditions and the order.
    const page = `with found as materialized (
        select id, created_at from auction_product
        where state = 'open' and ${index} @@ (${words}${facetCondition}) ${others})
      select found.id, ${key} as key from found join auction_bidding on product_id = found.id
      where ends_at > now() ${filters.join(" ")} ${beyond(order, cursor, bind, "found.id")}
      order by ${key} ${direction}, found.id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}
