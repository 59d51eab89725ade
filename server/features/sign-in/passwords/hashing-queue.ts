import { availableParallelism } from "node:os";
import { Limiter } from "#server/platform/limiter.ts";
import { Refusal } from "#server/refusal.ts";

/** Leaves one core free for all other work. */
const defaultConcurrency = Math.max(1, availableParallelism() - 1);
/** Seconds after which a client should try again. */
const retryAfter = 5;

/** Number of tasks that may wait, per address and in total; separately for known browsers and strangers. */
const defaultRoom = { ofAddress: 20, ofAll: 100 };

/** The IP address that hashing is queued for. `isKnown` means a logged-in user or a browser known to the account. */
export type HashingSlot = { address: string; isKnown: boolean };

const busy = (whose: "own" | "all") =>
  new Refusal(whose === "own" ? "resource-exhausted" : "unavailable", {
    message: "Many people are logging in right now. Please try again in a few seconds.",
    retryAfter,
  });

/**
 * Limits how many passwords are hashed concurrently. Addresses take turns, and known browsers get every other turn
 * while strangers wait too, so that no number of strangers can block the login for known users.
 */
export class HashingQueue {
  readonly #addresses: Record<"known" | "strangers", Limiter>;
  readonly #kinds: Limiter;

  constructor({ concurrency = defaultConcurrency, room = defaultRoom } = {}) {
    const newAddressLimiter = () =>
      new Limiter({
        running: concurrency,
        waiting: room.ofAll,
        ofKey: { waiting: room.ofAddress },
        refusal: busy,
      });
    this.#addresses = { known: newAddressLimiter(), strangers: newAddressLimiter() };
    this.#kinds = new Limiter({ running: concurrency, waiting: 2 * concurrency });
  }

  /** Runs the work when its turn comes. Rejects with a refusal if too many wait. */
  run<Result>({ address, isKnown }: HashingSlot, work: () => Promise<Result>): Promise<Result> {
    const kind = isKnown ? "known" : "strangers";
    return this.#addresses[kind].run(address, () => this.#kinds.run(kind, work));
  }
}
