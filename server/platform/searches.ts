import { Refusal } from "#server/refusal.ts";
import { searchConcurrency } from "./database.ts";
import { errorCode } from "./error-code.ts";
import { Limiter } from "./limiter.ts";
import { type Rate, setRateHeaders } from "./rate-headers.ts";

const tooMany = (retryAfter = 1) =>
  new Refusal("resource-exhausted", {
    message: "You've searched a lot in a short time. Please wait a moment and try again.",
    retryAfter,
  });
const busy = () =>
  new Refusal("unavailable", {
    message: "Search is busy right now. Please try again in a moment.",
    retryAfter: 1,
  });
const tookTooLong = () =>
  new Refusal("deadline-exceeded", {
    message: "This search took too long. Please try a longer word, or fewer of them.",
  });

/** Counts a search of an address; refuses if there were too many. `retryAfter` is in seconds. */
type Count = (
  address: string,
) => Promise<({ kind: "allowed" } | { kind: "locked"; retryAfter: number }) & { rate: Rate | null }>;

/** Runs a search when its turn comes, and resolves to its answer. */
export type QueueSearch = <Answer>(search: () => Promise<Answer>) => Promise<Answer>;

/**
 * Runs a few searches concurrently on a node, and one per address, so that one address slows down neither other
 * searches nor anything else.
 */
export class Searches {
  readonly #count: Count;
  readonly #turns = new Limiter({
    running: searchConcurrency,
    waiting: 200,
    ofKey: { running: 1, waiting: 40 },
    refusal: (whose) => (whose === "own" ? tooMany() : busy()),
  });

  constructor(count: Count) {
    this.#count = count;
  }

  /** Rejects with a refusal if the search can't run or was cut short. `headers` get the number of searches left. */
  async run<Answer>(address: string, work: () => Promise<Answer>, headers?: Headers): Promise<Answer> {
    const allowance = await this.#count(address);
    setRateHeaders(headers, allowance.rate);
    if (allowance.kind === "locked") throw tooMany(allowance.retryAfter);
    try {
      return await this.#turns.run(address, work);
    } catch (error) {
      throw errorCode(error) === "57014" ? tookTooLong() : error;
    }
  }
}
