import { deliveryWays } from "#domain/delivery.ts";
import type { Database } from "#server/platform/database.ts";
import { isDelivered } from "../catalogue/narrowing.ts";

const waysOfItem = deliveryWays.map((way) => `case when ${isDelivered[way]} then '${way}' end`);

/**
 * Selects the keys by which a new item is matched: its words, kind and grade, and the prefixes of its words with a
 * star; and its price and ways of delivery.
 */
const keysOfItem = `
  select product.seller_id as "sellerId", product.search::text as words, bidding.price,
    array_remove(array[${waysOfItem.join()}], null) as ways,
    array(
      select word from unnest(tsvector_to_array(product.search)) word
      union
      select left(word, letters) || '*'
      from unnest(tsvector_to_array(product.search)) word, generate_series(1, length(word)) letters
      where not starts_with(word, '/')) as keys
  from auction_product product join auction_bidding bidding on bidding.product_id = product.id
  where product.id = $1 and product.state = 'open' and bidding.ends_at > now()`;

/**
 * Matches an item with all saved searches except its seller's own, and records the hits. The index finds candidates by
 * their rarest words; these are compared in full. Rows are written in one order, so that two items never wait for each
 * other. The notification is due immediately, or a day after the search's last one.
 */
const recordMatches = `
  with candidates as materialized (
    select distinct search_id from saved_search_anchor
    where word = any($2::text[]) and other_word = any($2::text[] || ''::text)),
  matched as materialized (
    select id, told_at from candidates join saved_search on id = search_id
    where $3::tsvector @@ query and user_id is distinct from $4
      and $5 between coalesce((filters ->> 'priceFrom')::bigint, 0)
        and coalesce((filters ->> 'priceTo')::bigint, 9223372036854775807)
      and coalesce(filters ->> 'delivery', '') = any($6::text[] || ''::text)
    order by id),
  hits as (
    insert into saved_search_hit (search_id, product_id) select id, $1 from matched
    on conflict do nothing returning search_id)
  insert into saved_search_due (search_id, at)
  select id, greatest(now(), told_at + interval '1 day') from matched join hits on search_id = id order by id
  on conflict (search_id) do update set at = least(saved_search_due.at, excluded.at)`;

type ItemKeys = { sellerId: string | null; words: string; price: string; ways: string[]; keys: string[] };

/**
 * Records a new item for every saved search that it matches (docs/auctions.md, "Saved searches"). Safe to repeat. Does
 * nothing if the item is off sale by then.
 */
export async function matchItem({ pool }: Pick<Database, "pool">, productId: string): Promise<void> {
  const { rows } = await pool.query<ItemKeys>({ name: "item_keys", text: keysOfItem, values: [productId] });
  const [item] = rows;
  if (!item) return;
  // The statement has no name, so that it is planned for this item's words.
  const { keys, words, sellerId, price, ways } = item;
  await pool.query(recordMatches, [productId, keys, words, sellerId, price, ways]);
}
