import type { HistoryRow } from "./bid-history.ts";
import type { Cents } from "./money.ts";

/** Kinds of rows that bid, and of rows after which no earlier bid of their bidder counts. */
const bidKinds: ReadonlySet<string> = new Set(["bid", "auto"]);
const withdrawalKinds: ReadonlySet<string> = new Set(["withdrawn", "voided"]);

/**
 * Follows the price of a history row by row. A row that withdraws or voids bids has the price without them: 0 if no
 * other bidder's bid counts, otherwise at least the starting bid and at most the former price. A later version may have
 * rows of other kinds, after which the price is unknown.
 */
export class HistoryPrices {
  readonly #startingBid: Cents;
  #least: Cents;
  /** The price; null if there is none or it is unknown. */
  #price: Cents | null = null;
  /** The tags of the bidders whose bids count. */
  readonly #bidders = new Set<string>();

  constructor(startingBid: Cents) {
    this.#startingBid = startingBid;
    this.#least = startingBid;
  }

  /** Adds a row, and returns whether its amount can follow the earlier rows. */
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
