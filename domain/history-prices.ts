import type { HistoryRow } from "./bid-history.ts";
import type { Cents } from "./money.ts";

/** Kinds of rows that bid, and of rows by which all bids of their person no longer count. */
const bidKinds: ReadonlySet<string> = new Set(["bid", "auto"]);
const withdrawalKinds: ReadonlySet<string> = new Set(["withdrawn", "voided"]);

/**
 * The price of a history, row by row. A row that withdraws or voids bids says the price without them: 0 if nobody else's
 * bid stands, otherwise at least the starting bid, and never more than the price was. A later version may have rows of
 * other kinds, after which the price is unknown.
 */
export class HistoryPrices {
  readonly #startingBid: Cents;
  #least: Cents;
  /** The price; null while there is none, or while it is unknown. */
  #price: Cents | null = null;
  /** The tags of those whose bids stand. */
  readonly #bidders = new Set<string>();

  constructor(startingBid: Cents) {
    this.#startingBid = startingBid;
    this.#least = startingBid;
  }

  /** Adds a row; returns whether its amount can follow what stands before it. */
  add({ kind, tag, amount }: Pick<HistoryRow, "kind" | "tag" | "amount">): boolean {
    if (bidKinds.has(kind)) {
      if (amount < this.#least) return false;
      this.#bidders.add(tag);
      this.#set(amount);
      return true;
    }
    if (!withdrawalKinds.has(kind)) {
      this.#price = null;
      this.#least = 0;
      return true;
    }
    if (!this.#bidders.delete(tag)) return false;
    if (this.#bidders.size === 0) {
      this.#set(null);
      return amount === 0;
    }
    if (amount < this.#startingBid || (this.#price !== null && amount > this.#price)) return false;
    this.#set(amount);
    return true;
  }

  #set(price: Cents | null): void {
    this.#price = price;
    this.#least = price ?? this.#startingBid;
  }
}
