import { randomUUID } from "node:crypto";
import { minIncrement } from "#domain/bid.ts";
import { highestAmount } from "#domain/money.ts";
import { randomFrom } from "#domain/seeded-random.ts";
import { type Bidder, type BidRequest, sendBid } from "./bidder.ts";
import type { Lot, Operation } from "./operation.ts";
import { Prices } from "./prices.ts";
import { RareActs, type RarePlan, rareActs } from "./rare-acts.ts";

type Plan = {
  urls: readonly string[];
  /** The clients; each waits for an answer before going on. */
  bidders: readonly Bidder[];
  lots: readonly Lot[];
  /** Equal seeds make equal choices. */
  seed: number;
  /** Whether to continue; called before each call with the number of calls so far. */
  goOn(calls: number): boolean;
  onAnswer?(operation: Operation): void;
  /** Slips and voided bids beside the others; without it there are none. */
  rare?: RarePlan;
};

/**
 * Sends bids of many concurrent clients: at, above and below the least bid, invalid and too high amounts, for their own
 * products, the same bid again, also while it is pending, and keys reused for another amount or form. Half of them are
 * limits. With a plan for it, some are slips that are corrected, and an admin voids some.
 */
export async function bidAtRandom({
  urls,
  bidders,
  lots,
  seed,
  goOn,
  onAnswer,
  rare: plan,
}: Plan): Promise<Operation[]> {
  const operations: Operation[] = [];
  const random = randomFrom(seed);
  const prices = new Prices(lots);
  let calls = 0;
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  };

  function nextRequest(last: BidRequest | null): BidRequest {
    const lot = oneOf(lots);
    const form = random() < 0.5 ? "upTo" : "exact";
    const bidRequest: BidRequest = { productId: lot.id, key: randomUUID(), form, amount: prices.of(lot) };
    const least = prices.of(lot);
    const chance = random();
    if (chance < 0.02) return { ...bidRequest, amount: null };
    if (chance < 0.04) return { ...bidRequest, amount: highestAmount + 1 };
    if (chance < 0.14) return { ...bidRequest, amount: Math.max(1, least - 1 - Math.floor(random() * 300)) };
    if (chance < 0.22 && last) return last;
    if (chance < 0.25 && last) return { ...last, amount: (last.amount ?? minIncrement) + 1 };
    if (chance < 0.27 && last) return { ...last, form: last.form === "upTo" ? "exact" : "upTo" };
    const steps =
      form === "upTo" ? [-minIncrement, 0, 150, 500, 1_000, 5_000] : [0, 0, 0, 1, 50, minIncrement, 500];
    return { ...bidRequest, amount: least + oneOf(steps) };
  }

  const rare = plan ? new RareActs(plan, { lots, prices, url: () => oneOf(urls), oneOf, send }) : null;

  async function send(bidder: Bidder, bidRequest: BidRequest, by = sendBid): Promise<Operation> {
    calls++;
    const operation = await by(oneOf(urls), bidder, bidRequest);
    operations.push(operation);
    prices.learn(operation);
    rare?.note(operation);
    onAnswer?.(operation);
    // A server that is down refuses immediately: without a pause the client would record a thousand calls.
    if (operation.answer.kind === "unknown") await new Promise((resolve) => setTimeout(resolve, 100));
    return operation;
  }

  async function client(bidder: Bidder): Promise<void> {
    let last: BidRequest | null = null;
    while (goOn(calls)) {
      if (rare && random() < 1 / rareActs.slip) await rare.slip(bidder);
      if (rare && random() < 1 / rareActs.voiding) await rare.void();
      const bidRequest: BidRequest = nextRequest(last);
      const twice = random() < 0.03;
      await Promise.all((twice ? [bidRequest, bidRequest] : [bidRequest]).map((each) => send(bidder, each)));
      last = bidRequest;
    }
  }

  await Promise.all(bidders.map(client));
  return operations;
}
