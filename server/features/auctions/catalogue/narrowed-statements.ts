import type { Kind } from "#domain/auction.ts";
import {
  type AddParameter,
  beyond,
  type Facets,
  isFound,
  orders,
  type ProductQuery,
  productsOfPage,
  rowsToRead,
  type Statement,
  statement,
  tsquery,
} from "./list-statements.ts";
import { narrowed } from "./narrowing.ts";

/** Maximum number of items sharing a word of a name that are compared with it, to find the most similar ones. */
const similarCandidates = 500;

/** Returns the conditions for the requested kinds and grades on a table that has these columns. */
function facetConditions(facets: Facets | null, bind: AddParameter, table: string): string[] {
  if (facets === null) return [];
  const { kinds, grades } = facets;
  return [
    `${table}.category = any(${bind(kinds.map(({ category }) => category))}::text[])`,
    `${table}.subcategory = any(${bind(kinds.map(({ subcategory }) => subcategory))}::text[])`,
    `${table}.grade = any(${bind(grades)}::text[])`,
  ];
}

/**
 * Reads the first products that pass the narrowing filters, by the index that PostgreSQL finds best for their values.
 * Meant for filters that few products pass.
 */
export function pageByFilters(query: ProductQuery): Statement {
  const { sort, facets, narrowing, cursor } = query;
  const order = orders[sort];
  const { key, direction, table } = order;
  return statement(undefined, (bind) => {
    const conditions = [
      ...narrowed(narrowing, bind, "auction_bidding"),
      ...facetConditions(facets, bind, "auction_bidding"),
    ];
    const product = table === "auction_product" ? "join auction_product on id = found.product_id" : "";
    // Materialized, so that the order's index is not read from its beginning to its end.
    const page = `with found as materialized (
        select product_id, price, ends_at from auction_bidding
        where open and ends_at > now() ${conditions.map((condition) => `and ${condition}`).join(" ")})
      select product_id as id, ${key} as key from found ${product}
      where true ${beyond(order, cursor, bind, "product_id")}
      order by ${key} ${direction}, product_id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}

/** Reads the first products that the seller of a product has on sale. */
export function pageOfSeller(query: ProductQuery, search: string | null): Statement {
  const { sort, facets, narrowing, cursor, fit } = query;
  const order = orders[sort];
  const { key, direction } = order;
  return statement(undefined, (bind) => {
    const conditions = [
      ...(search === null ? [] : [`(${isFound(fit, tsquery(search, bind))})`]),
      ...narrowed(narrowing, bind, "auction_bidding"),
      ...facetConditions(facets, bind, "auction_bidding"),
    ];
    const page = `with found as materialized (
        select id, created_at, search, called from auction_product
        where state = 'open'
          and seller_id = (select seller_id from auction_product where id = ${bind(narrowing.sellerOf)} and state <> 'removed'))
      select found.id, ${key} as key from found join auction_bidding on product_id = found.id
      where ends_at > now() ${conditions.map((condition) => `and ${condition}`).join(" ")}
        ${beyond(order, cursor, bind, "found.id")}
      order by ${key} ${direction}, found.id ${direction} limit ${rowsToRead}`;
    return productsOfPage(page, direction);
  });
}

/**
 * Reads open auctions of a product's kind: first those whose names share most words with its own, then those that end
 * soonest. At most `similarCandidates` auctions that share a word are compared.
 */
export function pageOfSimilar(
  productId: string,
  kind: Kind,
  words: readonly string[],
  limit: number,
): Statement {
  const ofKind = (bind: AddParameter) =>
    `category = ${bind(kind.category)} and subcategory = ${bind(kind.subcategory)}`;
  return statement(undefined, (bind) => {
    const query = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(" | ");
    const page = `with alike as materialized (
        select id, called from auction_product
        where state = 'open' and called @@ (${bind(`'/${kind.category}/${kind.subcategory}'`)}::tsquery && ${bind(query)}::tsquery)
          and id <> ${bind(productId)}
        limit ${similarCandidates}),
      ending as (
        select product_id as id from auction_bidding
        where open and ends_at > now() and ${ofKind(bind)} and product_id <> ${bind(productId)}
        order by ends_at, product_id limit ${limit})
      select id, min(place)::int as key from (
        (select alike.id, row_number() over (order by shared desc, ends_at, alike.id) as place
          from alike join auction_bidding on product_id = alike.id
          cross join lateral (
            select count(*) as shared from unnest(tsvector_to_array(alike.called)) word where word = any(${bind(words)}::text[])) words
          where open and ends_at > now()
          order by place limit ${limit})
        union all
        select id, ${similarCandidates} + row_number() over () from ending) places
      group by id order by key limit ${limit}`;
    return productsOfPage(page, "asc");
  });
}
