import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auctionLimits, auctionStates } from "./auction.ts";
import { decideRemoval, type RemovalFacts, type Remover, removalReasonProblem } from "./auction-removal.ts";

const now = new Date("2026-11-21T12:00:00Z");
const seller: Remover = { isAdmin: false, isSeller: true };
const admin: Remover = { isAdmin: true, isSeller: false };
const sellingAdmin: Remover = { isAdmin: true, isSeller: true };
const other: Remover = { isAdmin: false, isSeller: false };
/** An auction that ends so many milliseconds after the last 12 hours begin. */
const auction = (changes: Partial<RemovalFacts> & { early?: number } = {}): RemovalFacts => {
  const { early = 1, ...rest } = changes;
  const endDate = new Date(now.getTime() + auctionLimits.lastHours + early);
  return { state: "open", endDate, bidCount: 0, ...rest };
};
const decide = (of: RemovalFacts, who: Remover) => {
  const outcome = decideRemoval(of, who, now);
  return outcome.kind === "removed" ? outcome.by : outcome.kind;
};

describe("an open one", () => {
  test("goes when its seller says so, with bids too, until the last 12 hours", () => {
    expect(decide(auction(), seller)).toBe("seller");
    expect(decide(auction({ bidCount: 3, early: 1 }), seller)).toBe("seller");
    expect(decide(auction({ bidCount: 3, early: 0 }), seller)).toBe("seller");
    expect(decide(auction({ bidCount: 3, early: -1 }), seller)).toBe("lastHours");
    expect(decide(auction({ bidCount: 0, early: -1 }), seller)).toBe("seller");
  });

  test("that is over and not settled is in its last hours still", () => {
    const over = { early: -auctionLimits.lastHours - 60_000 };
    expect(decide(auction({ bidCount: 1, ...over }), seller)).toBe("lastHours");
    expect(decide(auction({ bidCount: 0, ...over }), seller)).toBe("seller");
  });

  test("goes when an admin says so, at any time; an admin's own as a seller's where a seller may", () => {
    expect(decide(auction({ bidCount: 3, early: -1 }), admin)).toBe("admin");
    expect(decide(auction({ bidCount: 3, early: -1 }), sellingAdmin)).toBe("admin");
    expect(decide(auction({ bidCount: 3 }), sellingAdmin)).toBe("seller");
  });
});

test("a sold one stays, but for admins; an unsold one goes", () => {
  expect(decide(auction({ state: "sold", bidCount: 1 }), seller)).toBe("sold");
  expect(decide(auction({ state: "sold", bidCount: 1 }), admin)).toBe("admin");
  expect(decide(auction({ state: "unsold", bidCount: 1, early: -1 }), seller)).toBe("seller");
  expect(decide(auction({ state: "unsold" }), admin)).toBe("admin");
});

test("nobody else can remove a product, and nobody one that is removed already", () => {
  const anything = fc.record({
    state: fc.constantFrom(...auctionStates),
    bidCount: fc.nat(5),
    endDate: fc.date({ noInvalidDate: true }),
  });
  fc.assert(fc.property(anything, (of) => decide(of, other) === "notFound"));
  const anybody = fc.constantFrom(seller, admin, sellingAdmin, other);
  fc.assert(
    fc.property(anything, anybody, (of, who) => decide({ ...of, state: "removed" }, who) === "notFound"),
  );
});

test("an admin gives a reason that fits", () => {
  expect(removalReasonProblem("  ")).toEqual({
    code: "form/incomplete",
    message: "Please give a reason.",
    field: "reason",
  });
  expect(removalReasonProblem(`  ${"x".repeat(auctionLimits.reason)} `)).toBeNull();
  expect(removalReasonProblem("x".repeat(auctionLimits.reason + 1))?.message).toContain("500");
});
