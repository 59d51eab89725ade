import type { Cents } from "#domain/money.ts";
import type { Lot, Operation } from "./operation.ts";

/** The least bids as far as clients know; some are outdated by the time they send. */
export class Prices {
  readonly #least: Map<string, Cents>;
  /** Lots with an uncorrected slip, or the time before which calls may have met one. */
  readonly #hiddenUntil = new Map<string, number>();

  constructor(lots: readonly Lot[]) {
    this.#least = new Map(lots.map(({ id, startingBid }) => [id, startingBid]));
  }

  of({ id, startingBid }: Pick<Lot, "id" | "startingBid">): Cents {
    return this.#least.get(id) ?? startingBid;
  }

  learn({ productId, sentAt, answer }: Operation): void {
    if (sentAt < (this.#hiddenUntil.get(productId) ?? 0)) return;
    if (answer.kind === "accepted" || answer.kind === "tooLow") this.#least.set(productId, answer.least);
  }

  /** Keeps the price of a slip from the clients, who would otherwise all bid as much. */
  hide({ id }: Pick<Lot, "id">): void {
    this.#hiddenUntil.set(id, Number.POSITIVE_INFINITY);
  }

  isHidden({ id }: Pick<Lot, "id">): boolean {
    return this.#hiddenUntil.get(id) === Number.POSITIVE_INFINITY;
  }

  /** Lets clients learn again, first from the answer to the correction. */
  show({ id }: Pick<Lot, "id">, correction: Operation): void {
    this.#hiddenUntil.set(id, performance.now());
    this.learn({ ...correction, sentAt: performance.now() });
  }
}
