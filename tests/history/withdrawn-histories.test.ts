import { describe, expect, test } from "vitest";
import { type Bidding, type BidForm, decideBid, leastBid, newBidding, type PublicBid } from "#domain/bid.ts";
import { type AcceptedAttempt, decideWithdrawal, replay, withdraw } from "#domain/bid-withdrawal.ts";
import { randomFrom } from "#domain/seeded-random.ts";
import { checkHistory } from "./check-history.ts";
import type { History } from "./history.ts";
import type {
  Lot,
  Operation,
  OperationAnswer,
  RecordedBid,
  RecordedLimit,
  RecordedRemoval,
  Voiding,
} from "./operation.ts";

const day = 86_400_000;
const lot: Lot = { id: "desk", sellerId: "seller", startingBid: 15_000, endDate: day, latestEnd: day + 1 };
const people = ["ada", "bea", "cem", "dan"];

/** The mistakes that an auction house can make with bids that no longer count. */
type Mistakes = {
  /** Changes the bidding that results from the others' bids. */
  rest?: (right: Bidding, before: Bidding) => Bidding;
  /** Whether withdrawn bids go on counting in later withdrawals. */
  remembers?: boolean;
  /** Whether the intended bid is left out. */
  forgetsInstead?: boolean;
  /** Whether any bid can be withdrawn as a slip. */
  withdrawsAnything?: boolean;
};

/** Records the acts of an auction house on one lot, one after the other. */
class AuctionHouse {
  readonly history = {
    operations: [] as Operation[],
    bids: [] as RecordedBid[],
    limits: [] as RecordedLimit[],
    removals: [] as RecordedRemoval[],
    voidings: [] as Voiding[],
    lots: [lot],
  };
  readonly #mistakes: Mistakes;
  #attempts: AcceptedAttempt[] = [];
  #at = 1_000;
  #hasMovedEnd = false;
  bidding: Bidding;

  constructor(mistakes: Mistakes) {
    this.#mistakes = mistakes;
    const { endDate, latestEnd = 0, ...rest } = lot;
    this.bidding = newBidding({ ...rest, endDate: new Date(endDate), latestEnd: new Date(latestEnd) });
  }

  bid(bidderId: string, form: BidForm, cents: number): OperationAnswer {
    const at = this.#at++;
    const amount = { kind: "amount", cents } as const;
    const outcome = decideBid(this.bidding, { bidderId, form, amount, unverifiedLimit: null }, new Date(at));
    if (outcome.kind === "tooLow")
      return this.#called(at, { bidderId, form, amount: cents }, { kind: "tooLow", least: outcome.least });
    if (outcome.kind !== "accepted") throw new Error(`the house refuses: ${outcome.kind}`);
    const before = this.bidding.bidCount;
    const own = outcome.bids.findIndex((each) => each.bidderId === bidderId);
    const number = own < 0 ? before : before + own + 1;
    this.#store(outcome.bids, at, own);
    if (form === "upTo")
      this.history.limits.push({ productId: lot.id, number, bidderId, key: `${at}`, amount: cents, at });
    this.bidding = outcome.bidding;
    this.#attempts.push({ bidderId, form, amount: cents, at: new Date(at) });
    return this.#called(at, { bidderId, form, amount: cents }, this.#accepted(bidderId, number, cents, at));
  }

  /** Withdraws a bidder's bids in favour of the amount that they meant. */
  correct(bidderId: string, instead: number): OperationAnswer {
    const at = this.#at++;
    const own = this.#attempts.findLast((each) => each.bidderId === bidderId);
    const met = replay(lot, this.#attempts).met.get(bidderId);
    const outcome = decideWithdrawal(
      {
        mode: this.#mistakes.withdrawsAnything ? "law" : "mistake",
        bidding: this.bidding,
        own: own && met ? { ...own, met: met.price, before: met.bound } : null,
        instead,
        withdrawals: [],
      },
      new Date(at),
    );
    const bidRequest = { bidderId, form: "exact", amount: instead, replacesSlip: true } as const;
    if (outcome.kind !== "withdrawn") return this.#called(at, bidRequest, { kind: "stays" });
    const meant = this.#mistakes.forgetsInstead ? null : instead;
    const bids = this.#remove(bidderId, "withdrawn", at, meant, instead);
    const place = bids.findIndex((each) => each.kind === "bid");
    if (place < 0) return this.#called(at, bidRequest, { kind: "withdrawn" });
    const number = this.bidding.bidCount - bids.length + place + 1;
    this.#attempts.push({ bidderId, form: "exact", amount: instead, at: new Date(at) });
    return this.#called(at, bidRequest, this.#accepted(bidderId, number, instead, at));
  }

  /** Voids all bids of the person who made the bid with this number. */
  void(number: number): void {
    const at = this.#at++;
    const row = this.history.bids.find((each) => each.number === number);
    const isBid = row?.kind === "bid" || row?.kind === "auto";
    const counts = isBid && this.#attempts.some(({ bidderId }) => bidderId === row.bidderId);
    if (counts) this.#remove(row.bidderId, "voided", at, null, null);
    const answer = counts ? "voided" : "refused";
    this.history.voidings.push({ productId: lot.id, number, sentAt: at, answeredAt: at + 0.5, answer });
  }

  #remove(
    bidderId: string,
    kind: "withdrawn" | "voided",
    at: number,
    instead: number | null,
    intended: number | null,
  ): readonly PublicBid[] {
    const others = this.#attempts.filter((each) => each.bidderId !== bidderId);
    const right = replay(lot, others).bidding;
    const rest = this.#mistakes.rest?.(right, this.bidding) ?? right;
    const number = this.bidding.bidCount + 1;
    const { bids, bidding, movesEnd } = withdraw(
      {
        bidding: this.bidding,
        bidderId,
        kind,
        rest: { bidding: rest },
        instead,
        hasMovedEnd: this.#hasMovedEnd,
      },
      new Date(at),
    );
    this.#hasMovedEnd ||= movesEnd;
    this.history.removals.push({ productId: lot.id, number, bidderId, kind, intended, at });
    this.#store(
      bids,
      at,
      bids.findIndex((each) => each.kind === "bid"),
    );
    this.bidding = bidding;
    if (!this.#mistakes.remembers) this.#attempts = others;
    return bids;
  }

  #store(bids: readonly PublicBid[], at: number, own: number): void {
    for (const [place, bid] of bids.entries())
      this.history.bids.push({
        productId: lot.id,
        number: this.history.bids.length + 1,
        key: place === own ? `${at}` : null,
        at,
        ...bid,
      });
  }

  #accepted(bidderId: string, number: number, amount: number, at: number): OperationAnswer {
    const leading = this.bidding.highestBidderId === bidderId;
    return { kind: "accepted", number, amount, at, leading, least: leastBid(this.bidding) };
  }

  #called(
    at: number,
    bidRequest: Pick<Operation, "bidderId" | "form" | "amount" | "replacesSlip">,
    answer: OperationAnswer,
  ): OperationAnswer {
    const call = { ...bidRequest, productId: lot.id, key: `${at}`, sentAt: at, answeredAt: at + 0.5, answer };
    this.history.operations.push(call);
    return answer;
  }
}

/** Returns an auction house's history of 300 random bids, slips, corrections and, with `voids`, voidings. */
function historyOf(
  seed: number,
  mistakes: Mistakes = {},
  voids = true,
): typeof AuctionHouse.prototype.history {
  const random = randomFrom(seed);
  const below = (number: number) => Math.floor(random() * number);
  const house = new AuctionHouse(mistakes);
  for (let count = 0; count < 300; count++) {
    const who = people[below(people.length)] ?? "ada";
    const least = leastBid(house.bidding);
    const form: BidForm = below(2) === 0 ? "exact" : "upTo";
    const chance = below(20);
    if (chance === 0 && least < 1_000_000_000) {
      house.bid(who, form, least * 6);
      if (below(4) === 0) house.bid(people[below(4)] ?? "bea", "upTo", least * 7);
      house.correct(who, least + below(3) * 5_000);
    } else if (chance === 1 && voids) house.void(1 + below(house.bidding.bidCount + 1));
    else house.bid(who, form, least + ([-100, 0, 0, 100, 300, 1_000, 3_000][below(7)] ?? 0));
  }
  return house.history;
}

const seeds = Array.from({ length: 20 }, (_, at) => at + 1);
const violations = (history: History) => checkHistory(history).length;

test("histories with slips, corrections and voided bids keep the promise", () => {
  const kinds = new Set<string>();
  for (const seed of seeds) {
    const history = historyOf(seed);
    expect(checkHistory(history), `seed ${seed}`).toEqual([]);
    for (const { kind } of history.removals) kinds.add(kind);
    for (const { replacesSlip, answer } of history.operations) if (replacesSlip) kinds.add(answer.kind);
    for (const { answer } of history.voidings) kinds.add(answer);
  }
  expect(kinds).toEqual(new Set(["withdrawn", "voided", "accepted", "stays", "refused"]));
});

const mutants: Record<string, Mistakes> = {
  "keeps the price of withdrawn bids": {
    rest: (right, { highestBid, highestBidderId }) =>
      right.highestBid === null
        ? right
        : { ...right, highestBid: highestBid ?? right.highestBid, highestBidderId },
  },
  "drops the others' limits with a withdrawal": {
    rest: (right) => ({ ...right, leaderLimit: right.highestBid }),
  },
  "starts anew after a withdrawal": {
    rest: (right) => ({ ...right, highestBid: null, highestBidderId: null, leaderLimit: null }),
  },
  "lets withdrawn bids count in later withdrawals": { remembers: true },
  "forgets what was meant": { forgetsInstead: true },
  "withdraws any bid as a slip": { withdrawsAnything: true },
};

describe("the checker catches, in more than 10 of 20 histories, an implementation that", () => {
  test.each(Object.entries(mutants))("%s", (_, mistakes) => {
    expect(seeds.filter((seed) => violations(historyOf(seed, mistakes)) > 0).length).toBeGreaterThan(10);
  });
});

describe("in each history the checker finds", () => {
  const changed = (change: (history: ReturnType<typeof historyOf>) => History) => {
    for (const seed of seeds) expect(violations(change(historyOf(seed))), `seed ${seed}`).toBeGreaterThan(0);
  };
  test("bids that nobody withdrew", () =>
    changed((history) => ({
      ...history,
      operations: history.operations.filter(({ replacesSlip }) => !replacesSlip),
    })));
  test("bids that no admin voided", () => changed((history) => ({ ...history, voidings: [] })));
  test("a voiding that was answered but isn't stored", () =>
    changed((history) => ({
      ...history,
      voidings: [...history.voidings, ...history.voidings.filter(({ answer }) => answer === "voided")],
    })));
  test("a withdrawal that was answered but isn't stored", () =>
    changed((history) => ({
      ...history,
      operations: [
        ...history.operations,
        {
          bidderId: "ada",
          productId: lot.id,
          key: "lost",
          form: "exact",
          amount: 15_001,
          replacesSlip: true,
          sentAt: 2_000,
          answeredAt: 2_001,
          answer: { kind: "withdrawn" },
        },
      ],
    })));
});

test("a correction or a voiding without an answer may have been carried out or not", () => {
  for (const seed of seeds) {
    const { operations, voidings, ...rest } = historyOf(seed);
    const unknown = { kind: "unknown", why: "the connection broke" } as const;
    const lost = {
      ...rest,
      operations: operations.map((each) => (each.replacesSlip ? { ...each, answer: unknown } : each)),
      voidings: voidings.map((each) => ({ ...each, answer: "unknown" as const })),
    };
    expect(checkHistory(lost, { faults: true })).toEqual([]);
  }
});
