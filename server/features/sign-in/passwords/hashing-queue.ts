import { availableParallelism } from "node:os";
import { Limiter } from "#server/platform/limiter.ts";
import { Refusal } from "#server/refusal.ts";

/** One core stays free for all other work. */
const usualConcurrency = Math.max(1, availableParallelism() - 1);
/** Seconds after which a client should try again. */
const retryAfter = 5;

/** Tasks that may wait, per address and in all. Known browsers and strangers have this room each. */
const usualRoom = { ofAddress: 20, ofAll: 100 };

/** The address that hashing is queued for. `isKnown`: the person is logged in, or the account knows the browser. */
export type HashingTurn = { address: string; isKnown: boolean };

const busy = (whose: "own" | "all") =>
  new Refusal(whose === "own" ? "resource-exhausted" : "unavailable", {
    message: "Many people are logging in right now. Please try again in a few seconds.",
    retryAfter,
  });

/**
 * Bounds how many passwords are hashed at a time. Addresses take turns, and known browsers take every other turn while
 * strangers wait too: no number of strangers can close the login for people who have been here before.
 */
export class HashingQueue {
  readonly #addresses: Record<"known" | "strangers", Limiter>;
  readonly #kinds: Limiter;

  constructor({ concurrency = usualConcurrency, room = usualRoom } = {}) {
    const turnsOfAddresses = () =>
      new Limiter({
        running: concurrency,
        waiting: room.ofAll,
        ofKey: { waiting: room.ofAddress },
        refusal: busy,
      });
    this.#addresses = { known: turnsOfAddresses(), strangers: turnsOfAddresses() };
    this.#kinds = new Limiter({ running: concurrency, waiting: 2 * concurrency });
  }

  /** Does the work when its turn comes. Rejects with a refusal when too many wait. */
  run<Result>({ address, isKnown }: HashingTurn, work: () => Promise<Result>): Promise<Result> {
    const kind = isKnown ? "known" : "strangers";
    return this.#addresses[kind].run(address, () => this.#kinds.run(kind, work));
  }
}
