import { randomUUID } from "node:crypto";
import { type BidForm, bidForms, minIncrement } from "#domain/bid.ts";
import { slipRules } from "#domain/bid-withdrawal.ts";
import { type Cents, highestAmount } from "#domain/money.ts";
import { type Bidder, type BidRequest, sendBid, sendCorrection, sendVoiding } from "./bidder.ts";
import type { Lot, Operation, Voiding } from "./operation.ts";
import type { Prices } from "./prices.ts";

/** How rare these acts are among a client's acts: one in this many. */
export const rareActs = { slip: 200, voiding: 1_000 } as const;
/** Number of withdrawals that the rules allow one person. */
const maxWithdrawals = 3;
/** Milliseconds that an auction must still be open for a slip, with time for the run. */
const minTimeLeft = slipRules.beforeEnd + 3_600_000;

export type RarePlan = {
  /** The admin who voids the bids. */
  admin: Bidder;
  /** People who make the slips once the others have used up their withdrawals. */
  newcomers: readonly Bidder[];
  onVoiding(voiding: Voiding): void;
};
type Tools = {
  lots: readonly Lot[];
  prices: Prices;
  url(): string;
  oneOf<Item>(items: readonly Item[]): Item;
  /** Sends a bid, or the bid in place of a slip, and records it. */
  send(bidder: Bidder, bidRequest: BidRequest, by: typeof sendBid): Promise<Operation>;
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Makes slips and corrects them, and has bids voided. */
export class RareActs {
  readonly #plan: RarePlan;
  readonly #tools: Tools;
  readonly #newcomers: readonly Bidder[];
  readonly #withdrawals = new Map<string, number>();
  /** The highest amount that each bidder meant on a lot, by both ids: the bid in place of a slip can't be lower. */
  readonly #agreed = new Map<string, Cents>();
  #latest: Pick<Voiding, "productId" | "number"> | null = null;

  constructor(plan: RarePlan, tools: Tools) {
    [this.#plan, this.#tools] = [plan, tools];
    this.#newcomers = plan.newcomers;
  }

  note({ bidderId, productId, amount, answer }: Operation): void {
    if (answer.kind === "accepted") this.#latest = { productId, number: answer.number };
    if (answer.kind !== "accepted" && answer.kind !== "unknown") return;
    const key = `${bidderId} ${productId}`;
    this.#agreed.set(key, Math.max(amount ?? 0, this.#agreed.get(key) ?? 0));
  }

  async void(): Promise<void> {
    const { url } = this.#tools;
    if (this.#latest) this.#plan.onVoiding(await sendVoiding(url(), this.#plan.admin, this.#latest));
  }

  /** Makes and corrects a slip: as this bidder, or as a newcomer once this one has used up their withdrawals. */
  async slip(bidder: Bidder): Promise<void> {
    const { prices, oneOf } = this.#tools;
    const who = [bidder, ...this.#newcomers].find((each) => this.#mayWithdraw(each));
    const lots = who ? this.#lotsFor(who) : [];
    if (!who || lots.length === 0) return;
    this.#withdrawals.set(who.id, (this.#withdrawals.get(who.id) ?? 0) + 1);
    const lot = oneOf(lots);
    prices.hide(lot);
    prices.show(lot, await this.#slipOn(lot, who));
  }

  /** Makes a slip and corrects it. Returns the last answer. */
  async #slipOn(lot: Lot, who: Bidder): Promise<Operation> {
    const { prices, oneOf, send } = this.#tools;
    const least = prices.of(lot);
    const give = (amount: Cents, form: BidForm, by: typeof sendBid) => {
      const bidRequest = { productId: lot.id, key: randomUUID(), form, amount };
      return untilAnswered(() => send(who, bidRequest, by));
    };
    // A newcomer also makes an ordinary bid first.
    if (this.#newcomers.includes(who)) await give(least, "exact", sendBid);
    const key = `${who.id} ${lot.id}`;
    const agreed = Math.max(this.#agreed.get(key) ?? 0, lot.startingBid);
    const slip = await give(least * (slipRules.times + 1), oneOf(bidForms), sendBid);
    if (slip.answer.kind !== "accepted") return slip;
    const meant = Math.max(agreed, least + oneOf([-minIncrement, 0, 500, 5_000]));
    const correction = await give(meant, "exact", sendCorrection);
    this.#agreed.set(key, meant);
    return correction;
  }

  /** Lists the lots on which this bidder can make a slip, without those whose price is nearly the highest amount. */
  #lotsFor({ id }: Bidder): Lot[] {
    const { lots, prices } = this.#tools;
    return lots.filter(
      (lot) =>
        lot.sellerId !== id &&
        lot.endDate - Date.now() > minTimeLeft &&
        !prices.isHidden(lot) &&
        prices.of(lot) < highestAmount / 100,
    );
  }

  #mayWithdraw({ id }: Bidder): boolean {
    return (this.#withdrawals.get(id) ?? 0) < maxWithdrawals;
  }
}

/** Repeats a call under its key while its result is unknown, for a minute. */
async function untilAnswered(send: () => Promise<Operation>): Promise<Operation> {
  for (let tries = 0; ; tries++) {
    const operation = await send();
    if (operation.answer.kind !== "unknown" || tries === 600) return operation;
    await pause(100);
  }
}
