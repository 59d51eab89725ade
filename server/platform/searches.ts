import { Refusal } from "#server/refusal.ts";
import { searchConcurrency } from "./database.ts";
import { errorCode } from "./error-code.ts";

/** Searches that wait for their turn, from one address and from all. */
const mostWaiting = { ofAddress: 40, ofAll: 200 };
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

/** Counts a search of an address; refuses when there were too many. `retryAfter` is in seconds. */
type Count = (address: string) => Promise<{ kind: "allowed" } | { kind: "locked"; retryAfter: number }>;
type Waiting = { address: string; start: () => void };

/**
 * Lets searches run a few at a time on a node, and one at a time for each address, so that what one address asks for
 * neither slows other searches down nor anything else.
 */
export class Searches {
  readonly #count: Count;
  readonly #running = new Set<string>();
  #waiting: Waiting[] = [];

  constructor(count: Count) {
    this.#count = count;
  }

  /** Rejects with a refusal when it can't be carried out, or was cut short. */
  async run<Found>(address: string, work: () => Promise<Found>): Promise<Found> {
    const counted = await this.#count(address);
    if (counted.kind === "locked") throw tooMany(counted.retryAfter);
    await this.#turn(address);
    try {
      return await work();
    } catch (error) {
      throw errorCode(error) === "57014" ? tookTooLong() : error;
    } finally {
      this.#running.delete(address);
      this.#next();
    }
  }

  async #turn(address: string): Promise<void> {
    const ofAddress = this.#waiting.filter((each) => each.address === address).length;
    if (ofAddress >= mostWaiting.ofAddress) throw tooMany();
    if (this.#waiting.length >= mostWaiting.ofAll) throw busy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ address, start: resolve });
    this.#next();
    await promise;
  }

  /** Starts the first one that waits and whose address has no other one running. */
  #next(): void {
    if (this.#running.size >= searchConcurrency) return;
    const next = this.#waiting.find(({ address }) => !this.#running.has(address));
    if (!next) return;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#running.add(next.address);
    next.start();
  }
}
