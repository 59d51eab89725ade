import { describe, expect, test } from "vitest";
import { type BidAttempt, type Bidding, bidForms, decideBid, newBidding } from "./bid.ts";
import type { Cents } from "./money.ts";
import { belowFrom } from "./seeded-random.ts";

const startingBid = 15_000;
const now = new Date(0);
const centsPerRand = 100;
const fresh = newBidding({
  sellerId: "seller",
  startingBid,
  endDate: new Date(3_600_000),
  latestEnd: null,
});

type BiddingState = { price: Cents | null; leader: string | null; limit: Cents | null };

/**
 * A reference implementation that stores every bidder's limit, and computes price and leader from all of them at each
 * bid. It doesn't rely on the leader's limit being enough.
 */
class Reference {
  readonly #limits = new Map<string, Cents>();
  #price: Cents | null = null;
  #leader: string | null = null;

  /** Returns whether the bid is accepted. */
  bid({ bidderId, form }: Pick<BidAttempt, "bidderId" | "form">, amount: Cents): boolean {
    const isLeader = bidderId === this.#leader;
    const least = this.#price === null ? startingBid : this.#price + centsPerRand;
    if (amount < (isLeader && form === "upTo" ? (this.#price ?? 0) : least)) return false;
    const former = this.#limits.get(bidderId) ?? 0;
    this.#limits.set(bidderId, isLeader && form === "exact" ? Math.max(former, amount) : amount);
    if (isLeader) {
      if (form === "exact") this.#price = amount;
      return true;
    }
    const highest = Math.max(...this.#limits.values());
    const staysLeader = this.#leader !== null && this.#limits.get(this.#leader) === highest;
    const leader = staysLeader && this.#leader !== null ? this.#leader : bidderId;
    const others = [...this.#limits].filter(([id]) => id !== leader).map(([, limit]) => limit);
    const step = Math.min(highest, Math.max(startingBid, ...others.map((limit) => limit + centsPerRand)));
    const computed = leader === bidderId && form === "exact" ? amount : step;
    this.#price = Math.max(this.#price ?? 0, computed);
    this.#leader = leader;
    return true;
  }

  state(): BiddingState {
    const limit = this.#leader === null ? null : (this.#limits.get(this.#leader) ?? null);
    return { price: this.#price, leader: this.#leader, limit };
  }
}

const people = ["ada", "bea", "cleo", "dumi", "eve"] as const;
const bidsInAuction = 50;
const nearby = [-100, -1, 0, 1, 2, 50, 99, 100, 101, 150, 200, 1_000] as const;

type Decide = typeof decideBid;

/** Runs random auctions through both, and returns the first difference, or null if there is none in `steps` bids. */
function firstDifference(decide: Decide, steps: number, seed: number): string | null {
  const below = belowFrom(seed);
  let reference = new Reference();
  let bidding: Bidding = fresh;
  for (let step = 0; step < steps; step++) {
    if (step % bidsInAuction === 0) [reference, bidding] = [new Reference(), fresh];
    const bidderId = people[below(people.length)] ?? people[0];
    const form = bidForms[below(bidForms.length)] ?? "exact";
    // Amounts are close to the price and the leader's limit, where the edge cases are.
    const about = below(2) === 0 ? (bidding.highestBid ?? startingBid) : (bidding.leaderLimit ?? startingBid);
    const cents = Math.max(1, about + (nearby[below(nearby.length)] ?? 0));
    const amount = { kind: "amount", cents } as const;
    const outcome = decide(bidding, { bidderId, form, amount, unverifiedLimit: null }, now);
    const accepted = reference.bid({ bidderId, form }, cents);
    if (outcome.kind === "accepted") bidding = outcome.bidding;
    const { highestBid: price, highestBidderId: leader, leaderLimit: limit } = bidding;
    const [actual, expected] = [
      { accepted: outcome.kind === "accepted", price, leader, limit },
      { accepted, ...reference.state() },
    ].map((each) => JSON.stringify(each));
    if (actual !== expected) return `${bidderId} ${form} ${cents}: ${actual}, reference ${expected}`;
  }
  return null;
}

test("the leader's limit alone gives the prices and leaders of a house that stores every limit, in a million bids", () =>
  expect(firstDifference(decideBid, 1_000_000, 1)).toBeNull());

type Outcome = ReturnType<Decide>;
const withChange = (outcome: Outcome, change: (after: Bidding) => Partial<Bidding>): Outcome =>
  outcome.kind === "accepted"
    ? { ...outcome, bidding: { ...outcome.bidding, ...change(outcome.bidding) } }
    : outcome;
const centsOf = ({ amount }: BidAttempt) => (amount.kind === "amount" ? amount.cents : 0);
const isLeader = (bidding: Bidding, { bidderId }: BidAttempt) => bidding.highestBidderId === bidderId;

const mistakes: Record<string, Decide> = {
  "gives a tie to the rival": (bidding, attempt, at) => {
    const { leaderLimit: limit } = bidding;
    const isTie = limit !== null && centsOf(attempt) === limit && !isLeader(bidding, attempt);
    return decideBid(isTie ? { ...bidding, leaderLimit: limit - 1 } : bidding, attempt, at);
  },
  "answers above the leader's limit": (bidding, attempt, at) =>
    withChange(decideBid(bidding, attempt, at), (after) =>
      isLeader(bidding, attempt) || after.highestBidderId === attempt.bidderId
        ? {}
        : { highestBid: centsOf(attempt) + centsPerRand },
    ),
  "moves the price with the leader's limit": (bidding, attempt, at) =>
    withChange(decideBid(bidding, attempt, at), () =>
      isLeader(bidding, attempt) && attempt.form === "upTo" ? { highestBid: centsOf(attempt) } : {},
    ),
  "forgets the leader's limit at a raise": (bidding, attempt, at) =>
    withChange(decideBid(bidding, attempt, at), ({ highestBid }) =>
      isLeader(bidding, attempt) && attempt.form === "exact" ? { leaderLimit: highestBid } : {},
    ),
  "bids a whole limit immediately": (bidding, attempt, at) =>
    withChange(decideBid(bidding, attempt, at), ({ highestBidderId }) =>
      !isLeader(bidding, attempt) && highestBidderId === attempt.bidderId
        ? { highestBid: centsOf(attempt) }
        : {},
    ),
};

describe("the comparison finds a rule that", () => {
  test.each(Object.entries(mistakes))("%s", (_, decide) =>
    expect(firstDifference(decide, 10_000, 2)).not.toBeNull(),
  );
});
