import type pg from "pg";
import type { AccountStatus } from "#domain/account.ts";
import { type BidForm, leastBid } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import { latestActText } from "../catalogue/database-time.ts";
import type { TagOf } from "../catalogue/read-product.ts";
import { movedLimit } from "../history/chain.ts";
import type { UnsignedReceipt } from "../history/receipts.ts";

type Person = AccountStatus & {
  id: string;
  emailVerified: boolean;
  name: string;
  /** End of the bar that strikes cause, in milliseconds since 1970; usually null. */
  barredUntil: number | null;
};
/** The product's state after a bid, as reported to its bidder. */
type LeaderState = { isLeading: boolean; least: Cents };

/** An earlier bid whose key was sent again; `at` is the database's time of its decision. */
export type EarlierBid = {
  productId: string;
  number: number;
  bidderId: string;
  form: BidForm;
  amount: Cents;
  key: string;
  at: Date;
  /** Null without a chained history. */
  receipt: UnsignedReceipt | null;
} & LeaderState;
/**
 * Data read once the products are locked: the database's time, the bidders, earlier bids with the same keys, and the
 * time of each product's latest event.
 */
export type Lookup = {
  now: Date;
  people: Person[];
  repeats: EarlierBid[];
  latestActs: ReadonlyMap<string, Date>;
};

type RepeatRow = Omit<EarlierBid, "at" | "receipt" | keyof LeaderState> & {
  at: number;
  salt: string | null;
  hash: string | null;
  /** Current head of the product's history; null if a version without hashes has written since. */
  head: string | null;
  headNumber: number;
  /** Whether the bid only moved its bidder's limit, so that the history has no row for it. */
  isMoved: boolean;
  leaderId: string | null;
  price: number;
  startingBid: number;
};
type LookRow = {
  now: Date;
  people: Person[] | null;
  repeats: RepeatRow[] | null;
  acts: { id: string; at: number }[] | null;
};

export type AttemptKey = { bidderId: string; key: string };

const lookText = `
  select clock_timestamp() as now,
    (select json_agg(json_build_object('id', id, 'role', role, 'status', status,
       'emailVerified', email_verified, 'name', name,
       'barredUntil', (select (extract(epoch from until) * 1000)::bigint from trading_bar where account_id = id)))
     from "user" where id = any($1::text[])) as people,
    (select json_agg(json_build_object('productId', e.product_id, 'number', e.number, 'bidderId', sent.bidder_id,
       'form', e.form, 'amount', e.amount, 'key', sent.key, 'at', (extract(epoch from e.created_at) * 1000)::bigint,
       'leaderId', s.highest_bidder_id, 'price', s.price, 'startingBid', p.starting_bid,
       'salt', encode(e.salt, 'hex'), 'hash', encode(r.hash, 'hex'), 'headNumber', s.bid_count,
       'isMoved', r.bidder_id is distinct from sent.bidder_id or r.idempotency_key is distinct from sent.key,
       'head', case when s.written_to = s.bid_count then encode(s.head, 'hex') end))
     from unnest($2::text[], $3::uuid[]) as sent (bidder_id, key)
     cross join lateral (
       select product_id, number, amount, created_at, 'upTo' as form, salt
       from auction_limit where bidder_id = sent.bidder_id and idempotency_key = sent.key
       union all
       select product_id, number, amount, created_at, 'exact', null
       from auction_bid where bidder_id = sent.bidder_id and idempotency_key = sent.key
       order by form desc limit 1) e
     join auction_bidding s on s.product_id = e.product_id
     join auction_product p on p.id = e.product_id
     left join auction_bid r on r.product_id = e.product_id and r.number = e.number) as repeats,
    (select json_agg(act) from (
       select b.product_id as id, (extract(epoch from ${latestActText}) * 1000)::bigint as at
       from auction_bidding b where b.product_id = any($4::uuid[])) act
     where at is not null) as acts`;

/**
 * Reads the time, bidders and earlier bids. After a locking statement, all of this, including the time, is from under
 * the lock.
 */
export async function look(
  client: Pick<pg.PoolClient, "query">,
  attempts: readonly AttemptKey[],
  tagOf: TagOf,
  products: readonly string[] = [],
): Promise<Lookup> {
  const bidders = attempts.map(({ bidderId }) => bidderId);
  const values = [[...new Set(bidders)], bidders, attempts.map(({ key }) => key), products];
  const { rows } = await client.query<LookRow>({ name: "bid_look", text: lookText, values });
  const [row] = rows;
  if (!row) throw new Error("the database answered no time");
  const repeats = (row.repeats ?? []).map((repeat): EarlierBid => {
    const { productId, number, bidderId, form, amount, key, leaderId, price, startingBid } = repeat;
    const bid = { productId, number, bidderId, form, amount, key, at: new Date(repeat.at) };
    return {
      ...bid,
      isLeading: leaderId === bidderId,
      least: leastBid({ highestBid: leaderId === null ? null : price, startingBid }),
      receipt: receiptOf(bid, repeat, tagOf),
    };
  });
  const latestActs = new Map((row.acts ?? []).map(({ id, at }) => [id, new Date(at)]));
  return { now: row.now, people: row.people ?? [], repeats, latestActs };
}

/** Returns the receipt of an earlier bid; null where its row has no hash. */
function receiptOf(
  { productId, number, bidderId, amount, at }: Omit<EarlierBid, "receipt" | keyof LeaderState>,
  { hash, salt, head, headNumber, isMoved }: RepeatRow,
  tagOf: TagOf,
): UnsignedReceipt | null {
  if (hash === null) return null;
  const moved =
    isMoved && salt !== null ? { tag: tagOf(productId, bidderId), at, limit: amount, salt } : null;
  return {
    productId,
    number,
    hash,
    salt,
    head: head === null ? { number, hash } : { number: headNumber, hash: head },
    moved: moved && movedLimit(moved),
  };
}
