import { auctionTexts } from "#domain/auction.ts";
import { bidTexts } from "#domain/bid.ts";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";

/** What a code says of a bid. `known`: its own words say it best. `amount`: those too, beside the field. */
type Meaning = "known" | "amount" | "gone";
const meanings: Readonly<Record<string, Meaning>> = {
  "not-found": "gone",
  "invalid-argument": "amount",
  "out-of-range": "amount",
  "account/unverified": "amount",
  "failed-precondition": "known",
  "permission-denied": "known",
  "already-exists": "known",
  unauthenticated: "known",
  "resource-exhausted": "known",
  "auth/network-request-failed": "known",
};

/** Whether it is too much for somebody whose email address isn't verified yet. The error modal shows no code for it. */
export const isForVerified = (error: unknown): boolean => hasCode(error, "account/unverified");

const codeOf = (error: unknown): string | null =>
  isForVerified(error) ? "account/unverified" : friendlyError(error).code;

/** Failures after which a bid may have been taken all the same. */
const openEnds = new Set<string | null>(["auth/network-request-failed", "unavailable", "internal", null]);

/** Whether the server has decided on the bid. */
export const isAnswered = (error: unknown): boolean => !openEnds.has(codeOf(error));

/** The error to show for whatever stopped a bid, with its code where it has one. */
export function bidNotPlaced(error: unknown): Error {
  const { message } = friendlyError(error);
  const code = codeOf(error);
  const meaning = meanings[code ?? ""];
  const words = { known: message, amount: message, gone: auctionTexts.notFound };
  return Object.assign(new Error(meaning ? words[meaning] : bidTexts.failed), {
    ...(code !== null && { code }),
    ...(meaning === "amount" && { field: "amount" }),
  });
}

/**
 * The idempotency keys of intended bids, by their amount as it was typed: a retry after a failure that leaves open
 * whether the bid was taken goes out under the key of the first try, and so never bids twice.
 */
export class BidKeys {
  readonly #open = new Map<string, string>();
  readonly #make: () => string;

  constructor(make: () => string) {
    this.#make = make;
  }

  of(amount: string): string {
    const key = this.#open.get(amount) ?? this.#make();
    this.#open.set(amount, key);
    return key;
  }
  /** Whether it is open what became of a bid of this amount. */
  isOpen(amount: string): boolean {
    return this.#open.has(amount);
  }
  /** The server has answered: the same amount is a new bid from now on. */
  answered(amount: string): void {
    this.#open.delete(amount);
  }
}
