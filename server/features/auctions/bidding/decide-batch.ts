import type pg from "pg";
import { hasAccess } from "#domain/account.ts";
import { afterBid, decideBid, type RefusedBid } from "#domain/bid.ts";
import type { Amount, Cents } from "#domain/money.ts";
import type { Accepted } from "../catalogue/product-states.ts";
import type { LockMode } from "../tables.ts";
import {
  type KeyedBid,
  type Locked,
  type Lookup,
  lockProducts,
  look,
  lookAtOthers,
  type Others,
  save,
} from "./bid-statements.ts";

/** A bid as it came in: who, for what, how much, and the key under which a retry is the same bid. */
export type Attempt = { productId: string; bidderId: string; amount: Amount; key: string };

/** `at`: the database's time. `isRaise`: of the bidder's own highest bid. `notAllowed`: the account was lost meanwhile. */
export type BidAnswer =
  | { kind: "accepted"; number: number; cents: Cents; at: Date; isRaise: boolean }
  | { kind: "refused"; outcome: RefusedBid; at: Date }
  | { kind: "notFound" }
  | { kind: "keyReused" }
  | { kind: "notAllowed" };

/** `busy`: not decided, since another transaction has locked the product. */
export type Decision = BidAnswer | { kind: "busy" };
/** `decisions` in the order of the attempts; `accepted` is what changed, product by product. */
type Batch = { decisions: Decision[]; accepted: Accepted[] };

/**
 * Decides bids in the order of their arrival, in one transaction: locks their products, reads the database's time and
 * who bids, decides, saves, commits. `unverifiedLimit`: the most that is bid before an email address is verified.
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
    const [, locked, lookup] = await corked(client, () =>
      Promise.all([client.query("begin"), lockProducts(client, ids, lockMode), look(client, attempts)]),
    );
    const atHand = locked.filter(({ open }) => open).map(({ productId }) => productId);
    const others = await lookAtOthers(client, [...new Set(ids).difference(new Set(atHand))]);
    const onSale = locked.filter(({ productId }) => !others.removed.has(productId));
    const decided = foldBids(onSale, lookup, attempts, others, unverifiedLimit);
    // When saving fails, so that there is nothing to commit, the failure of saving is what is thrown.
    await corked(client, () =>
      Promise.all([
        decided.bids.length > 0 && save(client, decided.bids, decided.changed),
        client.query("commit"),
      ]),
    );
    broken = false;
    return { decisions: decided.decisions, accepted: acceptedBids(onSale, decided, lookup) };
  } finally {
    // Closed rather than given back: with it goes a transaction that failed, and its locks.
    client.release(broken);
  }
}

/**
 * Sends the statements that `ask` begins as one packet, on a connection of `database.pipelines`: PostgreSQL is woken
 * once for all of them. The driver has no call for that; without it each goes out by itself.
 */
function corked<Result>(client: pg.PoolClient, ask: () => Result): Result {
  const { stream } = client.connection;
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}

type Decided = { decisions: Decision[]; bids: KeyedBid[]; changed: Locked[] };

const keyOf = ({ bidderId, key }: { bidderId: string; key: string }) => `${bidderId} ${key}`;

/** A bid under a key that was used before: the same again, or another one, which is refused. */
function repeated({ productId, amount }: Attempt, earlier: KeyedBid): BidAnswer {
  const isSame =
    earlier.productId === productId && amount.kind === "amount" && amount.cents === earlier.amount;
  if (!isSame) return { kind: "keyReused" };
  return { kind: "accepted", number: earlier.number, cents: earlier.amount, at: earlier.at, isRaise: false };
}

/** The bids one after the other, each decided on the product as the one before left it. */
function foldBids(
  locked: readonly Locked[],
  lookup: Lookup,
  attempts: readonly Attempt[],
  others: Others,
  unverifiedLimit: Cents,
): Decided {
  const { now } = lookup;
  const people = new Map(lookup.people.map((person) => [person.id, person]));
  const products = new Map(locked.map((product) => [product.productId, product]));
  const taken = new Map(lookup.repeats.map((bid) => [keyOf(bid), bid]));
  const changed = new Set<string>();
  const bids: KeyedBid[] = [];

  function decide(attempt: Attempt): Decision {
    const { bidderId, productId, key } = attempt;
    const person = people.get(bidderId);
    if (!person || !hasAccess(person)) return { kind: "notAllowed" };
    const earlier = taken.get(keyOf(attempt));
    if (earlier) return repeated(attempt, earlier);
    const product = products.get(productId);
    if (!product) return { kind: others.there.has(productId) ? "busy" : "notFound" };
    const limit = person.emailVerified ? null : unverifiedLimit;
    const outcome = decideBid(product, { ...attempt, unverifiedLimit: limit }, now);
    if (outcome.kind !== "accepted") return { kind: "refused", outcome, at: now };
    const after = { ...product, ...afterBid(product, bidderId, outcome), version: product.version + 1 };
    const bid = { productId, number: after.bidCount, bidderId, amount: outcome.cents, key, at: now };
    products.set(productId, after);
    changed.add(productId);
    taken.set(keyOf(attempt), bid);
    bids.push(bid);
    const isRaise = product.highestBidderId === bidderId;
    return { kind: "accepted", number: bid.number, cents: bid.amount, at: now, isRaise };
  }

  const decisions = attempts.map(decide);
  return {
    decisions,
    bids,
    changed: [...products.values()].filter(({ productId }) => changed.has(productId)),
  };
}

/** What changed, as the products' pages show it. */
function acceptedBids(before: readonly Locked[], { bids, changed }: Decided, { people }: Lookup): Accepted[] {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const versions = new Map(before.map(({ productId, version }) => [productId, version]));
  return changed.map(({ productId, version }) => ({
    productId,
    from: versions.get(productId) ?? 0,
    version,
    bids: bids
      .filter((bid) => bid.productId === productId)
      .map(({ number, bidderId, amount, at }) => ({
        number,
        bidderId,
        amount,
        at,
        name: names.get(bidderId) ?? null,
      })),
  }));
}
