import { expect, test } from "vitest";
import type { ShownBid } from "#contract/auctions.ts";
import { joinBids } from "./history.tsx";

const bid = (number: number): ShownBid => ({
  number,
  bidder: "A***i",
  tag: "tag",
  automatic: false,
  counts: true,
  amount: number * 100,
  at: number,
});
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, place) => bid(from - place));
const numbers = (bids: readonly ShownBid[]) => bids.map(({ number }) => number);

test("puts new bids above earlier ones, each once", () => {
  expect(numbers(joinBids(down(5, 3), down(4, 1), 10))).toEqual([5, 4, 3, 2, 1]);
});

test("leaves out earlier bids beyond a gap", () => {
  expect(numbers(joinBids(down(50, 31), down(20, 1), 100))).toEqual(numbers(down(50, 31)));
});

test("keeps no more bids than the limit", () => {
  expect(numbers(joinBids(down(9, 7), down(8, 1), 4))).toEqual([9, 8, 7, 6]);
});

test("a product without bids has no history", () => {
  expect(joinBids([], [], 20)).toEqual([]);
});
