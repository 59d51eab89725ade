import type pg from "pg";
import type { Role, Status } from "#domain/account.ts";
import type { Bidding } from "#domain/bid.ts";
import type { LockMode } from "../tables.ts";

/** A product whose bidding this transaction has locked. */
export type Locked = Bidding & { productId: string; version: number };
/** Who bids, as they are at this moment. */
type Person = { id: string; role: Role; status: Status; emailVerified: boolean; name: string };
/** A bid under a key: `at` is the database's time of its decision. */
export type KeyedBid = {
  productId: string;
  number: number;
  bidderId: string;
  amount: number;
  key: string;
  at: Date;
};
type Keyed = { productId: string; bidderId: string; key: string };
/** What is looked up once the products are locked: the database's time, the bidders, earlier bids under the same keys. */
export type Lookup = { now: Date; people: Person[]; repeats: KeyedBid[] };

type LockRow = {
  product_id: string;
  version: number;
  open: boolean;
  price: string;
  bid_count: number;
  highest_bidder_id: string | null;
  seller_id: string | null;
  starting_bid: string;
  end_date: Date;
};

/**
 * Locks the products' bidding, always in the same order, so that two nodes never wait for each other. What is read of
 * auction_product never changes: after a wait for the lock, only the locked rows are read anew.
 */
const lockText = `
  select b.product_id, b.version, b.open, b.price, b.bid_count, b.highest_bidder_id,
         p.seller_id, p.starting_bid, p.end_date
  from auction_bidding b join auction_product p on p.id = b.product_id
  where b.product_id = any($1::uuid[])
  order by b.product_id
  for update of b`;

const locks: Record<LockMode, { name: string; text: string }> = {
  skipLocked: { name: "bid_lock_free", text: `${lockText} skip locked` },
  wait: { name: "bid_lock", text: lockText },
};

export async function lockProducts(
  client: pg.PoolClient,
  ids: readonly string[],
  lockMode: LockMode,
): Promise<Locked[]> {
  const { rows } = await client.query<LockRow>({ ...locks[lockMode], values: [ids] });
  return rows.map((row) => ({
    productId: row.product_id,
    version: row.version,
    open: row.open,
    sellerId: row.seller_id,
    startingBid: Number(row.starting_bid),
    endDate: row.end_date,
    highestBid: row.bid_count > 0 ? Number(row.price) : null,
    highestBidderId: row.highest_bidder_id,
    bidCount: row.bid_count,
  }));
}

type LookRow = {
  now: Date;
  people: Person[] | null;
  repeats: (Omit<KeyedBid, "at"> & { at: number })[] | null;
};

const lookText = `
  select clock_timestamp() as now,
    (select json_agg(json_build_object('id', id, 'role', role, 'status', status,
       'emailVerified', email_verified, 'name', name))
     from "user" where id = any($1::text[])) as people,
    (select json_agg(json_build_object('productId', b.product_id, 'number', b.number, 'bidderId', b.bidder_id,
       'amount', b.amount, 'key', b.idempotency_key, 'at', (extract(epoch from b.created_at) * 1000)::bigint))
     from unnest($2::text[], $3::uuid[]) as sent (bidder_id, key)
     join auction_bid b on b.bidder_id = sent.bidder_id and b.idempotency_key = sent.key) as repeats`;

/** A statement of its own, after the one that locks: what it reads, the time too, is of a moment under the lock. */
export async function look(client: pg.PoolClient, bids: readonly Keyed[]): Promise<Lookup> {
  const bidders = bids.map(({ bidderId }) => bidderId);
  const values = [[...new Set(bidders)], bidders, bids.map(({ key }) => key)];
  const { rows } = await client.query<LookRow>({ name: "bid_look", text: lookText, values });
  const [row] = rows;
  if (!row) throw new Error("the database answered no time");
  const repeats = (row.repeats ?? []).map((bid) => Object.assign(bid, { at: new Date(bid.at) }));
  return { now: row.now, people: row.people ?? [], repeats };
}

/** Of some products that are not at hand: those that were taken off sale, and those that are there all the same. */
export type Others = { removed: Set<string>; there: Set<string> };

/** About products that were skipped, or whose bidding is closed. */
export async function lookAtOthers(client: pg.PoolClient, ids: readonly string[]): Promise<Others> {
  if (ids.length === 0) return { removed: new Set(), there: new Set() };
  const text = "select id, state = 'removed' as removed from auction_product where id = any($1::uuid[])";
  const { rows } = await client.query<{ id: string; removed: boolean }>({
    name: "bid_others",
    text,
    values: [ids],
  });
  const idsOf = (removed: boolean) =>
    new Set(rows.filter((row) => row.removed === removed).map(({ id }) => id));
  return { removed: idsOf(true), there: idsOf(false) };
}

/** Bids, the bidding after them, and who bids for what: always in the same order, as the locks. */
const saveText = `
  with bids as (
    insert into auction_bid (product_id, number, bidder_id, amount, idempotency_key, created_at)
    select * from unnest($1::uuid[], $2::int[], $3::text[], $4::bigint[], $5::uuid[], $6::timestamptz[])
  ), updated as (
    update auction_bidding b
    set price = s.price, highest_bidder_id = s.bidder, bid_count = s.bids, version = s.version
    from unnest($7::uuid[], $8::bigint[], $9::text[], $10::int[], $11::int[])
      as s (id, price, bidder, bids, version)
    where b.product_id = s.id
  )
  insert into auction_bidder (product_id, bidder_id, since, amount, number)
  select * from unnest($12::uuid[], $13::text[], $14::timestamptz[], $15::bigint[], $16::int[])
  on conflict (product_id, bidder_id) do update
  set amount = excluded.amount, number = excluded.number`;

/** Of several bids of one person for one product the latest, in the order in which their rows are locked. */
function latestOfEach(bids: readonly KeyedBid[]): KeyedBid[] {
  const latest = new Map(bids.map((bid) => [`${bid.productId} ${bid.bidderId}`, bid]));
  return [...latest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, bid]) => bid);
}

export async function save(
  client: pg.PoolClient,
  bids: readonly KeyedBid[],
  products: readonly Locked[],
): Promise<void> {
  const latest = latestOfEach(bids);
  const values = [
    bids.map(({ productId }) => productId),
    bids.map(({ number }) => number),
    bids.map(({ bidderId }) => bidderId),
    bids.map(({ amount }) => amount),
    bids.map(({ key }) => key),
    bids.map(({ at }) => at),
    products.map(({ productId }) => productId),
    products.map(({ highestBid }) => highestBid),
    products.map(({ highestBidderId }) => highestBidderId),
    products.map(({ bidCount }) => bidCount),
    products.map(({ version }) => version),
    latest.map(({ productId }) => productId),
    latest.map(({ bidderId }) => bidderId),
    latest.map(({ at }) => at),
    latest.map(({ amount }) => amount),
    latest.map(({ number }) => number),
  ];
  await client.query({ name: "bid_save", text: saveText, values });
}
