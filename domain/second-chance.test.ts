import { describe, expect, test } from "vitest";
import { decideBid, newBidding } from "./bid.ts";
import type { Cents } from "./money.ts";
import {
  decideOfferAnswer,
  decideSecondChance,
  type RunnerUp,
  type SecondChanceCase,
  secondChancePrice,
} from "./second-chance.ts";
import { belowFrom } from "./seeded-random.ts";

const day = 24 * 3_600_000;
const now = new Date(100 * day);
const person = (bidderId: string, rand: number, changes: Partial<RunnerUp> = {}): RunnerUp => ({
  bidderId,
  amount: rand * 100,
  counts: true,
  isReady: true,
  ...changes,
});
const fellThrough = (changes: Partial<SecondChanceCase> = {}): SecondChanceCase => ({
  sale: { state: "fellThrough", fault: "buyer" },
  closedAt: new Date(90 * day),
  startingBid: 10_000,
  formerBuyers: ["gone"],
  offered: [],
  hasOpenOffer: false,
  runnersUp: [person("gone", 611), person("sipho", 610), person("thabo", 419), person("zola", 300)],
  ...changes,
});
const refused = (why: string) => ({ kind: "refused", why });

describe("a second chance", () => {
  test("goes to the next bidder for the price without the vanished buyer", () =>
    expect(decideSecondChance(fellThrough(), now)).toEqual({
      kind: "offer",
      bidderId: "sipho",
      amount: 42_000,
    }));

  test("continues in order, without bidders who have had their offer", () => {
    expect(decideSecondChance(fellThrough({ offered: ["sipho"] }), now)).toEqual({
      kind: "offer",
      bidderId: "thabo",
      amount: 30_100,
    });
    expect(decideSecondChance(fellThrough({ offered: ["sipho", "thabo"] }), now)).toEqual({
      kind: "offer",
      bidderId: "zola",
      amount: 10_000,
    });
  });

  test("never costs more than the bidder's own highest public bid", () => {
    const runnersUp = [person("sipho", 420), person("thabo", 419.5)];
    expect(decideSecondChance(fellThrough({ runnersUp }), now)).toMatchObject({ amount: 42_000 });
  });

  test("skips bidders who opted out, are barred or are leaving, but counts their bids for the price", () => {
    const runnersUp = [person("sipho", 610, { isReady: false }), person("thabo", 419)];
    expect(decideSecondChance(fellThrough({ runnersUp }), now)).toEqual({
      kind: "offer",
      bidderId: "thabo",
      amount: 41_900,
    });
  });

  test("ignores bids that no longer count", () => {
    const runnersUp = [person("sipho", 610), person("thabo", 419, { counts: false })];
    expect(decideSecondChance(fellThrough({ runnersUp }), now)).toMatchObject({ amount: 10_000 });
  });

  test.each([
    ["notFellThrough", { sale: { state: "awaiting", fault: null } }],
    ["notFellThrough", { sale: { state: "fellThrough", fault: "seller" } }],
    ["notFellThrough", { sale: { state: "fellThrough", fault: null } }],
    ["tooLate", { closedAt: new Date(40 * day) }],
    ["alreadyOffered", { hasOpenOffer: true }],
    ["enough", { offered: ["sipho", "thabo", "zola"] }],
    ["nobody", { runnersUp: [person("gone", 611)] }],
    ["nobody", { runnersUp: [person("sipho", 610, { isReady: false })] }],
  ] satisfies [string, Partial<SecondChanceCase>][])("is refused as %s", (why, changes) =>
    expect(decideSecondChance(fellThrough(changes), now)).toEqual(refused(why)),
  );

  test("is offered until the last millisecond of 60 days", () =>
    expect(decideSecondChance(fellThrough({ closedAt: new Date(40 * day + 1) }), now).kind).toBe("offer"));
});

describe("the answer to an offer", () => {
  const offer = { state: "open", until: new Date(101 * day) } as const;
  const ready = { accept: true, isReady: true, isFree: true, now };
  test("is accepted until the offer ends", () => {
    expect(decideOfferAnswer(offer, ready)).toEqual({ kind: "accepted" });
    expect(decideOfferAnswer(offer, { ...ready, accept: false })).toEqual({ kind: "declined" });
    expect(decideOfferAnswer(offer, { ...ready, now: offer.until })).toEqual(refused("over"));
  });
  test.each(["accepted", "declined", "expired", "withdrawn"] as const)(
    "is refused once the offer is %s",
    (state) => expect(decideOfferAnswer({ ...offer, state }, ready)).toEqual(refused("over")),
  );
  test("is refused once the product is sold again, and may only be no while the bidder may not buy", () => {
    expect(decideOfferAnswer(offer, { ...ready, isFree: false })).toEqual(refused("over"));
    expect(decideOfferAnswer(offer, { ...ready, isReady: false })).toEqual(refused("notReady"));
    expect(decideOfferAnswer(offer, { ...ready, isReady: false, accept: false })).toEqual({
      kind: "declined",
    });
  });
});

const people = ["ada", "bea", "cleo", "dumi", "eve"] as const;
const startingBid: Cents = 10_000;

/** Returns the public bids of a random auction. */
function randomHistory(below: (bound: number) => number): { bidderId: string; amount: Cents }[] {
  let bidding = newBidding({ sellerId: null, startingBid, endDate: now, latestEnd: null });
  const rows: { bidderId: string; amount: Cents }[] = [];
  for (let step = below(12); step >= 0; step--) {
    const cents = (bidding.highestBid ?? startingBid) + below(140);
    const outcome = decideBid(
      bidding,
      {
        bidderId: people[below(people.length)] ?? "ada",
        form: below(2) === 0 ? "exact" : "upTo",
        amount: { kind: "amount", cents },
        unverifiedLimit: null,
      },
      new Date(0),
    );
    if (outcome.kind !== "accepted") continue;
    ({ bidding } = outcome);
    rows.push(...outcome.bids);
  }
  return rows;
}

/** Returns the price of a bidder, found by trying every cent from the starting bid on. */
function priceByTrying(own: Cents, others: readonly Cents[]): Cents {
  for (let price = startingBid; price < own; price++)
    if (others.every((each) => price >= each + 100)) return price;
  return others.length === 0 ? startingBid : own;
}

/** Returns the price of an auction in which every remaining bidder enters their highest public bid as a limit. */
function priceByAuction(own: RunnerUp, others: readonly RunnerUp[]): Cents | null {
  let bidding = newBidding({ sellerId: null, startingBid, endDate: now, latestEnd: null });
  for (const { bidderId, amount: cents } of [...others, own]) {
    const amount = { kind: "amount", cents } as const;
    const outcome = decideBid(
      bidding,
      { bidderId, form: "upTo", amount, unverifiedLimit: null },
      new Date(0),
    );
    if (outcome.kind === "accepted") ({ bidding } = outcome);
  }
  return bidding.highestBidderId === own.bidderId ? bidding.highestBid : null;
}

test("prices in 100,000 random histories are those of trying every price, and of an auction without the vanished ones", () => {
  const below = belowFrom(11);
  let offers = 0;
  let auctions = 0;
  for (let each = 0; each < 100_000; each++) {
    const rows = randomHistory(below);
    const highest = new Map<string, Cents>();
    const place = new Map<string, number>();
    for (const [at, { bidderId, amount }] of rows.entries()) {
      highest.set(bidderId, amount);
      place.set(bidderId, at);
    }
    const runnersUp = [...highest]
      .toSorted(
        ([one, first], [other, second]) => second - first || (place.get(other) ?? 0) - (place.get(one) ?? 0),
      )
      .map(([bidderId, amount]) =>
        person(bidderId, 0, { amount, isReady: below(5) > 0, counts: below(6) > 0 }),
      );
    const [buyer, second] = runnersUp.map(({ bidderId }) => bidderId);
    const formerBuyers = buyer === undefined ? [] : [buyer];
    const offered = second !== undefined && below(3) === 0 ? [second] : [];
    const outcome = decideSecondChance(fellThrough({ formerBuyers, offered, runnersUp, startingBid }), now);
    // Bidders remain if the history has rows of theirs once those of the excluded ones are removed.
    const excluded = new Set([
      ...formerBuyers,
      ...offered,
      ...runnersUp.filter(({ counts }) => !counts).map(({ bidderId }) => bidderId),
    ]);
    const rest = rows.filter(({ bidderId }) => !excluded.has(bidderId));
    const restIds = new Set(rest.map(({ bidderId }) => bidderId));
    const next = runnersUp.find(({ bidderId, isReady }) => isReady && restIds.has(bidderId));
    if (!next) {
      expect(outcome).toEqual(refused("nobody"));
      continue;
    }
    offers++;
    const maxOf = (id: string) =>
      Math.max(...rest.filter(({ bidderId }) => bidderId === id).map(({ amount }) => amount));
    const others = [...restIds].filter((id) => id !== next.bidderId).map(maxOf);
    const price = priceByTrying(maxOf(next.bidderId), others);
    if (outcome.kind !== "offer" || outcome.bidderId !== next.bidderId || outcome.amount !== price)
      throw new Error(
        `${JSON.stringify(outcome)} is not ${next.bidderId} at ${price}: ${JSON.stringify(rows)}`,
      );
    const remaining = runnersUp.filter(({ bidderId }) => restIds.has(bidderId) && bidderId !== next.bidderId);
    const cost = priceByAuction(next, remaining);
    if (cost === null) continue;
    auctions++;
    if (cost !== price) throw new Error(`the auction costs ${cost}, not ${price}: ${JSON.stringify(rows)}`);
  }
  expect(offers).toBeGreaterThan(40_000);
  expect(auctions).toBeGreaterThan(20_000);
});

test("a price is at most the bidder's own bid and never below the starting bid", () => {
  expect(secondChancePrice(50_000, [], 10_000)).toBe(10_000);
  expect(secondChancePrice(50_000, [49_950], 10_000)).toBe(50_000);
  expect(secondChancePrice(50_000, [20_000, 30_000], 10_000)).toBe(30_100);
});
