import fc from "fast-check";
import { expect, test } from "vitest";
import { type BidAttempt, type Bidding, bidForms, decideBid } from "./bid.ts";
import { amountProblems } from "./currency.ts";
import { type Amount, highestAmount, minStartingBid } from "./money.ts";

const end = new Date("2026-11-21T12:00:00.000Z");
const before = (milliseconds: number) => new Date(end.getTime() - milliseconds);
const amountOf = (cents: number): Amount => ({ kind: "amount", cents });
const fresh: Bidding = {
  sellerId: "seller",
  startingBid: 15_000,
  endDate: end,
  open: true,
  latestEnd: null,
  highestBid: null,
  highestBidderId: null,
  leaderLimit: null,
  bidCount: 0,
};

const startingPrice = ({ highestBid, startingBid }: Bidding) => (highestBid === null ? startingBid : null);

const people = fc.constantFrom("seller", "ada", "bea", "cleo");
const amounts: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 60_000 }).map(amountOf) },
  { weight: 1, arbitrary: fc.constantFrom(amountOf(highestAmount), amountOf(highestAmount + 1)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...amountProblems).map((problem) => ({ kind: "problem", problem }) as const),
  },
);
const attempts: fc.Arbitrary<BidAttempt> = fc.record({
  bidderId: people,
  form: fc.constantFrom(...bidForms),
  amount: amounts,
  unverifiedLimit: fc.option(fc.constant(50_000)),
});
const moments = fc.integer({ min: -3, max: 3 }).map(before);
const states: fc.Arbitrary<Bidding> = fc
  .record({
    sellerId: fc.constantFrom("seller", null),
    startingBid: fc.integer({ min: minStartingBid, max: 40_000 }),
    endDate: fc.constant(end),
    open: fc.boolean(),
    raised: fc.option(fc.integer({ min: 0, max: 20_000 })),
    leader: fc.constantFrom("ada", "bea"),
  })
  .map(({ raised, leader, sellerId, startingBid, endDate, open }) => ({
    sellerId,
    startingBid,
    endDate,
    open,
    highestBid: raised === null ? null : startingBid + raised,
    highestBidderId: raised === null ? null : leader,
    leaderLimit: raised === null ? null : startingBid + raised + (leader === "ada" ? 0 : 10_000),
    latestEnd: null,
    bidCount: raised === null ? 0 : 1,
  }));

test("a bid is accepted if and only if nothing speaks against it", () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(states, attempts, moments, (bidding, attempt, now) => {
      const outcome = decideBid(bidding, attempt, now);
      kinds.add(outcome.kind);
      const { bidderId, amount, unverifiedLimit } = attempt;
      const { highestBid: price, startingBid } = bidding;
      const movesLimit = attempt.form === "upTo" && bidderId === bidding.highestBidderId;
      const least = price === null ? startingBid : price + (movesLimit ? 0 : 100);
      const mayBeAccepted =
        bidding.open &&
        now < end &&
        bidderId !== bidding.sellerId &&
        amount.kind === "amount" &&
        amount.cents >= least &&
        amount.cents <= (unverifiedLimit ?? 10_000_000_000);
      expect(outcome.kind === "accepted").toBe(mayBeAccepted);
      if (outcome.kind === "tooLow") expect(outcome.least).toBe(least);
    }),
    { numRuns: 3000 },
  );
  expect([...kinds].toSorted()).toEqual([
    "accepted",
    "ended",
    "notAnAmount",
    "ownProduct",
    "tooHigh",
    "tooLow",
    "unverified",
  ]);
});

test("through any series of bids the price begins at the starting bid or above, never falls, and stays within the leader's limit", () => {
  const series = fc.array(attempts, { minLength: 1, maxLength: 60 });
  let accepted = 0;
  fc.assert(
    fc.property(series, (all) => {
      let bidding = fresh;
      const prices: number[] = [];
      for (const attempt of all) {
        const outcome = decideBid(bidding, attempt, before(1));
        if (outcome.kind !== "accepted") continue;
        const { bids, bidding: after } = outcome;
        expect(bids.length).toBeLessThanOrEqual(2);
        const raised = (after.highestBid ?? 0) - (bidding.highestBid ?? after.highestBid ?? 0);
        // A rival moves the price by at least R1, or up to a limit.
        if (bids.some(({ bidderId }) => bidderId === attempt.bidderId) && raised < 100)
          expect([after.leaderLimit, bidding.leaderLimit, startingPrice(bidding)]).toContain(
            after.highestBid,
          );
        prices.push(...bids.map(({ amount }) => amount));
        bidding = after;
        expect(bidding.bidCount).toBe(prices.length);
        expect(bidding.highestBid).toBe(prices.at(-1) ?? null);
        expect(bidding.leaderLimit).toBeGreaterThanOrEqual(bidding.highestBid ?? 0);
      }
      expect(prices[0] ?? 15_000).toBeGreaterThanOrEqual(15_000);
      expect(prices).toEqual(prices.toSorted((one, other) => one - other));
      accepted += prices.length;
    }),
  );
  expect(accepted).toBeGreaterThan(0);
});

test("a decision doesn't mutate its arguments, and a refusal returns no bidding", () => {
  fc.assert(
    fc.property(states, attempts, moments, (bidding, attempt, now) => {
      const copy = structuredClone({ bidding, attempt, now });
      const outcome = decideBid(bidding, attempt, now);
      expect({ bidding, attempt, now }).toEqual(copy);
      if (outcome.kind !== "accepted") expect(outcome).not.toHaveProperty("bidding");
    }),
  );
});
