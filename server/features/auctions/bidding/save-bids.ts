import type pg from "pg";
import type { PublicBid } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import type { LockedProduct } from "./locked-products.ts";

/** A public bid with its place in the chained history. */
export type ChainedBid = PublicBid & {
  productId: string;
  number: number;
  at: Date;
  tag: string;
  hash: Buffer | null;
  commitment: Buffer | null;
};

export type NewBid = ChainedBid & {
  name: string | null;
  /** Null for a bid that a limit made against a rival. */
  key: string | null;
  /** Whether the bidder already learns from the answer that the bid is outbid. */
  outbidAtOnce: boolean;
};
/** A limit as it is saved, with the number of its public bid. */
export type NewLimit = {
  bidderId: string;
  key: string;
  productId: string;
  number: number;
  amount: Cents;
  at: Date;
  salt: Buffer | null;
};
/** Saves the bids, the resulting bidding, the limits and the bidders, always in the order of the locks. */
const saveText = `
  with bids as (
    insert into auction_bid (product_id, number, bidder_id, amount, kind, idempotency_key, created_at, tag, hash, commitment)
    select * from unnest($1::uuid[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::uuid[], $7::timestamptz[],
                         $8::text[], $9::bytea[], $10::bytea[])
  ), updated as (
    update auction_bidding b
    set price = s.price, highest_bidder_id = s.bidder, leader_limit = s.leader_limit, bid_count = s.bids,
        written_to = s.bids, version = s.version, ends_at = s.ends_at, head = s.head
    from unnest($11::uuid[], $12::bigint[], $13::text[], $14::bigint[], $15::int[], $16::int[], $17::timestamptz[],
                $18::bytea[])
      as s (id, price, bidder, leader_limit, bids, version, ends_at, head)
    where b.product_id = s.id
  ), limits as (
    insert into auction_limit (bidder_id, idempotency_key, product_id, number, amount, created_at, salt)
    select * from unnest($25::text[], $26::uuid[], $27::uuid[], $28::int[], $29::bigint[], $30::timestamptz[],
                         $31::bytea[])
  )
  insert into auction_bidder (product_id, bidder_id, since, amount, number, outbid_at_once)
  select * from unnest($19::uuid[], $20::text[], $21::timestamptz[], $22::bigint[], $23::int[], $24::bool[])
  on conflict (product_id, bidder_id) do update
  set amount = excluded.amount, number = excluded.number, outbid_at_once = excluded.outbid_at_once,
      withdrawn = false`;

/** Returns each bidder's latest bid per product, in the order in which the rows are locked. */
function latestOfEach(bids: readonly NewBid[]): NewBid[] {
  const latest = new Map(bids.map((bid) => [`${bid.productId} ${bid.bidderId}`, bid]));
  return [...latest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, bid]) => bid);
}

/** The changes of a batch: public bids, limits, and the products with their bidding after them. */
export type BatchChanges = { bids: NewBid[]; limits: NewLimit[]; changed: LockedProduct[] };

export async function save(client: pg.PoolClient, { bids, limits, changed }: BatchChanges): Promise<void> {
  const latest = latestOfEach(bids);
  const values = [
    bids.map(({ productId }) => productId),
    bids.map(({ number }) => number),
    bids.map(({ bidderId }) => bidderId),
    bids.map(({ amount }) => amount),
    bids.map(({ kind }) => kind),
    bids.map(({ key }) => key),
    bids.map(({ at }) => at),
    bids.map(({ tag }) => tag),
    bids.map(({ hash }) => hash),
    bids.map(({ commitment }) => commitment),
    changed.map(({ productId }) => productId),
    changed.map(({ highestBid }) => highestBid),
    changed.map(({ highestBidderId }) => highestBidderId),
    changed.map(({ leaderLimit }) => leaderLimit),
    changed.map(({ bidCount }) => bidCount),
    changed.map(({ version }) => version),
    changed.map(({ endDate }) => endDate),
    changed.map(({ head }) => head),
    latest.map(({ productId }) => productId),
    latest.map(({ bidderId }) => bidderId),
    latest.map(({ at }) => at),
    latest.map(({ amount }) => amount),
    latest.map(({ number }) => number),
    latest.map(({ outbidAtOnce }) => outbidAtOnce),
    limits.map(({ bidderId }) => bidderId),
    limits.map(({ key }) => key),
    limits.map(({ productId }) => productId),
    limits.map(({ number }) => number),
    limits.map(({ amount }) => amount),
    limits.map(({ at }) => at),
    limits.map(({ salt }) => salt),
  ];
  await client.query({ name: "bid_save", text: saveText, values });
}
