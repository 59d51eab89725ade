import type pg from "pg";
import { type AccountStatus, hasAccess } from "#domain/account.ts";
import {
  type Bidding,
  type BidForm,
  decideBid,
  leastBid,
  type PublicBid,
  type RefusedBid,
} from "#domain/bid.ts";
import type { Amount, Cents } from "#domain/money.ts";
import type { AcceptedBids } from "../catalogue/product-states.ts";
import type { TagOf } from "../catalogue/read-product.ts";
import { commitTo, nextHash } from "../history/chain.ts";
import type { LockMode } from "../tables.ts";

/** A bid before its decision. `key` makes a retry the same bid. */
export type Attempt = { productId: string; bidderId: string; form: BidForm; amount: Amount; key: string };

/** The product after a bid, as its bidder is told. */
export type Standing = { isLeading: boolean; least: Cents };
/**
 * `cents` is the amount that was asked for, be it exact or a limit; `number` that of the bidder's public bid, or of the
 * latest one when they moved their own limit. `at` is the database's time. `isRaise`: the bidder was leading before.
 * `notAllowed`: the account lost its access meanwhile.
 */
export type BidAnswer =
  | ({ kind: "accepted"; number: number; cents: Cents; at: Date; isRaise: boolean } & Standing)
  | { kind: "refused"; outcome: RefusedBid; at: Date }
  | { kind: "notFound" }
  | { kind: "keyReused" }
  | { kind: "notAllowed" };

/** `busy`: undecided, since another transaction has locked the product. */
export type Decision = BidAnswer | { kind: "busy" };
/** `decisions` are in the order of the attempts; `accepted` are the changes, product by product. */
type Batch = { decisions: Decision[]; accepted: AcceptedBids[] };

/** `unverifiedLimit` is the highest bid in cents before an email address is verified. */
type BatchOptions = { unverifiedLimit: Cents; tagOf: TagOf };

/**
 * Decides bids in the order of their arrival, in one transaction: locks their products, reads the database's time and
 * the bidders, decides, saves, commits.
 */
export async function decideBatch(
  pool: pg.Pool,
  attempts: readonly Attempt[],
  lockMode: LockMode,
  { unverifiedLimit, tagOf }: BatchOptions,
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
    const batch = foldBids({ attempts, products, onSale, ...lookup, unverifiedLimit, tagOf });
    // If saving fails, there is nothing to commit, and the error of saving is thrown.
    await Promise.all([batch.changed.length > 0 && save(client, batch), client.query("commit")]);
    broken = false;
    const accepted = batch.changed.map(({ productId, version, endDate }) => ({
      productId,
      version,
      endDate,
      bids: batch.bids.filter((bid) => bid.productId === productId),
    }));
    // A leader who moves their own limit changes nothing that anybody else sees.
    return { decisions: batch.decisions, accepted: accepted.filter(({ bids }) => bids.length > 0) };
  } finally {
    // A broken connection is closed instead of being reused, which ends a failed transaction and its locks.
    client.release(broken);
  }
}

/** A product whose bidding this transaction has locked. */
type Locked = Bidding & {
  productId: string;
  version: number;
  leaderName: string | null;
  /** The hash of the latest bid; null for a product without a chained history. */
  head: Buffer | null;
};

type LockRow = {
  product_id: string;
  version: number;
  open: boolean;
  price: string;
  bid_count: number;
  highest_bidder_id: string | null;
  leader_limit: string | null;
  leader_name: string | null;
  latest_end: Date | null;
  head: Buffer | null;
  written_to: number;
  seller_id: string | null;
  starting_bid: string;
  ends_at: Date;
};

/**
 * Locks the products' bidding, always in the same order, so that two nodes can't deadlock. The columns that are read
 * from auction_product never change: after a wait for the lock, only the locked rows are read again.
 */
const lockText = `
  select b.product_id, b.version, b.open, b.price, b.bid_count, b.highest_bidder_id, b.leader_limit, b.latest_end,
         b.head, b.written_to, b.ends_at, p.seller_id, p.starting_bid,
         (select name from "user" where id = b.highest_bidder_id) as leader_name
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
  return rows.map(lockedOf);
}

function lockedOf(row: LockRow): Locked {
  const highestBid = row.highest_bidder_id === null ? null : Number(row.price);
  // A node of a version without limits may have taken bids since: they have no limit above them and end the chain.
  const isKnown = row.written_to === row.bid_count;
  return {
    productId: row.product_id,
    version: row.version,
    open: row.open,
    sellerId: row.seller_id,
    startingBid: Number(row.starting_bid),
    endDate: row.ends_at,
    latestEnd: row.latest_end,
    highestBid,
    highestBidderId: row.highest_bidder_id,
    leaderName: row.leader_name,
    leaderLimit: isKnown && row.leader_limit !== null ? Number(row.leader_limit) : highestBid,
    head: isKnown ? row.head : null,
    bidCount: row.bid_count,
  };
}

/** A bidder at this moment. */
type Person = AccountStatus & { id: string; emailVerified: boolean; name: string };
/** An earlier bid under a key that was sent again; `at` is the database's time of its decision. */
type EarlierBid = {
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
type Lookup = { now: Date; people: Person[]; repeats: EarlierBid[] };

type RepeatRow = Omit<EarlierBid, "at" | keyof Standing> & {
  at: number;
  leaderId: string | null;
  price: number;
  startingBid: number;
};
type LookRow = { now: Date; people: Person[] | null; repeats: RepeatRow[] | null };

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
 * Reads in a statement of its own, after the one that locks, so that everything, the time too, is of a moment under the
 * lock.
 */
async function look(client: pg.PoolClient, attempts: readonly Attempt[]): Promise<Lookup> {
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

/** Returns the products that were not taken off sale, among those that were skipped or whose bidding is closed. */
async function thoseOnSale(client: pg.PoolClient, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const text = "select id from auction_product where id = any($1::uuid[]) and state <> 'removed'";
  const { rows } = await client.query<{ id: string }>({ name: "bid_others", text, values: [ids] });
  return new Set(rows.map(({ id }) => id));
}

/** A public bid with its place in the chained history. */
type ChainedBid = PublicBid & {
  productId: string;
  number: number;
  at: Date;
  tag: string;
  hash: Buffer | null;
  commitment: Buffer | null;
};

/** A public bid as it is saved. */
type NewBid = ChainedBid & {
  name: string | null;
  /** Null for a limit's answer to a rival. */
  key: string | null;
  /** Whether the answer to it says that it is outbid already. */
  outbidAtOnce: boolean;
};
/** A limit as it is saved, with the number of its public bid. */
type NewLimit = {
  bidderId: string;
  key: string;
  productId: string;
  number: number;
  amount: Cents;
  at: Date;
  salt: Buffer | null;
};
type Undecided = Lookup & {
  attempts: readonly Attempt[];
  /** The products on sale that this transaction has locked. */
  products: readonly Locked[];
  onSale: ReadonlySet<string>;
} & BatchOptions;
type Decided = {
  decisions: Decision[];
  bids: NewBid[];
  limits: NewLimit[];
  changed: Locked[];
};

const keyOf = ({ bidderId, key }: { bidderId: string; key: string }) => `${bidderId} ${key}`;

/** Numbers the public bids of a product, and chains them where it has a chained history. */
function publicRows(
  { productId, bidCount, head: before }: Locked,
  bids: readonly PublicBid[],
  at: Date,
  tagOf: TagOf,
  commitmentOf: (bid: PublicBid) => Buffer | null,
): { rows: ChainedBid[]; head: Buffer | null } {
  let head = before;
  const rows = bids.map((bid, place) => {
    const commitment = commitmentOf(bid);
    const row = { ...bid, productId, number: bidCount + place + 1, at, tag: tagOf(productId, bid.bidderId) };
    head = head && nextHash(head, { ...row, commitment: commitment?.toString("hex") ?? null });
    return { ...row, hash: head, commitment };
  });
  return { rows, head };
}

/** Decides the bids one after the other, each on the product as the one before left it. */
function foldBids({ attempts, now, onSale, unverifiedLimit, tagOf, ...facts }: Undecided): Decided {
  const people = new Map(facts.people.map((person) => [person.id, person]));
  const products = new Map(facts.products.map((product) => [product.productId, product]));
  const taken = new Map(facts.repeats.map((bid) => [keyOf(bid), bid]));
  const changed = new Set<string>();
  const bids: NewBid[] = [];
  const limits: NewLimit[] = [];

  function decide(attempt: Attempt): Decision {
    const { bidderId, productId, form, key } = attempt;
    const person = people.get(bidderId);
    if (!person || !hasAccess(person)) return { kind: "notAllowed" };
    const earlier = taken.get(keyOf(attempt));
    if (earlier) return repeated(attempt, earlier);
    const product = products.get(productId);
    if (!product) return { kind: onSale.has(productId) ? "busy" : "notFound" };
    const limit = person.emailVerified ? null : unverifiedLimit;
    const outcome = decideBid(product, { ...attempt, unverifiedLimit: limit }, now);
    if (outcome.kind !== "accepted") return { kind: "refused", outcome, at: now };
    const amount = attempt.amount.kind === "amount" ? attempt.amount.cents : 0;
    const isLeading = outcome.bidding.highestBidderId === bidderId;
    const isRaise = product.highestBidderId === bidderId;
    const secret = form === "upTo" && product.head && !isRaise ? commitTo(amount) : null;
    const { rows, head } = publicRows(product, outcome.bids, now, tagOf, (bid) =>
      bid.bidderId === bidderId ? (secret?.commitment ?? null) : null,
    );
    const after = {
      ...product,
      ...outcome.bidding,
      leaderName: isLeading ? person.name : product.leaderName,
      version: product.version + rows.length,
      head,
    };
    const number = rows.find((row) => row.bidderId === bidderId)?.number ?? product.bidCount;
    bids.push(
      ...rows.map((row) =>
        row.bidderId === bidderId
          ? { ...row, name: person.name, key, outbidAtOnce: !isLeading }
          : { ...row, name: product.leaderName, key: null, outbidAtOnce: false },
      ),
    );
    if (form === "upTo")
      limits.push({ bidderId, key, productId, number, amount, at: now, salt: secret?.salt ?? null });
    products.set(productId, after);
    changed.add(productId);
    const standing = { isLeading, least: leastBid(after) };
    taken.set(keyOf(attempt), { productId, number, bidderId, form, amount, key, at: now, ...standing });
    return { kind: "accepted", number, cents: amount, at: now, isRaise, ...standing };
  }

  const decisions = attempts.map(decide);
  return {
    decisions,
    bids,
    limits,
    changed: [...products.values()].filter(({ productId }) => changed.has(productId)),
  };
}

/** Answers a bid under a used key: the same bid gets the same answer, another bid is refused. */
function repeated({ productId, form, amount }: Attempt, earlier: EarlierBid): BidAnswer {
  const isSame =
    earlier.productId === productId &&
    earlier.form === form &&
    amount.kind === "amount" &&
    amount.cents === earlier.amount;
  if (!isSame) return { kind: "keyReused" };
  const { number, amount: cents, at, isLeading, least } = earlier;
  return { kind: "accepted", number, cents, at, isRaise: false, isLeading, least };
}

/** Saves the bids, the bidding after them, and the bidders, always in the order of the locks. */
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
  )
  insert into auction_bidder (product_id, bidder_id, since, amount, number, outbid_at_once)
  select * from unnest($19::uuid[], $20::text[], $21::timestamptz[], $22::bigint[], $23::int[], $24::bool[])
  on conflict (product_id, bidder_id) do update
  set amount = excluded.amount, number = excluded.number, outbid_at_once = excluded.outbid_at_once`;

const saveLimitsText = `
  insert into auction_limit (bidder_id, idempotency_key, product_id, number, amount, created_at, salt)
  select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::int[], $5::bigint[], $6::timestamptz[], $7::bytea[])`;

/** Returns the latest of several bids of one person for one product, in the order in which their rows are locked. */
function latestOfEach(bids: readonly NewBid[]): NewBid[] {
  const latest = new Map(bids.map((bid) => [`${bid.productId} ${bid.bidderId}`, bid]));
  return [...latest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, bid]) => bid);
}

async function save(
  client: pg.PoolClient,
  { bids, limits, changed }: Pick<Decided, "bids" | "limits" | "changed">,
): Promise<void> {
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
  ];
  const saved = client.query({ name: "bid_save", text: saveText, values });
  await Promise.all([saved, limits.length > 0 && saveLimits(client, limits)]);
}

async function saveLimits(client: pg.PoolClient, limits: readonly NewLimit[]): Promise<void> {
  const values = [
    limits.map(({ bidderId }) => bidderId),
    limits.map(({ key }) => key),
    limits.map(({ productId }) => productId),
    limits.map(({ number }) => number),
    limits.map(({ amount }) => amount),
    limits.map(({ at }) => at),
    limits.map(({ salt }) => salt),
  ];
  await client.query({ name: "bid_save_limits", text: saveLimitsText, values });
}
