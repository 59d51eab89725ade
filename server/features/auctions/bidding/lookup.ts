import type pg from "pg";
import type { AccountStatus } from "#domain/account.ts";
import { type BidForm, leastBid } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";

/** A bidder at this moment. */
type Person = AccountStatus & { id: string; emailVerified: boolean; name: string };
/** The product after a bid, as its bidder is told. */
type Standing = { isLeading: boolean; least: Cents };

/** An earlier bid under a key that was sent again; `at` is the database's time of its decision. */
export type EarlierBid = {
  productId: string;
  number: number;
  bidderId: string;
  form: BidForm;
  amount: Cents;
  key: string;
  at: Date;
} & Standing;
/**
 * The facts that are read once the products are locked: the database's time, the bidders, and earlier bids under the
 * same keys.
 */
export type Lookup = { now: Date; people: Person[]; repeats: EarlierBid[] };

type RepeatRow = Omit<EarlierBid, "at" | keyof Standing> & {
  at: number;
  leaderId: string | null;
  price: number;
  startingBid: number;
};
type LookRow = { now: Date; people: Person[] | null; repeats: RepeatRow[] | null };

/** The bidder and the key of an attempt. */
type AttemptKey = { bidderId: string; key: string };

const lookText = `
  select clock_timestamp() as now,
    (select json_agg(json_build_object('id', id, 'role', role, 'status', status,
       'emailVerified', email_verified, 'name', name))
     from "user" where id = any($1::text[])) as people,
    (select json_agg(json_build_object('productId', e.product_id, 'number', e.number, 'bidderId', sent.bidder_id,
       'form', e.form, 'amount', e.amount, 'key', sent.key, 'at', (extract(epoch from e.created_at) * 1000)::bigint,
       'leaderId', s.highest_bidder_id, 'price', s.price, 'startingBid', p.starting_bid))
     from unnest($2::text[], $3::uuid[]) as sent (bidder_id, key)
     cross join lateral (
       select product_id, number, amount, created_at, 'upTo' as form
       from auction_limit where bidder_id = sent.bidder_id and idempotency_key = sent.key
       union all
       select product_id, number, amount, created_at, 'exact'
       from auction_bid where bidder_id = sent.bidder_id and idempotency_key = sent.key
       order by form desc limit 1) e
     join auction_bidding s on s.product_id = e.product_id
     join auction_product p on p.id = e.product_id) as repeats`;

/**
 * Reads the time, bidders and earlier bids. After a statement that locks, everything is of a moment under the lock, the
 * time too.
 */
export async function look(
  client: Pick<pg.PoolClient, "query">,
  attempts: readonly AttemptKey[],
): Promise<Lookup> {
  const bidders = attempts.map(({ bidderId }) => bidderId);
  const values = [[...new Set(bidders)], bidders, attempts.map(({ key }) => key)];
  const { rows } = await client.query<LookRow>({ name: "bid_look", text: lookText, values });
  const [row] = rows;
  if (!row) throw new Error("the database answered no time");
  const repeats = (row.repeats ?? []).map(({ at, leaderId, price, startingBid, ...bid }) => ({
    ...bid,
    at: new Date(at),
    isLeading: leaderId === bid.bidderId,
    least: leastBid({ highestBid: leaderId === null ? null : price, startingBid }),
  }));
  return { now: row.now, people: row.people ?? [], repeats };
}
