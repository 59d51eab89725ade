import { expect, test } from "vitest";
import type { ShownBid } from "#contract/auctions.ts";
import { mayBeSlip } from "./may-be-slip.ts";

const minute = 60_000;
const now = Date.parse("2026-11-21T10:00:00Z");
const endDate = now + 24 * 60 * minute;
/** Returns a bid with this tag, made this many minutes ago. */
const bid = (tag: string, minutes: number): ShownBid => ({
  number: 100 - minutes,
  tag,
  bidder: tag,
  amount: 20_000,
  at: now - minutes * minute,
  counts: true,
  automatic: false,
});
const ofAda = (...bids: ShownBid[]) => mayBeSlip({ bids, endDate }, "ada", now);

test("the latest bid may be a slip for an hour", () => {
  expect(ofAda(bid("bea", 1), bid("ada", 59), bid("ada", 90))).toBe(true);
  expect(ofAda(bid("bea", 1), bid("ada", 61))).toBe(false);
});

test("a bid that newer ones have pushed out of the list may be a slip while those are all from the last hour", () => {
  expect(ofAda(bid("bea", 1), bid("cleo", 59))).toBe(true);
  expect(ofAda(bid("bea", 1), bid("cleo", 61))).toBe(false);
});

test("neither a bid that doesn't count nor one in the last 12 hours is a slip", () => {
  expect(ofAda({ ...bid("ada", 1), counts: false }, bid("bea", 61))).toBe(false);
  expect(mayBeSlip({ bids: [bid("ada", 1)], endDate: now + 12 * 60 * minute }, "ada", now)).toBe(false);
});
