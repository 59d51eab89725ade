import fc from "fast-check";
import {
  type Bidding,
  type BidForm,
  bidForms,
  decideBid,
  leastBid,
  newBidding,
  type PublicBid,
} from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";

type Attempt = { who: number; form: BidForm; amount: Cents };
/** An act of an account's holder, or an admin's act on the account. */
export type AccountAct = "askForDeletion" | "logIn" | "disable" | "enable";

/**
 * An act concerning one auction, or a passage of time: to the auction's last 12 hours, or over the nightly erasure.
 * `who` is a bidder's index, or `seller`.
 */
export type Step =
  | ({ kind: "bid" } & Attempt)
  | { kind: "withdrawSlip"; who: number; instead: Cents }
  | { kind: AccountAct; who: number }
  | { kind: "lastHours" }
  | { kind: "night" };

export type Sale = { winner: number; price: Cents };

/**
 * An implementation that carries out the steps with one item on sale. `take` returns whether the step was accepted,
 * `close` the result of the close. It begins more than 12 hours before the end.
 */
export type AuctionWorld = {
  take(step: Step): boolean | Promise<boolean>;
  close(): Sale | null | Promise<Sale | null>;
};

/** The index of the seller, after those of the bidders. */
export const seller = 4;
export const startingBid = 10_000;

const who = fc.nat(seller - 1);
const anyForm = fc.constantFrom(...bidForms);
/** Multiples of ten rand, so that bids often tie with a limit. */
const amount = fc.integer({ min: 5, max: 60 }).map((tens) => tens * 1_000);
const slip = 400_000;
const act = fc.constantFrom<AccountAct>("askForDeletion", "askForDeletion", "logIn", "disable", "enable");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("bid"), who, form: anyForm, amount }) },
  { weight: 12, arbitrary: fc.record({ kind: act, who }) },
  { weight: 1, arbitrary: fc.record({ kind: act, who: fc.constant(seller) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "lastHours" }) },
  { weight: 2, arbitrary: fc.constant({ kind: "night" }) },
);
/** A slip, the steps before it is noticed, and its withdrawal. */
const slipAndWithdrawal: fc.Arbitrary<Step[]> = fc
  .record({ bidder: who, form: anyForm, meanwhile: fc.array(step, { maxLength: 4 }), instead: amount })
  .map(({ bidder, form, meanwhile, instead }) => [
    { kind: "bid", who: bidder, form, amount: slip },
    ...meanwhile,
    { kind: "withdrawSlip", who: bidder, instead },
  ]);
const histories = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: step.map((single) => [single]) },
      { weight: 1, arbitrary: slipAndWithdrawal },
    ),
    { minLength: 3, maxLength: 20 },
  )
  .map((parts) => parts.flat());

/** Returns the public bids that accepted attempts lead to, and the auction after them. */
function decide(attempts: readonly Attempt[]): { bids: readonly PublicBid[]; bidding: Bidding } {
  let bidding = newBidding({ sellerId: String(seller), startingBid, endDate: new Date(1), latestEnd: null });
  const bids: PublicBid[] = [];
  for (const { who: bidder, form, amount: cents } of attempts) {
    const bid = {
      bidderId: String(bidder),
      form,
      amount: { kind: "amount", cents },
      unverifiedLimit: null,
    } as const;
    const outcome = decideBid(bidding, bid, new Date(0));
    if (outcome.kind !== "accepted") continue;
    bids.push(...outcome.bids);
    ({ bidding } = outcome);
  }
  return { bids, bidding };
}

/**
 * Returns the sale that the accepted steps should lead to, whether or not bidders asked for a deletion or took it back.
 * The highest bid of a bidder whom no admin keeps out at the close wins, at its amount. A limit answers rivals whether
 * or not its owner is leaving; only an admin who shuts a leader out ends it, at the price of that moment. A withdrawn
 * slip leaves the others' bids and limits as they were. A seller's deletion takes the item off sale until its last 12
 * hours, and later only if nobody leads; an admin who disables the seller does so at any time.
 */
function expectedSale(steps: readonly Step[]): Sale | null {
  const out = new Set<number>();
  let attempts: Attempt[] = [];
  let areLastHours = false;
  function endLostLimit(): void {
    const { highestBidderId: leader, highestBid: price } = decide(attempts).bidding;
    if (leader !== null && price !== null && out.has(Number(leader)))
      attempts.push({ who: Number(leader), form: "upTo", amount: price });
  }
  for (const each of steps) {
    if (each.kind === "lastHours") areLastHours = true;
    if (each.kind === "bid") attempts.push(each);
    if (each.kind === "withdrawSlip") {
      attempts = attempts.filter((attempt) => attempt.who !== each.who);
      endLostLimit();
      const attempt = { who: each.who, form: "exact", amount: each.instead } as const;
      if (each.instead >= leastBid(decide(attempts).bidding)) attempts.push(attempt);
    }
    if (each.kind === "askForDeletion" && each.who === seller) {
      const isHeld = areLastHours && decide(attempts).bidding.highestBidderId !== null;
      if (!isHeld) return null;
    }
    if (each.kind === "disable") {
      if (each.who === seller) return null;
      out.add(each.who);
      endLostLimit();
    }
    if (each.kind === "enable") out.delete(each.who);
  }
  const highest = decide(attempts).bids.findLast(({ bidderId }) => !out.has(Number(bidderId)));
  return highest ? { winner: Number(highest.bidderId), price: highest.amount } : null;
}

/** Carries a history out, and returns whether it ended as expected. */
async function endsAsExpected(world: AuctionWorld, history: readonly Step[]): Promise<boolean> {
  const steps: Step[] = [];
  for (const each of history) if (await world.take(each)) steps.push(each);
  return JSON.stringify(await world.close()) === JSON.stringify(expectedSale(steps));
}

/** Carries out random histories, each in a new world. Resolves to the shortest one with a wrong end, or null. */
export async function wrongHistory(
  createWorld: () => AuctionWorld | Promise<AuctionWorld>,
  runs: number,
): Promise<readonly Step[] | null> {
  const { counterexample } = await fc.check(
    fc.asyncProperty(histories, async (history) => await endsAsExpected(await createWorld(), history)),
    { numRuns: runs },
  );
  return counterexample?.[0] ?? null;
}
