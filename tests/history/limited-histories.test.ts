import { describe, expect, test } from "vitest";
import {
  type BidAttempt,
  type Bidding,
  type BidForm,
  type BidOutcome,
  decideBid,
  leastBid,
  minIncrement,
  newBidding,
} from "#domain/bid.ts";
import { belowFrom } from "#domain/seeded-random.ts";
import { checkHistory } from "./check-history.ts";
import type { History } from "./history.ts";
import type { Lot, Operation, RecordedBid, RecordedLimit } from "./operation.ts";

type AcceptedAnswer = Extract<BidOutcome, { kind: "accepted" }>;
type Decide = (bidding: Bidding, attempt: BidAttempt, now: Date) => BidOutcome;
/** Returns an implementation that makes a mistake in its outcome for accepted bids. */
const mistaken =
  (change: (right: AcceptedAnswer, before: Bidding, attempt: BidAttempt) => AcceptedAnswer): Decide =>
  (bidding, attempt, now) => {
    const right = decideBid(bidding, attempt, now);
    return right.kind === "accepted" ? change(right, bidding, attempt) : right;
  };
/** Returns the outcome with other public bids; the last one leads. */
function withBids(right: AcceptedAnswer, before: Bidding, bids: AcceptedAnswer["bids"]): AcceptedAnswer {
  const last = bids.at(-1);
  const bidding = {
    ...right.bidding,
    highestBid: last?.amount ?? before.highestBid,
    highestBidderId: last?.bidderId ?? before.highestBidderId,
    bidCount: before.bidCount + bids.length,
  };
  return { ...right, bids, bidding };
}
const lot: Lot = { id: "desk", sellerId: "seller", startingBid: 15_000, endDate: 10_000_000 };

/** Returns the history of 300 random bids of four people; `answer` returns an accepted answer's `leading`. */
function historyOf(
  decide: Decide,
  seed: number,
  answer: (isLeading: boolean) => boolean = (isLeading) => isLeading,
): History {
  const below = belowFrom(seed);
  const { endDate, ...rest } = lot;
  let bidding = newBidding({ ...rest, endDate: new Date(endDate), latestEnd: null });
  const operations: Operation[] = [];
  const bids: RecordedBid[] = [];
  const limits: RecordedLimit[] = [];
  for (let count = 0; count < 300; count++) {
    const bidderId = ["ada", "bea", "cem", "dan"][below(4)] ?? "ada";
    const form: BidForm = below(2) === 0 ? "exact" : "upTo";
    const cents = leastBid(bidding) + ([-100, -50, 0, 0, 100, 300, 1_000, 3_000][below(8)] ?? 0);
    const at = 1_000 + count;
    const attempt = { bidderId, form, amount: { kind: "amount", cents }, unverifiedLimit: null } as const;
    const outcome = decide(bidding, attempt, new Date(at));
    const key = `key ${count}`;
    const call = { bidderId, productId: lot.id, key, form, amount: cents, sentAt: at, answeredAt: at + 0.5 };
    if (outcome.kind === "tooLow")
      operations.push({ ...call, answer: { kind: "tooLow", least: outcome.least } });
    if (outcome.kind !== "accepted") continue;
    const before = bidding.bidCount;
    const own = outcome.bids.findIndex((bid) => bid.bidderId === bidderId);
    const number = own < 0 ? before : before + own + 1;
    for (const [place, bid] of outcome.bids.entries())
      bids.push({
        productId: lot.id,
        number: before + place + 1,
        key: place === own ? key : null,
        at,
        ...bid,
      });
    if (form === "upTo") limits.push({ productId: lot.id, number, bidderId, key, amount: cents, at });
    bidding = outcome.bidding;
    const leading = answer(bidding.highestBidderId === bidderId);
    const accepted = {
      kind: "accepted",
      number,
      amount: cents,
      at,
      leading,
      least: leastBid(bidding),
    } as const;
    operations.push({ ...call, answer: accepted });
  }
  return { operations, bids, limits, lots: [lot] };
}

const seeds = Array.from({ length: 10 }, (_, at) => at + 1);

test("histories with limits decided by the rules keep the promise", () => {
  for (const seed of seeds) expect(checkHistory(historyOf(decideBid, seed))).toEqual([]);
});

const mutants: Record<string, Decide> = {
  "answers beyond the leader's limit": mistaken((right, before, { bidderId, amount }) => {
    const last = right.bids.at(-1);
    if (right.bids.length < 2 || last?.bidderId === bidderId || amount.kind !== "amount") return right;
    const beyond = { ...last, amount: amount.cents + minIncrement } as AcceptedAnswer["bids"][number];
    return withBids(right, before, [...right.bids.slice(0, -1), beyond]);
  }),
  "gives a tie to the rival": mistaken((right, before, { bidderId, amount }) => {
    const isTie = amount.kind === "amount" && amount.cents === before.leaderLimit;
    if (!isTie || right.bids.length < 2) return right;
    return withBids(
      right,
      before,
      right.bids.filter((bid) => bid.bidderId === bidderId),
    );
  }),
  "hides the limit that was used up": mistaken((right, before, { bidderId }) =>
    right.bids.length === 2 && right.bids[1]?.bidderId === bidderId
      ? withBids(right, before, right.bids.slice(1))
      : right,
  ),
  "hides the bid that was beaten": mistaken((right, before, { bidderId }) =>
    right.bids.length === 2 && right.bids[0]?.bidderId === bidderId
      ? withBids(right, before, right.bids.slice(1))
      : right,
  ),
  "lets the price fall for a new leader": mistaken((right, before, { form }) => {
    const last = right.bids.at(-1);
    if (before.highestBid === null || form !== "upTo" || !last) return right;
    return withBids(right, before, [...right.bids.slice(0, -1), { ...last, amount: before.startingBid }]);
  }),
  "calls automatic bids typed": mistaken((right) => ({
    ...right,
    bids: right.bids.map((bid) => ({ ...bid, kind: "bid" })),
  })),
  "takes a bid of half an increment": (bidding, attempt, now) => {
    const { amount } = attempt;
    const raised =
      amount.kind === "amount" && amount.cents === leastBid(bidding) - 50
        ? { ...attempt, amount: { ...amount, cents: amount.cents + 50 } }
        : attempt;
    const outcome = decideBid(bidding, raised, now);
    if (raised === attempt || outcome.kind !== "accepted" || amount.kind !== "amount") return outcome;
    const bids = outcome.bids.map((bid) =>
      bid.bidderId === attempt.bidderId ? { ...bid, amount: amount.cents } : bid,
    );
    return withBids(outcome, bidding, bids);
  },
  "forgets the leader's limit": (bidding, attempt, now) =>
    decideBid({ ...bidding, leaderLimit: bidding.highestBid }, attempt, now),
  "shows a limit that its owner moved": mistaken((right, before, { bidderId }) =>
    right.bids.length === 0 && before.highestBid !== null
      ? withBids(right, before, [{ bidderId, amount: before.highestBid, kind: "auto" }])
      : right,
  ),
  "does not lower a limit": mistaken((right, before) =>
    right.bids.length === 0
      ? {
          ...right,
          bidding: {
            ...right.bidding,
            leaderLimit: Math.max(before.leaderLimit ?? 0, right.bidding.leaderLimit ?? 0),
          },
        }
      : right,
  ),
  "goes up by two increments": mistaken((right, before, { bidderId }) => {
    const last = right.bids.at(-1);
    if (right.bids.length < 2 || !last || last.bidderId === bidderId) return right;
    const amount = Math.min(before.leaderLimit ?? last.amount, last.amount + minIncrement);
    return withBids(right, before, [...right.bids.slice(0, -1), { ...last, amount }]);
  }),
};

describe("the checker catches, in 10 of 10 histories, an implementation that", () => {
  test.each(Object.entries(mutants))("%s", (_, decide) => {
    for (const seed of seeds)
      expect(checkHistory(historyOf(decide, seed)).length, `seed ${seed}`).toBeGreaterThan(0);
  });

  test("tells beaten bidders that they lead", () => {
    for (const seed of seeds)
      expect(checkHistory(historyOf(decideBid, seed, () => true)).length).toBeGreaterThan(0);
  });

  test("loses a limit, or an answer to a rival", () => {
    for (const seed of seeds) {
      const history = historyOf(decideBid, seed);
      expect(checkHistory({ ...history, limits: history.limits.slice(0, -1) })).not.toEqual([]);
      const answer = history.bids.find(({ key }) => key === null);
      expect(checkHistory({ ...history, bids: history.bids.filter((bid) => bid !== answer) })).not.toEqual(
        [],
      );
    }
  });
});
