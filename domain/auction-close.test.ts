import fc from "fast-check";
import { expect, test } from "vitest";
import { auctionStates } from "./auction.ts";
import { type Candidate, decideClose } from "./auction-close.ts";

const endDate = new Date("2026-11-21T18:00:00.000Z");
const after = (milliseconds: number) => new Date(endDate.getTime() + milliseconds);
const candidate = (bidderId: string, amount: number, isBound = true): Candidate => ({
  bidderId,
  amount,
  isBound,
});
const [ada, bea] = [candidate("ada", 30_000), candidate("bea", 20_000)];

test("one millisecond before its end an auction goes on, and at its end it is over", () => {
  const auction = { state: "open", endDate } as const;
  expect(decideClose(auction, [ada, bea], after(-1))).toEqual({ kind: "notYet" });
  expect(decideClose(auction, [ada, bea], after(0))).toEqual({
    kind: "sold",
    winnerId: "ada",
    winningBid: 30_000,
  });
  expect(decideClose(auction, [], after(0))).toEqual({ kind: "unsold" });
});

test("a bidder without an account does not win, and the price is the winner's own highest bid", () => {
  const auction = { state: "open", endDate } as const;
  const lost = candidate("zoe", 50_000, false);
  expect(decideClose(auction, [lost, bea], after(1))).toEqual({
    kind: "sold",
    winnerId: "bea",
    winningBid: 20_000,
  });
  expect(decideClose(auction, [lost, candidate("yan", 40_000, false)], after(1))).toEqual({ kind: "unsold" });
});

test("a closed auction stays as it is", () => {
  for (const state of auctionStates.filter((each) => each !== "open"))
    expect(decideClose({ state, endDate }, [ada], after(1))).toEqual({ kind: "closed" });
});

test("nobody with access ever bid more than the winner", () => {
  const candidates = fc
    .array(fc.record({ amount: fc.integer({ min: 100, max: 1e10 }), isBound: fc.boolean() }))
    .map((all) =>
      all
        .toSorted((one, other) => other.amount - one.amount)
        .map(({ amount, isBound }, at) => candidate(String(at), amount, isBound)),
    );
  fc.assert(
    fc.property(candidates, fc.integer({ min: -3, max: 3 }), (all, wait) => {
      const outcome = decideClose({ state: "open", endDate }, all, after(wait));
      const good = all.filter(({ isBound }) => isBound);
      if (wait < 0) return outcome.kind === "notYet";
      if (outcome.kind !== "sold") return good.length === 0;
      const { winnerId, winningBid } = outcome;
      const winner = good.find(({ bidderId }) => bidderId === winnerId);
      return winner?.amount === winningBid && good.every(({ amount }) => amount <= winningBid);
    }),
  );
});
