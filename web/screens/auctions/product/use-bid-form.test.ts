import { describe, expect, test } from "vitest";
import {
  afterBidding,
  amountIn,
  bidNotPlaced,
  follow,
  isAnswered,
  justMoved,
  problemWith,
  proposal,
} from "./use-bid-form.ts";

const refused = (code: string, message: string) => Object.assign(new Error(message), { code });

test("keeps the code and message of a refusal, and shows a problem of the amount beside its field", () => {
  expect(bidNotPlaced(refused("out-of-range", "Your bid must be at least R151.00."))).toMatchObject({
    code: "out-of-range",
    message: "Your bid must be at least R151.00.",
    field: "amount",
  });
  expect(bidNotPlaced(refused("account/unverified", "Verify first."))).toMatchObject({
    message: "Verify first.",
    field: "amount",
  });
  const ended = bidNotPlaced(refused("failed-precondition", "This auction has ended."));
  expect(ended).toMatchObject({ code: "failed-precondition", message: "This auction has ended." });
  expect(ended).not.toHaveProperty("field");
  expect(bidNotPlaced(refused("not-found", "What?")).message).toBe("Product not found!");
});

test("shows any other failure as a failed bid", () => {
  const failed = "Failed to place bid. Please try again.";
  expect(bidNotPlaced(refused("unavailable", "A proxy's words"))).toMatchObject({
    code: "unavailable",
    message: failed,
  });
  expect(bidNotPlaced(new TypeError("x is not a function"))).toMatchObject({ message: failed });
  expect(bidNotPlaced(undefined)).not.toHaveProperty("code");
});

test("knows the outcome of a bid only by an answer of the server", () => {
  for (const code of [
    "out-of-range",
    "failed-precondition",
    "not-found",
    "already-exists",
    "unauthenticated",
    "account/unverified",
  ])
    expect(isAnswered(refused(code, "No."))).toBe(true);
  for (const code of ["auth/network-request-failed", "unavailable", "internal", "unheard-of"])
    expect(isAnswered(refused(code, "Perhaps."))).toBe(false);
});

test("refuses an amount that is too low, or too high before the address is verified, without the server", () => {
  const product = { price: 15_000, startingBid: 15_000, leader: null };
  const bidder = (unverifiedLimit: number | null) => ({ isLeader: false, unverifiedLimit });
  const exact = (amount: string) => ({ amount, form: "exact" });
  expect(problemWith(product, exact("150"), bidder(1_000_000))).toBeNull();
  expect(problemWith(product, exact("149"), bidder(1_000_000))).toMatchObject({
    code: "out-of-range",
    field: "amount",
  });
  expect(problemWith(product, exact("10001"), bidder(1_000_000))).toMatchObject({
    code: "account/unverified",
  });
  expect(problemWith(product, exact("10001"), bidder(null))).toBeNull();
});

const start = proposal(10_000);

describe("a proposed amount", () => {
  test("is the least bid, and can be sent immediately", () => {
    expect(amountIn(null, 10_000)).toBe("100");
    expect(amountIn(null, 500_150)).toBe("5001.50");
    expect(justMoved(null, start, 0)).toBe(false);
  });

  test("has to be visible for a second after it has changed", () => {
    const moved = follow(start, 500_100, 5_000);
    expect(justMoved(null, moved, 5_000)).toBe(true);
    expect(justMoved(null, moved, 5_999)).toBe(true);
    expect(justMoved(null, moved, 6_000)).toBe(false);
    const again = follow(moved, 500_200, 5_500);
    expect(justMoved(null, again, 6_499)).toBe(true);
    expect(justMoved(null, again, 6_500)).toBe(false);
  });

  test("doesn't change when something else about the product does", () => {
    expect(follow(start, 10_000, 5_000)).toBe(start);
  });

  test("counts as changed after a bid was placed", () => {
    expect(justMoved(null, afterBidding(start, 5_000), 5_500)).toBe(true);
  });
});

test.each(["121", "100", ""])(
  "%j, once typed, never changes and can be sent after any change of the price",
  (text) => {
    expect(amountIn(text, 13_100)).toBe(text);
    expect(justMoved(text, follow(start, 13_100, 5_000), 5_001)).toBe(false);
  },
);
