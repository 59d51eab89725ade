import { describe, expect, test } from "vitest";
import { afterBidding, amountIn, follow, justMoved, proposal } from "./bid-field.ts";

const start = proposal(10_000);

describe("an amount that nobody typed", () => {
  test("is the least bid, and can be sent at once", () => {
    expect(amountIn(null, 10_000)).toBe("100");
    expect(amountIn(null, 500_150)).toBe("5001.50");
    expect(justMoved(null, start, 0)).toBe(false);
  });

  test("has to stand in the field for a second once it has changed", () => {
    const moved = follow(start, 500_100, 5_000);
    expect(justMoved(null, moved, 5_000)).toBe(true);
    expect(justMoved(null, moved, 5_999)).toBe(true);
    expect(justMoved(null, moved, 6_000)).toBe(false);
    const again = follow(moved, 500_200, 5_500);
    expect(justMoved(null, again, 6_499)).toBe(true);
    expect(justMoved(null, again, 6_500)).toBe(false);
  });

  test("has not changed when something else about the product did", () => {
    expect(follow(start, 10_000, 5_000)).toBe(start);
  });

  test("is new again after a bid was placed", () => {
    expect(justMoved(null, afterBidding(start, 5_000), 5_500)).toBe(true);
  });
});

test.each(["121", "100", ""])(
  "%j, once typed, never moves and can be sent whatever the price did",
  (typed) => {
    expect(amountIn(typed, 13_100)).toBe(typed);
    expect(justMoved(typed, follow(start, 13_100, 5_000), 5_001)).toBe(false);
  },
);
