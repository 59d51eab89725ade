import { describe, expect, test } from "vitest";
import {
  type Bidding,
  decideBid,
  isFarAbove,
  leastBid,
  maskName,
  minIncrement,
  type RefusedBid,
  refusedBidWords,
} from "./bid.ts";
import { amountProblems } from "./currency.ts";
import { type Amount, highestAmount } from "./money.ts";

const end = new Date("2026-11-21T12:00:00.000Z");
const before = (milliseconds: number) => new Date(end.getTime() - milliseconds);
const fresh: Bidding = {
  sellerId: "seller",
  startingBid: 15_000,
  endDate: end,
  open: true,
  highestBid: null,
  highestBidderId: null,
  bidCount: 0,
};
const led: Bidding = { ...fresh, highestBid: 20_000, highestBidderId: "ada", bidCount: 3 };
const of = (cents: number): Amount => ({ kind: "amount", cents });
type BidOptions = { bidderId?: string; now?: Date; unverifiedLimit?: number | null };
const bid = (
  bidding: Bidding,
  amount: Amount,
  { bidderId = "bea", now = before(1000), unverifiedLimit = null }: BidOptions = {},
) => decideBid(bidding, { bidderId, amount, unverifiedLimit }, now);

describe("the least bid", () => {
  test("is the starting bid while there is none, and that is accepted", () => {
    expect(leastBid(fresh)).toBe(15_000);
    expect(bid(fresh, of(15_000))).toEqual({ kind: "accepted", cents: 15_000 });
    expect(bid(fresh, of(14_999))).toEqual({ kind: "tooLow", least: 15_000 });
  });

  test("is R1 above the highest bid, to the cent", () => {
    expect(leastBid(led)).toBe(20_100);
    expect(bid(led, of(20_100))).toEqual({ kind: "accepted", cents: 20_100 });
    expect(bid(led, of(20_099))).toEqual({ kind: "tooLow", least: 20_100 });
  });
});

test("the leader may raise their own bid, by R1 at least", () => {
  expect(bid(led, of(20_100), { bidderId: "ada" })).toEqual({ kind: "accepted", cents: 20_100 });
  expect(bid(led, of(20_050), { bidderId: "ada" })).toEqual({ kind: "tooLow", least: 20_100 });
});

test("one millisecond before the end is in time; at the end and after it is too late", () => {
  expect(bid(led, of(30_000), { now: before(1) }).kind).toBe("accepted");
  expect(bid(led, of(30_000), { now: end }).kind).toBe("ended");
  expect(bid(led, of(30_000), { now: before(-1) }).kind).toBe("ended");
});

test("a product that was closed or taken off sale takes no bid, whatever its end date says", () => {
  expect(bid({ ...led, open: false }, of(30_000)).kind).toBe("ended");
});

test("the most that can be bid is accepted, a cent more is too high", () => {
  expect(bid(led, of(highestAmount)).kind).toBe("accepted");
  expect(bid(led, of(highestAmount + 1)).kind).toBe("tooHigh");
  expect(bid(led, { kind: "problem", problem: "enormous" }).kind).toBe("tooHigh");
  const full = { ...led, highestBid: highestAmount };
  expect(bid(full, of(highestAmount))).toEqual({ kind: "tooLow", least: highestAmount + minIncrement });
  expect(bid(full, of(highestAmount + minIncrement)).kind).toBe("tooHigh");
});

describe("before the bidder's email address is verified", () => {
  const unverified = { unverifiedLimit: 1_000_000 };

  test("the limit itself can be bid, a cent more can't", () => {
    expect(bid(led, of(1_000_000), unverified).kind).toBe("accepted");
    expect(bid(led, of(1_000_001), unverified)).toEqual({ kind: "unverified", limit: 1_000_000 });
    expect(bid(led, of(1_000_001)).kind).toBe("accepted");
  });

  test("every other refusal comes first", () => {
    const full = { ...led, highestBid: 1_000_000 };
    expect(bid(full, of(1_000_001), unverified).kind).toBe("tooLow");
    expect(bid(led, of(highestAmount + 1), unverified).kind).toBe("tooHigh");
    expect(bid(led, of(1_000_001), { ...unverified, now: end }).kind).toBe("ended");
    expect(bid(led, of(1_000_001), { ...unverified, bidderId: "seller" }).kind).toBe("ownProduct");
  });
});

test.each([
  [10_000, 500_100, true],
  [10_000, 110_000, true],
  [10_000, 109_999, false],
  [100_000, 1_000_000, true],
  [100_000, 999_999, false],
  [100, 99_900, false],
  [100, 100_100, true],
])("at a price of %d cents, a bid of %d is asked once more: %s", (price, amount, asked) =>
  expect(isFarAbove(price, amount)).toBe(asked),
);

test("refusals come in their order: own product, ended, not an amount, too low, too high", () => {
  const notAnAmount: Amount = { kind: "problem", problem: "notANumber" };
  const own = { bidderId: "seller", now: end };
  expect(bid(led, notAnAmount, own).kind).toBe("ownProduct");
  expect(bid(led, notAnAmount, { now: end }).kind).toBe("ended");
  expect(bid(led, notAnAmount).kind).toBe("notAnAmount");
  expect(bid(led, of(0), own).kind).toBe("ownProduct");
  expect(bid(led, of(0), { now: end }).kind).toBe("ended");
  expect(bid(led, of(0)).kind).toBe("tooLow");
  expect(bid(led, of(highestAmount + 1), { now: end }).kind).toBe("ended");
});

test("a product whose seller's account is gone is nobody's own", () => {
  expect(bid({ ...led, sellerId: null }, of(30_000)).kind).toBe("accepted");
});

describe("the words of a refusal", () => {
  const words: [RefusedBid, string, string][] = [
    [{ kind: "ownProduct" }, "permission-denied", "You can't bid on your own product."],
    [{ kind: "ended" }, "failed-precondition", "This auction has ended."],
    [{ kind: "notAnAmount", message: "Why." }, "invalid-argument", "Why."],
    [{ kind: "tooLow", least: 125_050 }, "out-of-range", "Your bid must be at least R1,250.50."],
    [{ kind: "tooHigh" }, "out-of-range", "Your bid can be at most R100,000,000.00."],
    [
      { kind: "unverified", limit: 1_000_000 },
      "account/unverified",
      "Until you verify your email address, you can bid up to R10,000.00. Please open the link we emailed you, or ask for a new one.",
    ],
  ];
  test.each(words)("%j", (outcome, code, message) =>
    expect(refusedBidWords(outcome)).toEqual({ code, message }),
  );

  test("each kind of bad amount has its own", () => {
    const said = amountProblems.map((problem) => {
      const outcome = bid(led, { kind: "problem", problem });
      return outcome.kind === "accepted" ? "" : refusedBidWords(outcome).message;
    });
    expect(new Set(said).size).toBe(amountProblems.length);
    expect(said).not.toContain("");
  });
});

test.each([
  ["Thandeka Dlamini", "T***i"],
  [" Ada Obi ", "A***i"],
  ["Al", "A***l"],
  ["X", "X***"],
  ["", "***"],
  ["Élodie Noë\u0308", "É***ë\u0308"],
  ["王小明", "王***明"],
])("%j is shown as %s", (name, masked) => expect(maskName(name)).toBe(masked));
