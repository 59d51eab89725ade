import { expect, test } from "vitest";
import { latestEndOf } from "#domain/auction-end.ts";
import { type BidForm, decideBid, newBidding } from "#domain/bid.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { endings, limits } from "./rule-examples.ts";

const at = (time: string) => new Date(`2026-11-21T${time}.000Z`);
const timeOf = (date: Date) => date.toISOString().slice(11, 19);
const end = at("20:00:00");
const start = newBidding({
  sellerId: "seller",
  startingBid: 15_000,
  endDate: end,
  latestEnd: latestEndOf({ endDate: end, softClose: true }),
});

type Act = { bidder: string; form?: BidForm; cents: Cents; time?: string };
/** Decides acts one after the other, and returns the product after each of them. */
function biddings(acts: readonly Act[]) {
  let bidding = start;
  return acts.map(({ bidder, form = "exact", cents, time = "12:00:00" }) => {
    const attempt = {
      bidderId: bidder,
      form,
      amount: { kind: "amount", cents },
      unverifiedLimit: null,
    } as const;
    const outcome = decideBid(bidding, attempt, at(time));
    if (outcome.kind !== "accepted") throw new Error(outcome.kind);
    bidding = outcome.bidding;
    return bidding;
  });
}

test("the example of limits shows the decided prices and leaders", () => {
  const acts: readonly Act[] = [
    { bidder: "Thandi", form: "upTo", cents: 50_000 },
    { bidder: "Sipho", cents: 20_000 },
    { bidder: "Sipho", form: "upTo", cents: 50_000 },
    { bidder: "Sipho", cents: 60_000 },
    { bidder: "Sipho", form: "upTo", cents: 90_000 },
  ];
  const results = biddings(acts).map(({ highestBid, highestBidderId }) => ({
    price: formatMoney(highestBid ?? 0),
    result: highestBidderId,
  }));
  expect(limits.map(({ price, result }) => ({ price, result }))).toEqual(results);
  for (const [row, { bidder, form, cents }] of acts.entries())
    expect(limits[row]?.act).toMatch(
      new RegExp(`${bidder} ${form ? `asks us to bid for \\w+ up to` : "bids"} ${formatMoney(cents)}`),
    );
});

test("the example of a late bid shows the decided ends, at most an hour beyond the planned end", () => {
  const acts: readonly Act[] = [
    { bidder: "Sipho", form: "upTo", cents: 50_000 },
    { bidder: "Thandi", cents: 20_000, time: "19:59:10" },
    { bidder: "Sipho", cents: 25_000, time: "20:00:50" },
    { bidder: "Thandi", cents: 30_000, time: "20:01:00" },
  ];
  const later = Array.from({ length: 30 }, (_, round) => ({
    bidder: round % 2 ? "Sipho" : "Thandi",
    cents: 60_000 + round * 100,
    time: timeOf(new Date(at("20:02:00").getTime() + round * 119_000)),
  }));
  const all = biddings([...acts, ...later]);
  const results = all.slice(0, acts.length).map(({ highestBid, endDate }) => ({
    price: formatMoney(highestBid ?? 0),
    result: timeOf(endDate),
  }));
  expect(endings.slice(0, acts.length).map(({ price, result }) => ({ price, result }))).toEqual(results);
  for (const [row, { bidder, cents, time }] of acts.entries()) {
    expect(endings[row]?.act).toContain(bidder);
    expect(endings[row]?.act).toContain(formatMoney(cents));
    if (time) expect(endings[row]?.act).toContain(time);
  }
  expect(endings.at(-1)?.act).toContain(timeOf(all.at(-1)?.endDate ?? end));
});
