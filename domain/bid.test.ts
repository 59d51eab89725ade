import { describe, expect, test } from "vitest";
import {
  type Bidding,
  currentPrice,
  decideBid,
  leastBid,
  maskName,
  type RefusedBid,
  refusedBidWords,
} from "./bid.ts";
import { type Amount, amountProblems, highestAmount, oneRand } from "./money.ts";

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
const bid = (bidding: Bidding, amount: Amount, { bidderId = "bea", now = before(1000) } = {}) =>
  decideBid(bidding, { bidderId, amount }, now);

describe("the least bid", () => {
  test("is the starting bid while there is none, and that is accepted", () => {
    expect([leastBid(fresh), currentPrice(fresh)]).toEqual([15_000, 15_000]);
    expect(bid(fresh, of(15_000))).toEqual({ kind: "accepted", cents: 15_000 });
    expect(bid(fresh, of(14_999))).toEqual({ kind: "tooLow", least: 15_000 });
  });

  test("is R1 above the highest bid, to the cent", () => {
    expect([leastBid(led), currentPrice(led)]).toEqual([20_100, 20_000]);
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

test("what was closed or taken off sale takes no bid, whatever its end date says", () => {
  expect(bid({ ...led, open: false }, of(30_000)).kind).toBe("ended");
});

test("the most that can be bid is accepted, a cent more is too high", () => {
  expect(bid(led, of(highestAmount)).kind).toBe("accepted");
  expect(bid(led, of(highestAmount + 1)).kind).toBe("tooHigh");
  expect(bid(led, { kind: "problem", problem: "enormous" }).kind).toBe("tooHigh");
  const full = { ...led, highestBid: highestAmount };
  expect(bid(full, of(highestAmount))).toEqual({ kind: "tooLow", least: highestAmount + oneRand });
  expect(bid(full, of(highestAmount + oneRand)).kind).toBe("tooHigh");
});

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
    [{ kind: "ownProduct" }, "permission-denied", "You cannot bid on your own product."],
    [{ kind: "ended" }, "failed-precondition", "This auction has ended."],
    [{ kind: "notAnAmount", message: "Why." }, "invalid-argument", "Why."],
    [{ kind: "tooLow", least: 125_050 }, "out-of-range", "Your bid must be at least R1,250.50."],
    [{ kind: "tooHigh" }, "out-of-range", "Your bid can be at most R100,000,000.00."],
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
