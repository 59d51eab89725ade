import { createHash } from "node:crypto";
import { grades as allGrades } from "#domain/auction.ts";
import { auctionsPerPage } from "#domain/auction-list.ts";
import { searchedWords } from "../tables.ts";
import { type Facets, type Order, orders, type Place } from "./auction-order.ts";
import type { ProductQuery } from "./list-products.ts";
import { type Nearby, nearbyMarks } from "./nearby.ts";
import { isNamed, isWord, partsOf } from "./search-text.ts";

/** A statement whose text depends only on the kind of question, and its name on its text: PostgreSQL plans it once. */
export type Statement = { name: string; text: string; values: unknown[] };

/** A page and the product after it, which tells whether there is another page. */
export const wanted = auctionsPerPage + 1;

type Asked = { order: Order; facets: Facets | null; place: Place | null; parts: string[] };
/** Adds a value to a statement, and returns how it is written there. */
type Put = (value: unknown) => string;

/** The condition that a row stands after the place where the page goes on. */
function beyond({ order, place }: Pick<Asked, "order" | "place">, put: Put, key: string, id: string): string {
  const sign = order.direction === "asc" ? ">" : "<";
  return place
    ? `and (${key}, ${id}) ${sign} (${put(place.key)}::${order.type}, ${put(place.id)}::uuid)`
    : "";
}

/**
 * The first of what is open, in the order that is asked for: one index read in its order, or one stretch of an index for
 * each kind and grade, at most 15, merged. No more is read than is taken. Every stretch says itself how many of it can
 * be wanted: otherwise PostgreSQL plans as if all of them were, and sorts them.
 */
function firstInOrder({ order, facets, place }: Asked, put: Put, among: number | null): string {
  const { table, id, key, open, direction } = order;
  const going = table === "auction_product" ? "and end_date > now()" : "";
  const limit = among === null ? "" : `order by key ${direction}, id ${direction} limit ${among}`;
  const stretch = (facet: string) =>
    `(select ${id} as id, ${key} as key, folded_name from ${table}
      where ${open} ${facet} ${going} ${beyond({ order, place }, put, key, id)} ${limit})`;
  if (facets === null) return stretch("");
  const { kinds, grades } = facets;
  const stretches = kinds.flatMap(({ category, subcategory }) =>
    grades.map((grade) =>
      stretch(
        `and category = ${put(category)} and subcategory = ${put(subcategory)} and grade = ${put(grade)}`,
      ),
    ),
  );
  return `(select * from (${stretches.join(" union all ")}) stretches ${limit})`;
}

function statement(query: ProductQuery, write: (asked: Asked, put: Put) => string): Statement {
  const { sort, facets, place, search } = query;
  const values: unknown[] = [];
  const asked = { order: orders[sort], facets, place, parts: partsOf(search) };
  const text = write(asked, (value) => `$${values.push(value)}`);
  const name = `auctions_${createHash("sha1").update(text).digest("hex")}`;
  return { name, text, values };
}

/**
 * A page, of what a search finds if there is one, among so many of the first in the order; null: among all. By price
 * they are rows of the bidding, which does not know when its product ends.
 */
export const pageInOrder = (query: ProductQuery, among: number | null): Statement =>
  statement(query, (asked, put) => {
    const { table, direction } = asked.order;
    const first = firstInOrder(asked, put, among);
    const going =
      table === "auction_product"
        ? ""
        : "join auction_product p on p.id = found.id and p.state = 'open' and p.end_date > now()";
    const named = asked.parts.map((part) => `and ${isNamed(part, put)}`).join(" ");
    return `select found.id, found.key from (select * from ${first} first where true ${named}) found ${going}
      order by found.key ${direction}, found.id ${direction} limit ${wanted}`;
  });

/** The condition that a row has a word with each of the parts, one of the kinds and grades, and stands nearby. */
function hasWords({ order, parts, facets }: Asked, nearby: Nearby | null, put: Put): string {
  const kinds = facets && put(facets.kinds.map(({ category, subcategory }) => ` ${category} ${subcategory}`));
  // No word of other kinds: two long lists that have nothing in common take long to compare.
  const ofKinds = kinds ? `and ' ' || category || ' ' || subcategory = any(${kinds}::text[])` : "";
  const words = parts.map(
    (part) => `array(select distinct word from auction_vocabulary where ${isWord(part, put)} ${ofKinds})`,
  );
  const grades =
    facets && facets.grades.length < allGrades.length ? put(facets.grades.map((grade) => ` ${grade}`)) : null;
  const facetWords = [kinds, grades].flatMap((each) => (each ? [`${each}::text[]`] : []));
  return [...words, ...facetWords, ...(nearby ? [nearbyMarks(order, nearby, put)] : [])]
    .map((each) => `and ${searchedWords[order.table]} && ${each}`)
    .join(" ");
}

/** What a search finds by the index of words, nearby or anywhere: all of it, of which the first are taken. */
export const searchByWords = (query: ProductQuery, nearby: Nearby | null): Statement =>
  statement(query, (asked, put) => {
    const { table, id, key, open, direction } = asked.order;
    const order = `order by key ${direction}, id ${direction}`;
    // Materialized: found by words alone, whatever PostgreSQL guesses of the other conditions and of the order.
    return `with found as materialized (
        select ${id} as id, ${key} as key from ${table} where ${open} ${hasWords(asked, nearby, put)})
      select found.id, found.key
      from (select * from found where true ${beyond(asked, put, "key", "id")} ${order}) found
      cross join lateral (
        select from auction_product where id = found.id and state = 'open' and end_date > now() offset 0) going
      order by found.key ${direction}, found.id ${direction} limit ${wanted}`;
  });
