import { sql } from "drizzle-orm";
import type { BiddingPair } from "#contract/trade-reports.ts";
import { isListed, type PairFacts, pairLimits, signsOf } from "#domain/pair.ts";
import type { Reader } from "#server/platform/database.ts";

/** Number of pairs that are read: those that met most often. Not all of them show signs. */
const maxRead = 1_000;

/**
 * Counts what pairs of bidder and seller have in common. A session's address already stands for a whole IPv6 network
 * (`clientAddress`), and loopback addresses prove nothing. A second chance gives an item another winner and price, so
 * only `sale` has the earlier winner, and a bidder may have bid more than it sold for.
 */
const pairsOf = sql`
  with recent as (
    select product.id, seller_id, winning_bid, product.state
    from auction_product product
    where seller_id is not null and product.state <> 'removed'
      and product.created_at > now() - make_interval(days => ${pairLimits.days})
  ), met as (
    select recent.*, bidder_id, amount,
      exists (select from sale where product_id = recent.id and buyer_id = bidder_id) as is_won
    from recent join auction_bidder on product_id = recent.id
  ), pair as (
    select seller_id, bidder_id, count(*)::int as common,
      count(*) filter (where state <> 'open')::int as closed,
      count(*) filter (where is_won)::int as won,
      count(*) filter (where state = 'sold' and not is_won
        and amount <= winning_bid and winning_bid < amount * 1.05)::int as narrow
    from met group by seller_id, bidder_id having count(*) >= ${pairLimits.common}
    order by count(*) desc, seller_id, bidder_id limit ${maxRead}
  )
  select pair.common, pair.closed, pair.won, pair.narrow,
    (select count(*)::int from met where met.bidder_id = pair.bidder_id) as "all",
    exists (
      select from session one join session other on other.ip_address = one.ip_address
      where one.user_id = pair.seller_id and other.user_id = pair.bidder_id
        and one.ip_address <> 'unknown' and one.ip_address <> '::1' and one.ip_address not like '127.%'
    ) as "sameNetwork",
    abs(extract(epoch from seller.created_at - bidder.created_at))::float8 / 3600 as "hoursBetweenAccounts",
    json_build_object('id', seller.id, 'name', seller.name, 'email', seller.email) as seller,
    json_build_object('id', bidder.id, 'name', bidder.name, 'email', bidder.email) as bidder
  from pair join "user" seller on seller.id = pair.seller_id join "user" bidder on bidder.id = pair.bidder_id`;

type Row = PairFacts & Pick<BiddingPair, "seller" | "bidder">;

/** Lists the pairs that an admin should look at, those with the most signs first. Has no other effect. */
export async function listPairs(db: Reader): Promise<BiddingPair[]> {
  const { rows } = await db.execute<Row & Record<string, unknown>>(pairsOf);
  return rows
    .filter(isListed)
    .map((row) => ({
      seller: row.seller,
      bidder: row.bidder,
      common: row.common,
      all: row.all,
      won: row.won,
      narrow: row.narrow,
      signs: signsOf(row),
    }))
    .toSorted((a, b) => b.signs.length - a.signs.length || b.common - a.common)
    .slice(0, pairLimits.listed);
}
