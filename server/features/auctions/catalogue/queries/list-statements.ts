import { createHash } from "node:crypto";
import { auctionsPerPage } from "#domain/auction-list.ts";
import { type Facets, type Order, orders, type Place } from "./list-order.ts";
import type { ProductQuery } from "./list-products.ts";

/**
 * A statement whose text depends only on the kind of question. Those without a search have a name, and PostgreSQL plans
 * them once; a search is planned for what it asks.
 */
export type Statement = { name?: string; text: string; values: unknown[] };

/** A page and the product after it, which tells whether there is another page. */
export const wanted = auctionsPerPage + 1;

/** Adds a value to a statement, and returns how it is written there. */
type Put = (value: unknown) => string;

function statement(search: string | null, write: (put: Put) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  if (search !== null) return { text, values };
  const name = `auctions_${createHash("sha1").update(text).digest("hex")}`;
  return { name, text, values };
}

const tsquery = (query: string, put: Put) => `to_tsquery('auction_search', ${put(query)})`;

/** The condition that a row stands after the place where the page goes on. */
function beyond(order: Order, place: Place | null, put: Put, key: string, id: string): string {
  const sign = order.direction === "asc" ? ">" : "<";
  return place
    ? `and (${key}, ${id}) ${sign} (${put(place.key)}::${order.type}, ${put(place.id)}::uuid)`
    : "";
}

/**
 * The first of what is open, in the order that is asked for: one index read in its order, or one part of an index for
 * each kind and grade, at most 45, merged. No more is read than is taken. Every part says itself how many of it can be
 * wanted: otherwise PostgreSQL plans as if all of them were, and sorts them.
 */
function firstInOrder(
  { sort, facets, place }: ProductQuery,
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
      where ${open} ${facet} ${going} ${beyond(order, place, put, key, id)} ${limit})`;
  if (facets === null) return part("");
  const { kinds, grades } = facets;
  const parts = kinds.flatMap(({ category, subcategory }) =>
    grades.map((grade) =>
      part(`and category = ${put(category)} and subcategory = ${put(subcategory)} and grade = ${put(grade)}`),
    ),
  );
  return `(select * from (${parts.join(" union all ")}) parts ${limit})`;
}

/** A page, of what a search finds if there is one, among so many of the first in the order; null: among all. */
export function pageInOrder(query: ProductQuery, search: string | null, among: number | null): Statement {
  const { table, direction } = orders[query.sort];
  const isBidding = table === "auction_bidding";
  return statement(search, (put) => {
    const first = firstInOrder(query, put, search !== null && !isBidding ? ", search" : "", among);
    // The bidding doesn't know when its product ends, nor what it is called.
    const product = isBidding
      ? `cross join lateral (
          select search from auction_product where id = first.id and state = 'open' and end_date > now() offset 0) product`
      : "";
    const asked = search !== null && tsquery(search, put);
    // Of a search for words like "the" nothing is left: it finds everything.
    const found = asked ? `where search @@ ${asked} or numnode(${asked}) = 0` : "";
    return `select first.id, first.key from ${first} first ${product} ${found}
      order by first.key ${direction}, first.id ${direction} limit ${wanted}`;
  });
}

/** How many are open, counted up to so many. */
export function countInOrder(facets: Facets | null, most: number): Statement {
  const query: ProductQuery = { search: "", sort: "endingSoonest", facets, place: null };
  return statement(
    null,
    (put) => `select count(*)::int as count from ${firstInOrder(query, put, "", most)} counted`,
  );
}

/** The kinds and grades that are asked for, as a search's index has them. */
function facetQuery({ kinds, grades }: Facets): string {
  const anyOf = (lexemes: readonly string[]) => `(${lexemes.map((each) => `'${each}'`).join(" | ")})`;
  const ofKinds = kinds.map(({ category, subcategory }) => `/${category}/${subcategory}`);
  return `${anyOf(ofKinds)} & ${anyOf(grades.map((grade) => `/${grade}`))}`;
}

/** All that a search finds by its index, of which the first are taken. */
export function pageBySearch(query: ProductQuery, search: string): Statement {
  const { sort, facets, place } = query;
  const order = orders[sort];
  const { key, direction, table } = order;
  return statement(search, (put) => {
    const ofFacets = facets ? ` && ${put(facetQuery(facets))}::tsquery` : "";
    const price = table === "auction_bidding" ? "join auction_bidding on product_id = found.id" : "";
    // Materialized: found by the index, whatever PostgreSQL guesses of the other conditions and of the order.
    return `with found as materialized (
        select id, end_date, created_at from auction_product
        where state = 'open' and search @@ (${tsquery(search, put)}${ofFacets}))
      select found.id, ${key} as key from found ${price}
      where found.end_date > now() ${beyond(order, place, put, key, "found.id")}
      order by ${key} ${direction}, found.id ${direction} limit ${wanted}`;
  });
}
