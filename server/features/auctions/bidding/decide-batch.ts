import type pg from "pg";
import { hasAccess } from "#domain/account.ts";
import {
  type BidForm,
  type BidOutcome,
  decideBid,
  isOutdated,
  leastBid,
  lowersOwnLimit,
  type PublicBid,
  type RefusedBid,
} from "#domain/bid.ts";
import type { Receipt } from "#domain/bid-history.ts";
import type { Amount, Cents } from "#domain/money.ts";
import type { AcceptedBids } from "../catalogue/product-states.ts";
import type { TagOf } from "../catalogue/read-product.ts";
import { commitTo, movedLimit, nextHash } from "../history/chain.ts";
import { type ReceiptSigner, signReceipts, type UnsignedReceipt } from "../history/receipts.ts";
import type { LockMode } from "../tables.ts";
import { type LockedProduct, lockProducts, productsOnSale } from "./locked-products.ts";
import { type EarlierBid, type Lookup, look } from "./lookup.ts";
import { type BatchChanges, type ChainedBid, type NewBid, type NewLimit, save } from "./save-bids.ts";

/** A bid before its decision. `key` identifies retries; `terms` is the version of the item's terms the bidder saw. */
export type Attempt = {
  productId: string;
  bidderId: string;
  form: BidForm;
  amount: Amount;
  key: string;
  terms?: number | undefined;
};

/**
 * `cents` is the requested amount, exact or a limit. `number` is the bidder's public bid, or the latest bid if they
 * only moved their limit. `at` is the database's time. `isRaise`: the bidder was leading before. `isLeading` and
 * `least`, the minimum next bid in cents, are as of the answer. `receipt` is null without a chained history.
 * `notAllowed`: the account has lost its access meanwhile. `barred`: its strikes keep it from bidding until that time.
 */
type Answer<SomeReceipt> =
  | {
      kind: "accepted";
      number: number;
      cents: Cents;
      at: Date;
      isRaise: boolean;
      isLeading: boolean;
      least: Cents;
      receipt: SomeReceipt | null;
    }
  | { kind: "refused"; outcome: RefusedBid; at: Date }
  | { kind: "notFound" }
  | { kind: "keyReused" }
  | { kind: "notAllowed" }
  | { kind: "barred"; until: Date };

export type BidAnswer = Answer<Receipt>;

/** `busy`: undecided, because another transaction has locked the product. */
export type Decision = BidAnswer | { kind: "busy" };
type UnsignedDecision = Answer<UnsignedReceipt> | { kind: "busy" };
/** `decisions` are in the order of the attempts; `accepted` are the changes, product by product. */
type Batch = { decisions: Decision[]; accepted: AcceptedBids[] };

/** `unverifiedLimit` is the highest bid in cents before an email address is verified. */
type BatchOptions = { unverifiedLimit: Cents; tagOf: TagOf };
type ReceiptServices = { signReceipt: ReceiptSigner };

/**
 * Decides bids in the order of their arrival, in one transaction: locks their products, reads the database's time and
 * the bidders, decides, saves, commits.
 */
export async function decideBatch(
  pool: pg.Pool,
  attempts: readonly Attempt[],
  lockMode: LockMode,
  { unverifiedLimit, tagOf, signReceipt }: BatchOptions & ReceiptServices,
): Promise<Batch> {
  const client = await pool.connect();
  let broken = true;
  try {
    const ids = [...new Set(attempts.map(({ productId }) => productId))];
    const [, locked, lookup] = await Promise.all([
      client.query("begin"),
      lockProducts(client, ids, lockMode),
      look(client, attempts, tagOf, ids),
    ]);
    const open = new Set(locked.filter((product) => product.open).map(({ productId }) => productId));
    const others = await productsOnSale(client, [...new Set(ids).difference(open)]);
    const onSale = open.union(others);
    const products = locked.filter(({ productId }) => onSale.has(productId));
    const batch = foldBids({ attempts, products, onSale, ...lookup, unverifiedLimit, tagOf });
    // If saving fails, nothing is committed and its error is thrown.
    await Promise.all([batch.changed.length > 0 && save(client, batch), client.query("commit")]);
    broken = false;
    const accepted = batch.changed.map(({ productId, version, endDate }) => ({
      productId,
      version,
      endDate,
      bids: batch.bids.filter((bid) => bid.productId === productId),
    }));
    // A leader who only moves their own limit changes nothing that others see.
    return {
      decisions: signed(batch, signReceipt),
      accepted: accepted.filter(({ bids }) => bids.length > 0),
    };
  } finally {
    // A broken connection is closed instead of being reused, which ends a failed transaction and its locks.
    client.release(broken);
  }
}

/** Adds the receipts, which name the last row of their product in this batch. */
function signed({ decisions, changed }: BatchResult, signReceipt: ReceiptSigner): Decision[] {
  const heads = new Map(changed.map(({ productId, bidCount, head }) => [productId, { bidCount, head }]));
  const unsigned = decisions.map((decision) => {
    const receipt = decision.kind === "accepted" ? decision.receipt : null;
    const last = receipt && heads.get(receipt.productId);
    if (!receipt || !last?.head) return receipt;
    return { ...receipt, head: { number: last.bidCount, hash: last.head.toString("hex") } };
  });
  const receipts = signReceipts(unsigned, signReceipt);
  return decisions.map((decision, index) =>
    decision.kind === "accepted" ? { ...decision, receipt: receipts[index] ?? null } : decision,
  );
}

type BatchInput = Lookup & {
  attempts: readonly Attempt[];
  /** The products on sale that this transaction has locked. */
  products: readonly LockedProduct[];
  onSale: ReadonlySet<string>;
} & BatchOptions;
type BatchResult = BatchChanges & { decisions: UnsignedDecision[] };

const keyOf = ({ bidderId, key }: { bidderId: string; key: string }) => `${bidderId} ${key}`;

/** Numbers the public bids of a product, and chains them where it has a chained history. */
export function publicRows(
  { productId, bidCount, head: before }: Pick<LockedProduct, "productId" | "bidCount" | "head">,
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

/** Decides the bids in turn, each on the product as the previous bid left it. */
function foldBids({
  attempts,
  now: clock,
  onSale,
  unverifiedLimit,
  tagOf,
  ...facts
}: BatchInput): BatchResult {
  const people = new Map(facts.people.map((person) => [person.id, person]));
  const products = new Map(facts.products.map((product) => [product.productId, product]));
  const bidsByKey = new Map(facts.repeats.map((bid) => [keyOf(bid), bid]));
  const changedIds = new Set<string>();
  const bids: NewBid[] = [];
  const limits: NewLimit[] = [];

  function decide(attempt: Attempt): UnsignedDecision {
    const { bidderId, productId, form, key } = attempt;
    const person = people.get(bidderId);
    if (!person || !hasAccess(person)) return { kind: "notAllowed" };
    const earlier = bidsByKey.get(keyOf(attempt));
    if (earlier) return repeated(attempt, earlier);
    const product = products.get(productId);
    if (!product) return { kind: onSale.has(productId) ? "busy" : "notFound" };
    const barred = person.barredUntil === null ? null : new Date(person.barredUntil);
    if (barred && barred > clock && !lowersOwnLimit(product, attempt))
      return { kind: "barred", until: barred };
    // No row may be older than the previous one, even if the clock was set back (`timeOfNextRow`).
    const latest = facts.latestActs.get(productId);
    const now = latest && latest > clock ? latest : clock;
    const limit = person.emailVerified ? null : unverifiedLimit;
    const decision = decideBid(product, { ...attempt, unverifiedLimit: limit }, now);
    const isChanged = decision.kind === "accepted" && isOutdated(attempt.terms, product.terms);
    const outcome: BidOutcome = isChanged ? { kind: "changed" } : decision;
    if (outcome.kind !== "accepted") return { kind: "refused", outcome, at: now };
    const amount = attempt.amount.kind === "amount" ? attempt.amount.cents : 0;
    const isLeading = outcome.bidding.highestBidderId === bidderId;
    const isRaise = product.highestBidderId === bidderId;
    const secret = form === "upTo" && product.head ? commitTo(amount) : null;
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
    const own = rows.find((row) => row.bidderId === bidderId);
    const number = own?.number ?? product.bidCount;
    const hash = (own ? own.hash : product.head)?.toString("hex");
    const salt = secret?.salt.toString("hex") ?? null;
    const moved =
      salt === null || own
        ? null
        : movedLimit({ tag: tagOf(productId, bidderId), at: now, salt, limit: amount });
    const receipt =
      hash === undefined ? null : { productId, number, hash, salt, head: { number, hash }, moved };
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
    changedIds.add(productId);
    const leaderState = { isLeading, least: leastBid(after) };
    bidsByKey.set(keyOf(attempt), {
      productId,
      number,
      bidderId,
      form,
      amount,
      key,
      at: now,
      receipt,
      ...leaderState,
    });
    return { kind: "accepted", number, cents: amount, at: now, isRaise, receipt, ...leaderState };
  }

  const decisions = attempts.map(decide);
  return {
    decisions,
    bids,
    limits,
    changed: [...products.values()].filter(({ productId }) => changedIds.has(productId)),
  };
}

/** Returns the earlier answer for a repeated bid, and refuses a different bid with the same key. */
function repeated({ productId, form, amount }: Attempt, earlier: EarlierBid): UnsignedDecision {
  const isSame =
    earlier.productId === productId &&
    earlier.form === form &&
    amount.kind === "amount" &&
    amount.cents === earlier.amount;
  if (!isSame) return { kind: "keyReused" };
  const { number, amount: cents, at, isLeading, least, receipt } = earlier;
  return { kind: "accepted", number, cents, at, isRaise: false, isLeading, least, receipt };
}
