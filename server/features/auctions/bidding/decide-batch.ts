import type pg from "pg";
import { type AccountStatus, hasAccess } from "#domain/account.ts";
import { afterBid, type Bidding, decideBid, type RefusedBid } from "#domain/bid.ts";
import type { Amount, Cents } from "#domain/money.ts";
import type { AcceptedBids } from "../catalogue/product-states.ts";
import type { LockMode } from "../tables.ts";

/** A bid before its decision. `key` makes a retry the same bid. */
export type Attempt = { productId: string; bidderId: string; amount: Amount; key: string };

/**
 * `at` is the database's time. `isRaise`: a raise of the bidder's own highest bid. `notAllowed`: the account lost its
 * access meanwhile.
 */
export type BidAnswer =
  | { kind: "accepted"; number: number; cents: Cents; at: Date; isRaise: boolean }
  | { kind: "refused"; outcome: RefusedBid; at: Date }
  | { kind: "notFound" }
  | { kind: "keyReused" }
  | { kind: "notAllowed" };

/** `busy`: undecided, since another transaction has locked the product. */
export type Decision = BidAnswer | { kind: "busy" };
/** `decisions` are in the order of the attempts; `accepted` are the changes, product by product. */
type Batch = { decisions: Decision[]; accepted: AcceptedBids[] };

/**
 * Decides bids in the order of their arrival, in one transaction: locks their products, reads the database's time and
 * the bidders, decides, saves, commits. `unverifiedLimit` is the highest bid before an email address is verified.
 */
export async function decideBatch(
  pool: pg.Pool,
  attempts: readonly Attempt[],
  lockMode: LockMode,
  unverifiedLimit: Cents,
): Promise<Batch> {
  const client = await pool.connect();
  let broken = true;
  try {
    const ids = [...new Set(attempts.map(({ productId }) => productId))];
    const [, locked, lookup] = await Promise.all([
      client.query("begin"),
      lockProducts(client, ids, lockMode),
      look(client, attempts),
    ]);
    const open = new Set(locked.filter((product) => product.open).map(({ productId }) => productId));
    const others = await thoseOnSale(client, [...new Set(ids).difference(open)]);
    const onSale = open.union(others);
    const products = locked.filter(({ productId }) => onSale.has(productId));
    const { decisions, bids, changed } = foldBids({ attempts, products, onSale, ...lookup, unverifiedLimit });
    // If saving fails, there is nothing to commit, and the error of saving is thrown.
    await Promise.all([bids.length > 0 && save(client, bids, changed), client.query("commit")]);
    broken = false;
    const accepted = changed.map(({ productId, version }) => ({
      productId,
      version,
      bids: bids.filter((bid) => bid.productId === productId),
    }));
    return { decisions, accepted };
  } finally {
    // A broken connection is closed instead of being reused, which ends a failed transaction and its locks.
    client.release(broken);
  }
}

/** A product whose bidding this transaction has locked. */
type Locked = Bidding & { productId: string; version: number };

type LockRow = {
  product_id: string;
  version: number;
  open: boolean;
  price: string;
  bid_count: number;
  highest_bidder_id: string | null;
  seller_id: string | null;
  starting_bid: string;
  ends_at: Date;
};

/**
 * Locks the products' bidding, always in the same order, so that two nodes can't deadlock. The columns that are read
 * from auction_product never change: after a wait for the lock, only the locked rows are read again.
 */
const lockText = `
  select b.product_id, b.version, b.open, b.price, b.bid_count, b.highest_bidder_id,
         b.ends_at, p.seller_id, p.starting_bid
  from auction_bidding b join auction_product p on p.id = b.product_id
  where b.product_id = any($1::uuid[])
  order by b.product_id
  for update of b`;

const locks: Record<LockMode, { name: string; text: string }> = {
  skipLocked: { name: "bid_lock_free", text: `${lockText} skip locked` },
  wait: { name: "bid_lock", text: lockText },
};

async function lockProducts(
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
    endDate: row.ends_at,
    highestBid: row.bid_count > 0 ? Number(row.price) : null,
    highestBidderId: row.highest_bidder_id,
    bidCount: row.bid_count,
  }));
}

/** A bidder at this moment. */
type Person = AccountStatus & { id: string; emailVerified: boolean; name: string };
/** A bid with its key; `at` is the database's time of its decision. */
type KeyedBid = {
  productId: string;
  number: number;
  bidderId: string;
  amount: Cents;
  key: string;
  at: Date;
};
/**
 * The facts that are read once the products are locked: the database's time, the bidders, and earlier bids under the
 * same keys.
 */
type Lookup = { now: Date; people: Person[]; repeats: KeyedBid[] };

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

/**
 * Reads in a statement of its own, after the one that locks, so that everything, the time too, is of a moment under the
 * lock.
 */
async function look(client: pg.PoolClient, attempts: readonly Attempt[]): Promise<Lookup> {
  const bidders = attempts.map(({ bidderId }) => bidderId);
  const values = [[...new Set(bidders)], bidders, attempts.map(({ key }) => key)];
  const { rows } = await client.query<LookRow>({ name: "bid_look", text: lookText, values });
  const [row] = rows;
  if (!row) throw new Error("the database answered no time");
  const repeats = (row.repeats ?? []).map((bid) => Object.assign(bid, { at: new Date(bid.at) }));
  return { now: row.now, people: row.people ?? [], repeats };
}

/** Returns the products that were not taken off sale, among those that were skipped or whose bidding is closed. */
async function thoseOnSale(client: pg.PoolClient, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const text = "select id from auction_product where id = any($1::uuid[]) and state <> 'removed'";
  const { rows } = await client.query<{ id: string }>({ name: "bid_others", text, values: [ids] });
  return new Set(rows.map(({ id }) => id));
}

type NewBid = KeyedBid & { name: string };
type Undecided = Lookup & {
  attempts: readonly Attempt[];
  /** The products on sale that this transaction has locked. */
  products: readonly Locked[];
  onSale: ReadonlySet<string>;
  unverifiedLimit: Cents;
};

const keyOf = ({ bidderId, key }: { bidderId: string; key: string }) => `${bidderId} ${key}`;

/** Decides the bids one after the other, each on the product as the one before left it. */
function foldBids({ attempts, now, onSale, unverifiedLimit, ...found }: Undecided) {
  const people = new Map(found.people.map((person) => [person.id, person]));
  const products = new Map(found.products.map((product) => [product.productId, product]));
  const taken = new Map(found.repeats.map((bid) => [keyOf(bid), bid]));
  const changed = new Set<string>();
  const bids: NewBid[] = [];

  function decide(attempt: Attempt): Decision {
    const { bidderId, productId, key } = attempt;
    const person = people.get(bidderId);
    if (!person || !hasAccess(person)) return { kind: "notAllowed" };
    const earlier = taken.get(keyOf(attempt));
    if (earlier) return repeated(attempt, earlier);
    const product = products.get(productId);
    if (!product) return { kind: onSale.has(productId) ? "busy" : "notFound" };
    const limit = person.emailVerified ? null : unverifiedLimit;
    const outcome = decideBid(product, { ...attempt, unverifiedLimit: limit }, now);
    if (outcome.kind !== "accepted") return { kind: "refused", outcome, at: now };
    const after = { ...product, ...afterBid(product, bidderId, outcome), version: product.version + 1 };
    const { cents } = outcome;
    const bid = {
      productId,
      number: after.bidCount,
      bidderId,
      name: person.name,
      amount: cents,
      key,
      at: now,
    };
    products.set(productId, after);
    changed.add(productId);
    taken.set(keyOf(attempt), bid);
    bids.push(bid);
    return {
      kind: "accepted",
      number: bid.number,
      cents,
      at: now,
      isRaise: product.highestBidderId === bidderId,
    };
  }

  const decisions = attempts.map(decide);
  return {
    decisions,
    bids,
    changed: [...products.values()].filter(({ productId }) => changed.has(productId)),
  };
}

/** Answers a bid under a used key: the same bid gets the same answer, another bid is refused. */
function repeated({ productId, amount }: Attempt, earlier: KeyedBid): BidAnswer {
  const isSame =
    earlier.productId === productId && amount.kind === "amount" && amount.cents === earlier.amount;
  if (!isSame) return { kind: "keyReused" };
  return { kind: "accepted", number: earlier.number, cents: earlier.amount, at: earlier.at, isRaise: false };
}

/** Saves the bids, the bidding after them, and the bidders, always in the order of the locks. */
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

/** Returns the latest of several bids of one person for one product, in the order in which their rows are locked. */
function latestOfEach(bids: readonly KeyedBid[]): KeyedBid[] {
  const latest = new Map(bids.map((bid) => [`${bid.productId} ${bid.bidderId}`, bid]));
  return [...latest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, bid]) => bid);
}

async function save(
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
