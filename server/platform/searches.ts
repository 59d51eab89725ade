import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { searchesAtOnce } from "./database.ts";
import { errorCode } from "./error-code.ts";

/** Searches that wait for their turn, from one address and from all. */
const mostWaiting = { ofAddress: 40, ofAll: 200 };
/** Searches a minute, from one address. */
const searchesAMinute = 120;

export type SearchRefusal = "tooMany" | "busy" | "tooLong";

/** A search that was not carried out, or was cut short. `retryAfter` is in seconds. */
export class SearchRefused extends Error {
  readonly reason: SearchRefusal;
  readonly retryAfter: number;

  constructor(reason: SearchRefusal, retryAfter = 1) {
    super(`a search was refused: ${reason}`);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

type Waiting = { address: string; start: () => void };

/**
 * Lets searches run a few at a time on a node, and one at a time for each address, so that what one address asks for
 * neither slows other searches down nor anything else.
 */
export class Searches {
  readonly #limiter = new RateLimiterMemory({ points: searchesAMinute, duration: 60 });
  readonly #running = new Set<string>();
  #waiting: Waiting[] = [];

  /** Rejects with `SearchRefused` when it can't be carried out. */
  async run<Found>(address: string, work: () => Promise<Found>): Promise<Found> {
    await this.#count(address);
    await this.#turn(address);
    try {
      return await work();
    } catch (error) {
      throw errorCode(error) === "57014" ? new SearchRefused("tooLong") : error;
    } finally {
      this.#running.delete(address);
      this.#next();
    }
  }

  async #count(address: string): Promise<void> {
    try {
      await this.#limiter.consume(address);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new SearchRefused("tooMany", Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
    }
  }

  async #turn(address: string): Promise<void> {
    const ofAddress = this.#waiting.filter((each) => each.address === address).length;
    if (ofAddress >= mostWaiting.ofAddress) throw new SearchRefused("tooMany");
    if (this.#waiting.length >= mostWaiting.ofAll) throw new SearchRefused("busy");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ address, start: resolve });
    this.#next();
    await promise;
  }

  /** Starts the first one that waits and whose address has no other one running. */
  #next(): void {
    if (this.#running.size >= searchesAtOnce) return;
    const next = this.#waiting.find(({ address }) => !this.#running.has(address));
    if (!next) return;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#running.add(next.address);
    next.start();
  }
}
