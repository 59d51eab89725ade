import { describe, expect, test } from "vitest";
import {
  type Bidding,
  type BidForm,
  bidRefusal,
  bidTexts,
  decideBid,
  isFarAbove,
  leastBid,
  maskName,
  minIncrement,
  type RefusedBid,
} from "./bid.ts";
import { amountProblems } from "./currency.ts";
import { type Amount, highestAmount } from "./money.ts";

const end = new Date("2026-11-21T12:00:00.000Z");
const before = (milliseconds: number) => new Date(end.getTime() - milliseconds);
const fresh: Bidding = {
  sellerId: "seller",
  startingBid: 15_000,
  endDate: end,
  latestEnd: null,
  open: true,
  highestBid: null,
  highestBidderId: null,
  leaderLimit: null,
  bidCount: 0,
};
const led: Bidding = {
  ...fresh,
  highestBid: 20_000,
  highestBidderId: "ada",
  leaderLimit: 20_000,
  bidCount: 3,
};
const amountOf = (cents: number): Amount => ({ kind: "amount", cents });
type BidOptions = { bidderId?: string; form?: BidForm; now?: Date; unverifiedLimit?: number | null };
const bid = (
  bidding: Bidding,
  amount: Amount,
  { bidderId = "bea", form = "exact", now = before(1000), unverifiedLimit = null }: BidOptions = {},
) => decideBid(bidding, { bidderId, form, amount, unverifiedLimit }, now);
const accepted = (amount: number, bidderId = "bea") => ({
  kind: "accepted",
  bids: [{ bidderId, amount, kind: "bid" }],
  bidding: { highestBid: amount, highestBidderId: bidderId, leaderLimit: amount },
});

describe("the least bid", () => {
  test("is the starting bid while there is no bid", () => {
    expect(leastBid(fresh)).toBe(15_000);
    expect(bid(fresh, amountOf(15_000))).toMatchObject(accepted(15_000));
    expect(bid(fresh, amountOf(14_999))).toEqual({ kind: "tooLow", least: 15_000 });
  });

  test("is R1 above the highest bid, to the cent", () => {
    expect(leastBid(led)).toBe(20_100);
    expect(bid(led, amountOf(20_100))).toMatchObject(accepted(20_100));
    expect(bid(led, amountOf(20_099))).toEqual({ kind: "tooLow", least: 20_100 });
  });
});

test("the leader may raise their own bid, by R1 at least", () => {
  expect(bid(led, amountOf(20_100), { bidderId: "ada" })).toMatchObject(accepted(20_100, "ada"));
  expect(bid(led, amountOf(20_050), { bidderId: "ada" })).toEqual({ kind: "tooLow", least: 20_100 });
});

test("one millisecond before the end is in time; at the end and after it is too late", () => {
  expect(bid(led, amountOf(30_000), { now: before(1) }).kind).toBe("accepted");
  expect(bid(led, amountOf(30_000), { now: end }).kind).toBe("ended");
  expect(bid(led, amountOf(30_000), { now: before(-1) }).kind).toBe("ended");
});

test("a product that was closed or taken off sale takes no bid, whatever its end date says", () => {
  expect(bid({ ...led, open: false }, amountOf(30_000)).kind).toBe("ended");
});

test("the most that can be bid is accepted, a cent more is too high", () => {
  expect(bid(led, amountOf(highestAmount)).kind).toBe("accepted");
  expect(bid(led, amountOf(highestAmount + 1)).kind).toBe("tooHigh");
  expect(bid(led, { kind: "problem", problem: "enormous" }).kind).toBe("tooHigh");
  const full = { ...led, highestBid: highestAmount };
  expect(bid(full, amountOf(highestAmount))).toEqual({ kind: "tooHigh" });
  expect(bid(full, amountOf(highestAmount + minIncrement)).kind).toBe("tooHigh");
});

describe("before the bidder's email address is verified", () => {
  const unverified = { unverifiedLimit: 1_000_000 };

  test("the limit itself can be bid, a cent more can't", () => {
    expect(bid(led, amountOf(1_000_000), unverified).kind).toBe("accepted");
    expect(bid(led, amountOf(1_000_001), unverified)).toEqual({ kind: "unverified", limit: 1_000_000 });
    expect(bid(led, amountOf(1_000_001)).kind).toBe("accepted");
  });

  test("every other refusal comes first", () => {
    const full = { ...led, highestBid: 1_000_000 };
    expect(bid(full, amountOf(1_000_001), unverified).kind).toBe("tooLow");
    expect(bid(led, amountOf(highestAmount + 1), unverified).kind).toBe("tooHigh");
    expect(bid(led, amountOf(1_000_001), { ...unverified, now: end }).kind).toBe("ended");
    expect(bid(led, amountOf(1_000_001), { ...unverified, bidderId: "seller" }).kind).toBe("ownProduct");
  });
});

describe("a limit", () => {
  const upTo = { form: "upTo" } as const;
  const limited: Bidding = { ...led, leaderLimit: 50_000 };

  test("opens at the starting bid, whatever it is", () => {
    expect(bid(fresh, amountOf(50_000), upTo)).toMatchObject({
      bids: [{ bidderId: "bea", amount: 15_000, kind: "auto" }],
      bidding: { highestBid: 15_000, highestBidderId: "bea", leaderLimit: 50_000, bidCount: 1 },
    });
    expect(bid(fresh, amountOf(14_999), upTo)).toEqual({ kind: "tooLow", least: 15_000 });
  });

  test("outbids a rival immediately by R1, but never above itself", () => {
    for (const form of ["exact", "upTo"] as const) {
      const kind = form === "exact" ? "bid" : "auto";
      expect(bid(limited, amountOf(30_000), { form })).toMatchObject({
        bids: [
          { bidderId: "bea", amount: 30_000, kind },
          { bidderId: "ada", amount: 30_100, kind: "auto" },
        ],
        bidding: { highestBid: 30_100, highestBidderId: "ada", leaderLimit: 50_000, bidCount: 5 },
      });
      expect(bid(limited, amountOf(49_950), { form })).toMatchObject({ bidding: { highestBid: 50_000 } });
    }
  });

  test("keeps the lead in a tie", () => {
    for (const form of ["exact", "upTo"] as const)
      expect(bid(limited, amountOf(50_000), { form })).toMatchObject({
        bids: [{ amount: 50_000 }, { bidderId: "ada", amount: 50_000, kind: "auto" }],
        bidding: { highestBid: 50_000, highestBidderId: "ada" },
      });
  });

  test("is shown once it is used up, below the bid that overtook it", () => {
    expect(bid(limited, amountOf(60_000))).toMatchObject({
      bids: [
        { bidderId: "ada", amount: 50_000, kind: "auto" },
        { bidderId: "bea", amount: 60_000, kind: "bid" },
      ],
      bidding: { highestBid: 60_000, leaderLimit: 60_000 },
    });
    expect(bid(limited, amountOf(60_000), upTo)).toMatchObject({
      bids: [{ amount: 50_000 }, { bidderId: "bea", amount: 50_100, kind: "auto" }],
      bidding: { highestBid: 50_100, leaderLimit: 60_000 },
    });
    expect(bid(limited, amountOf(50_001), upTo)).toMatchObject({ bidding: { highestBid: 50_001 } });
    expect(bid(led, amountOf(60_000), upTo)).toMatchObject({ bids: [{ bidderId: "bea", amount: 20_100 }] });
  });

  test("can be moved by the leader without a public bid, up, and down to the price", () => {
    for (const amount of [80_000, 30_000, 20_000])
      expect(bid(limited, amountOf(amount), { ...upTo, bidderId: "ada" })).toEqual({
        kind: "accepted",
        bids: [],
        bidding: { ...limited, leaderLimit: amount },
      });
    expect(bid(limited, amountOf(19_999), { ...upTo, bidderId: "ada" })).toEqual({
      kind: "tooLow",
      least: 20_000,
    });
  });

  test("is kept when its owner raises their bid below it", () => {
    expect(bid(limited, amountOf(40_000), { bidderId: "ada" })).toMatchObject({
      bids: [{ bidderId: "ada", amount: 40_000, kind: "bid" }],
      bidding: { highestBid: 40_000, leaderLimit: 50_000 },
    });
    expect(bid(limited, amountOf(60_000), { bidderId: "ada" })).toMatchObject({
      bidding: { leaderLimit: 60_000 },
    });
  });

  test("has the minimum and the bounds of any other bid", () => {
    expect(bid(limited, amountOf(20_099), upTo)).toEqual({ kind: "tooLow", least: 20_100 });
    expect(bid(limited, amountOf(highestAmount + 1), upTo)).toEqual({ kind: "tooHigh" });
    const unverified = { ...upTo, unverifiedLimit: 1_000_000 };
    expect(bid(limited, amountOf(1_000_001), unverified)).toEqual({ kind: "unverified", limit: 1_000_000 });
  });

  test("at the highest amount leaves a next step that can be stated", () => {
    const full: Bidding = { ...led, highestBid: highestAmount, leaderLimit: highestAmount };
    const outcome = bid(full, amountOf(highestAmount), upTo);
    expect(outcome).toEqual({ kind: "tooHigh" });
    expect(bidTexts.beaten(highestAmount + minIncrement)).not.toContain("It now takes");
  });
});

describe("the end of an auction with a soft close", () => {
  const soft: Bidding = { ...led, latestEnd: before(-60 * 60_000) };
  const endsAfter = (bidding: Bidding, options: BidOptions, amount = 30_000) => {
    const outcome = bid(bidding, amountOf(amount), options);
    return outcome.kind === "accepted" ? outcome.bidding.endDate.getTime() - end.getTime() : outcome.kind;
  };

  test("moves to two minutes after a rival's bid in the last two minutes", () => {
    expect(endsAfter(soft, { now: before(120_001) })).toBe(0);
    expect(endsAfter(soft, { now: before(120_000) })).toBe(0);
    expect(endsAfter(soft, { now: before(119_999) })).toBe(1);
    expect(endsAfter(soft, { now: before(1) })).toBe(119_999);
    expect(endsAfter(soft, { now: before(1), form: "upTo" })).toBe(119_999);
  });

  test("moves for a bid that was outbid immediately, since it moved the price", () =>
    expect(endsAfter({ ...soft, leaderLimit: 90_000 }, { now: before(1_000) })).toBe(119_000));

  test("stays for the leader's own raise and limit, and for a refused bid", () => {
    expect(endsAfter(soft, { bidderId: "ada", now: before(1) })).toBe(0);
    expect(endsAfter(soft, { bidderId: "ada", form: "upTo", now: before(1) })).toBe(0);
    expect(endsAfter(soft, { now: before(1) }, 20_000)).toBe("tooLow");
  });

  test("moves to its latest moment at most, and never back", () => {
    const late: Bidding = { ...soft, endDate: before(-59.5 * 60_000) };
    expect(endsAfter(late, { now: before(-59 * 60_000) })).toBe(60 * 60_000);
    const last: Bidding = { ...soft, endDate: before(-60 * 60_000) };
    expect(endsAfter(last, { now: before(-59.9 * 60_000) })).toBe(60 * 60_000);
  });

  test("is fixed without a soft close", () => expect(endsAfter(led, { now: before(1) })).toBe(0));
});

test.each([
  [10_000, 500_100, true],
  [10_000, 110_000, true],
  [10_000, 109_999, false],
  [100_000, 1_000_000, true],
  [100_000, 999_999, false],
  [100, 99_900, false],
  [100, 100_100, true],
])("at a price of %d cents, a bid of %d needs confirmation: %s", (price, amount, isFar) =>
  expect(isFarAbove(price, amount)).toBe(isFar),
);

test("refusals come in their order: own product, ended, not an amount, too low, too high", () => {
  const notAnAmount: Amount = { kind: "problem", problem: "notANumber" };
  const own = { bidderId: "seller", now: end };
  expect(bid(led, notAnAmount, own).kind).toBe("ownProduct");
  expect(bid(led, notAnAmount, { now: end }).kind).toBe("ended");
  expect(bid(led, notAnAmount).kind).toBe("notAnAmount");
  expect(bid(led, amountOf(0), own).kind).toBe("ownProduct");
  expect(bid(led, amountOf(0), { now: end }).kind).toBe("ended");
  expect(bid(led, amountOf(0)).kind).toBe("tooLow");
  expect(bid(led, amountOf(highestAmount + 1), { now: end }).kind).toBe("ended");
});

test("anyone may bid on a product whose seller's account is deleted", () => {
  expect(bid({ ...led, sellerId: null }, amountOf(30_000)).kind).toBe("accepted");
});

describe("the message of a refusal", () => {
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
  test.each(words)("%j", (outcome, code, message) => expect(bidRefusal(outcome)).toEqual({ code, message }));

  test("differs for each kind of invalid amount", () => {
    const messages = amountProblems.map((problem) => {
      const outcome = bid(led, { kind: "problem", problem });
      return outcome.kind === "accepted" ? "" : bidRefusal(outcome).message;
    });
    expect(new Set(messages).size).toBe(amountProblems.length);
    expect(messages).not.toContain("");
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
