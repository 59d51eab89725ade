import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auctionLimits, auctionStates } from "./auction.ts";
import { decideRemoval, type RemovalFacts, type Remover, removalReasonProblem } from "./auction-removal.ts";

const now = new Date("2026-11-21T12:00:00Z");
const seller: Remover = { isAdmin: false, isSeller: true };
const admin: Remover = { isAdmin: true, isSeller: false };
const sellingAdmin: Remover = { isAdmin: true, isSeller: true };
const other: Remover = { isAdmin: false, isSeller: false };
/** Builds an auction whose last 12 hours begin in `early` milliseconds. */
const auction = (changes: Partial<RemovalFacts> & { early?: number } = {}): RemovalFacts => {
  const { early = 1, ...rest } = changes;
  const endDate = new Date(now.getTime() + auctionLimits.lastHours + early);
  return { state: "open", endDate, bidCount: 0, ...rest };
};
const decide = (facts: RemovalFacts, who: Remover) => {
  const outcome = decideRemoval(facts, who, now);
  return outcome.kind === "removed" ? outcome.by : outcome.kind;
};

describe("an open auction", () => {
  test("can be removed by its seller until the last 12 hours, even with bids", () => {
    expect(decide(auction(), seller)).toBe("seller");
    expect(decide(auction({ bidCount: 3, early: 1 }), seller)).toBe("seller");
    expect(decide(auction({ bidCount: 3, early: 0 }), seller)).toBe("seller");
    expect(decide(auction({ bidCount: 3, early: -1 }), seller)).toBe("lastHours");
    expect(decide(auction({ bidCount: 0, early: -1 }), seller)).toBe("seller");
  });

  test("still counts as in its last hours when it is over but not settled", () => {
    const over = { early: -auctionLimits.lastHours - 60_000 };
    expect(decide(auction({ bidCount: 1, ...over }), seller)).toBe("lastHours");
    expect(decide(auction({ bidCount: 0, ...over }), seller)).toBe("seller");
  });

  test("can be removed by an admin at any time; an admin's own as its seller where a seller may", () => {
    expect(decide(auction({ bidCount: 3, early: -1 }), admin)).toBe("admin");
    expect(decide(auction({ bidCount: 3, early: -1 }), sellingAdmin)).toBe("admin");
    expect(decide(auction({ bidCount: 3 }), sellingAdmin)).toBe("seller");
  });
});

test("only an admin can remove a sold auction; a seller can remove an unsold one", () => {
  expect(decide(auction({ state: "sold", bidCount: 1 }), seller)).toBe("sold");
  expect(decide(auction({ state: "sold", bidCount: 1 }), admin)).toBe("admin");
  expect(decide(auction({ state: "unsold", bidCount: 1, early: -1 }), seller)).toBe("seller");
  expect(decide(auction({ state: "unsold" }), admin)).toBe("admin");
});

test("nobody else can remove a product, and a removed product can't be removed again", () => {
  const auctions = fc.record({
    state: fc.constantFrom(...auctionStates),
    bidCount: fc.nat(5),
    endDate: fc.date({ noInvalidDate: true }),
  });
  fc.assert(fc.property(auctions, (facts) => decide(facts, other) === "notFound"));
  const removers = fc.constantFrom(seller, admin, sellingAdmin, other);
  fc.assert(
    fc.property(
      auctions,
      removers,
      (facts, who) => decide({ ...facts, state: "removed" }, who) === "notFound",
    ),
  );
});

test("an admin's reason is required and has a maximum length", () => {
  expect(removalReasonProblem("  ")).toEqual({
    code: "form/incomplete",
    message: "Please give a reason.",
    field: "reason",
  });
  expect(removalReasonProblem(`  ${"x".repeat(auctionLimits.reason)} `)).toBeNull();
  expect(removalReasonProblem("x".repeat(auctionLimits.reason + 1))?.message).toContain("500");
});
