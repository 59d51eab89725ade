import { describe, expect, test } from "vitest";
import { type Bidding, type BidForm, bidForms, decideBid, newBidding } from "./bid.ts";
import {
  type AcceptedAttempt,
  decideWithdrawal,
  noWithdrawalUntil,
  replay,
  type WithdrawalRequest,
  withdraw,
  withdrawalRefusalText,
} from "./bid-withdrawal.ts";
import type { Cents } from "./money.ts";
import { belowFrom } from "./seeded-random.ts";

const hour = 3_600_000;
const day = 24 * hour;
const startingBid: Cents = 15_000;
const terms = { sellerId: "seller", startingBid };
const now = new Date(10 * day);

const slip: WithdrawalRequest = {
  mode: "mistake",
  bidding: { open: true, endDate: new Date(11 * day), startingBid },
  own: { amount: 610_000, at: new Date(10 * day - 1), met: 60_000, before: null },
  instead: 61_000,
  withdrawals: [],
};
const decide = (changes: Partial<WithdrawalRequest>) => decideWithdrawal({ ...slip, ...changes }, now);
const own = (changes: Partial<NonNullable<WithdrawalRequest["own"]>>) => ({
  own: { amount: 610_000, at: new Date(10 * day - 1), met: 60_000, before: null, ...changes },
});
const ending = (endDate: Date) => ({ bidding: { open: true, endDate, startingBid } });

describe("a slip is withdrawn", () => {
  test("with the intended amount", () => expect(decide({})).toEqual({ kind: "withdrawn", form: "slip" }));
  test("within an hour of the bid", () => {
    expect(decide(own({ at: new Date(now.getTime() - hour) })).kind).toBe("withdrawn");
    expect(decide(own({ at: new Date(now.getTime() - hour - 1) })).kind).toBe("tooLongAgo");
  });
  test("more than 12 hours before the end", () => {
    expect(decide(ending(new Date(now.getTime() + 12 * hour + 1))).kind).toBe("withdrawn");
    expect(decide(ending(new Date(now.getTime() + 12 * hour))).kind).toBe("tooLate");
  });
  test("if it was 5 times the price that it met", () => {
    expect(decide(own({ amount: 300_000 })).kind).toBe("withdrawn");
    expect(decide(own({ amount: 299_999 })).kind).toBe("noSlip");
  });
  test("with an amount of at least the earlier bid that is less than the slip", () => {
    expect(decide({ instead: null }).kind).toBe("insteadMissing");
    expect(decide({ instead: 610_000 }).kind).toBe("insteadTooHigh");
    expect(decide({ instead: startingBid - 1 })).toEqual({ kind: "insteadTooLow", least: startingBid });
    expect(decide(own({ before: 70_000 }))).toEqual({ kind: "insteadTooLow", least: 70_000 });
  });
});

describe("by law", () => {
  const byLaw = { mode: "law", instead: null } as const;
  test("any bid is withdrawn before the end", () => {
    const late = {
      ...byLaw,
      ...ending(new Date(now.getTime() + 1)),
      ...own({ at: new Date(0), amount: 60_100 }),
    };
    expect(decide(late)).toEqual({ kind: "withdrawn", form: "law" });
  });
  test("nothing is withdrawn at the end or without a bid", () => {
    expect(decide({ ...byLaw, ...ending(now) }).kind).toBe("ended");
    expect(decide({ ...byLaw, bidding: { ...slip.bidding, open: false } }).kind).toBe("ended");
    expect(decide({ ...byLaw, own: null }).kind).toBe("noBid");
  });
});

describe("withdrawals", () => {
  const on = (...days: number[]) => days.map((each) => new Date(each * day));
  test.each([
    ["two", on(0, 1), null],
    ["three within 6 months", on(0, 100, 183), new Date((183 + 365) * day)],
    ["three over more than 6 months", on(0, 100, 184), null],
    ["three in any order", on(183, 0, 100), new Date((183 + 365) * day)],
    ["many", on(0, 1, 2, 400, 401, 402), new Date((402 + 365) * day)],
  ])("%s bar further ones until the expected day", (_, times, until) =>
    expect(noWithdrawalUntil(times)).toEqual(until),
  );
  test.each(["mistake", "law"] as const)("are refused when there are too many, also as %s", (mode) => {
    const refusal = decide({ mode, withdrawals: on(0, 1, 2) });
    expect(refusal).toEqual({ kind: "tooMany", until: new Date(367 * day) });
    if (refusal.kind === "withdrawn") throw new Error("withdrawn");
    expect(withdrawalRefusalText(refusal)).toContain("1971");
  });
});

describe("the end", () => {
  const leading = (end: Date, latestEnd: Date | null): Bidding => ({
    ...newBidding({ ...terms, endDate: end, latestEnd }),
    highestBid: 60_000,
    highestBidderId: "ada",
    leaderLimit: 60_000,
    bidCount: 3,
  });
  const soon = new Date(now.getTime() + 12 * hour - 1);
  const moved = new Date(now.getTime() + 12 * hour);
  const rest = { bidding: { ...leading(soon, null), highestBid: 20_000, highestBidderId: "bea" } };
  const take = (bidding: Bidding, bidderId: string, hasMovedEnd = false) =>
    withdraw({ bidding, bidderId, kind: "withdrawn", rest, instead: null, hasMovedEnd }, now);

  test("moves to 12 hours from now if the leader withdraws in the last 12", () => {
    expect(take(leading(soon, null), "ada")).toMatchObject({
      movesEnd: true,
      bidding: { endDate: moved, latestEnd: null },
    });
  });
  test("can be moved an hour further by late bids in a soft close", () => {
    const latestEnd = new Date(soon.getTime() + hour);
    expect(take(leading(soon, latestEnd), "ada").bidding.latestEnd).toEqual(new Date(moved.getTime() + hour));
  });
  test("stays if another bidder withdraws, before the last 12 hours, and the second time", () => {
    for (const withdrawal of [
      take(leading(soon, null), "bea"),
      take(leading(soon, null), "ada", true),
      take(leading(moved, null), "ada"),
    ])
      expect(withdrawal.movesEnd).toBe(false);
    expect(take(leading(soon, null), "ada", true).bidding.endDate).toEqual(soon);
  });
});

describe("a withdrawal", () => {
  const at = new Date(0);
  const attempt = (bidderId: string, form: BidForm, rand: number): AcceptedAttempt => ({
    bidderId,
    form,
    amount: rand * 100,
    at,
  });
  const without = (attempts: AcceptedAttempt[], bidderId: string, instead: Cents | null = null) => {
    const before = replay(terms, attempts).bidding;
    const rest = replay(
      terms,
      attempts.filter((each) => each.bidderId !== bidderId),
    );
    const bidding = { ...before, endDate: new Date(20 * day) };
    return withdraw({ bidding, bidderId, kind: "withdrawn", rest, instead, hasMovedEnd: false }, now);
  };

  test("restores the leader and price from without those bids, including a limit", () => {
    const attempts = [
      attempt("bea", "upTo", 500),
      attempt("cleo", "exact", 200),
      attempt("ada", "exact", 6_100),
    ];
    expect(without(attempts, "ada")).toMatchObject({
      bids: [{ bidderId: "ada", amount: 20_100, kind: "withdrawn" }],
      bidding: { highestBid: 20_100, highestBidderId: "bea", leaderLimit: 50_000, bidCount: 6 },
    });
  });

  test("by the only bidder leaves no leader", () => {
    expect(without([attempt("ada", "exact", 6_100)], "ada")).toMatchObject({
      bids: [{ amount: 0, kind: "withdrawn" }],
      bidding: { highestBid: null, highestBidderId: null, leaderLimit: null, bidCount: 2 },
    });
  });

  test("bids the intended amount, if that is still enough", () => {
    const attempts = [attempt("bea", "exact", 600), attempt("ada", "exact", 6_100)];
    expect(without(attempts, "ada", 61_000)).toMatchObject({
      bids: [
        { bidderId: "ada", amount: 60_000, kind: "withdrawn" },
        { bidderId: "ada", amount: 61_000, kind: "bid" },
      ],
      bidding: { highestBid: 61_000, highestBidderId: "ada", bidCount: 4 },
    });
    expect(without(attempts, "ada", 60_050)).toMatchObject({
      bids: [{ kind: "withdrawn" }],
      bidding: { highestBid: 60_000, highestBidderId: "bea" },
    });
  });

  test("knows the price that each bidder's last bid met, and the most that bound them before", () => {
    const { met } = replay(terms, [
      attempt("ada", "upTo", 300),
      attempt("bea", "exact", 200),
      attempt("ada", "upTo", 6_100),
    ]);
    expect(met.get("ada")).toEqual({ price: 20_100, bound: 30_000 });
    expect(met.get("bea")).toEqual({ price: 15_000, bound: null });
  });
});

/**
 * A reference implementation that stores every bidder's limit, and computes price and leader from all of them at each
 * bid. It neither replays bids nor relies on the leader's limit being enough.
 */
class Reference {
  readonly #limits = new Map<string, Cents>();
  price: Cents | null = null;
  leader: string | null = null;

  bid({ bidderId, form, amount }: Omit<AcceptedAttempt, "at">): boolean {
    const isLeader = bidderId === this.leader;
    const least = this.price === null ? startingBid : this.price + 100;
    if (amount < (isLeader && form === "upTo" ? (this.price ?? 0) : least)) return false;
    const former = this.#limits.get(bidderId) ?? 0;
    this.#limits.set(bidderId, isLeader && form === "exact" ? Math.max(former, amount) : amount);
    if (isLeader) {
      if (form === "exact") this.price = amount;
      return true;
    }
    const highest = Math.max(...this.#limits.values());
    const leader = this.leader !== null && this.#limits.get(this.leader) === highest ? this.leader : bidderId;
    const others = [...this.#limits].filter(([id]) => id !== leader).map(([, limit]) => limit);
    const step = Math.min(highest, Math.max(startingBid, ...others.map((limit) => limit + 100)));
    this.price = Math.max(this.price ?? 0, leader === bidderId && form === "exact" ? amount : step);
    this.leader = leader;
    return true;
  }
}

const people = ["ada", "bea", "cleo", "dumi"] as const;
const nearby = [-100, -1, 0, 1, 50, 99, 100, 101, 200, 1_000, 60_000] as const;

test("prices after 100,000 random withdrawals are those of the same histories without that person", () => {
  const below = belowFrom(3);
  const kinds = { changed: 0, same: 0, empty: 0 };
  for (let each = 0; each < 100_000; each++) {
    let bidding = newBidding({ ...terms, endDate: new Date(20 * day), latestEnd: null });
    const attempts: AcceptedAttempt[] = [];
    for (let step = below(10); step >= 0; step--) {
      const bidderId = people[below(people.length)] ?? "ada";
      const form = bidForms[below(bidForms.length)] ?? "exact";
      const about = below(2) === 0 ? bidding.highestBid : bidding.leaderLimit;
      const cents = Math.max(1, (about ?? startingBid) + (nearby[below(nearby.length)] ?? 0));
      const amount = { kind: "amount", cents } as const;
      const outcome = decideBid(bidding, { bidderId, form, amount, unverifiedLimit: null }, new Date(step));
      if (outcome.kind !== "accepted") continue;
      ({ bidding } = outcome);
      attempts.push({ bidderId, form, amount: cents, at: new Date(step) });
    }
    const bidderId = attempts[below(Math.max(1, attempts.length))]?.bidderId;
    if (bidderId === undefined) continue;
    const others = attempts.filter((attempt) => attempt.bidderId !== bidderId);
    const reference = new Reference();
    for (const attempt of others) reference.bid(attempt);
    const withdrawal = withdraw(
      {
        bidding,
        bidderId,
        kind: "withdrawn",
        rest: replay(terms, others),
        instead: null,
        hasMovedEnd: false,
      },
      now,
    );
    const { highestBid, highestBidderId } = withdrawal.bidding;
    if (highestBid !== reference.price || highestBidderId !== reference.leader)
      throw new Error(`${highestBid} ${highestBidderId}: ${JSON.stringify({ bidderId, attempts })}`);
    if (highestBid !== null && bidding.highestBid !== null && highestBid > bidding.highestBid)
      throw new Error(`the price rises by a withdrawal: ${JSON.stringify({ bidderId, attempts })}`);
    kinds[highestBid === null ? "empty" : highestBid === bidding.highestBid ? "same" : "changed"]++;
  }
  expect(kinds.changed).toBeGreaterThan(10_000);
  expect(kinds.same).toBeGreaterThan(5_000);
  expect(kinds.empty).toBeGreaterThan(5_000);
});
