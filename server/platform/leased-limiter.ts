import { LRUCache } from "lru-cache";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { memoize } from "./memoize.ts";

/** `shared`: points that all nodes had left when these were taken. */
type Lease = { left: number; until: number; shared: number };
/** The points that are left: `remaining` for the next `reset` milliseconds; infinitely many while the limiter fails. */
export type LimitState = { remaining: number; reset: number };

/** Keys that are kept in memory. Points that an evicted one had left are lost. */
const mostKeys = 10_000;
/** Milliseconds after which a limiter that failed is asked again. */
const pauseAfterFailure = 5_000;

/**
 * Counts in a limiter that all nodes share, several points at a time, so that most calls need no query. Never lets more
 * than the limit through; points that a node has taken and doesn't use are lost until the time is over. While the
 * limiter fails, all calls are let through: they fail by themselves if something is wrong.
 */
export class LeasedLimiter {
  readonly #limiter: Pick<RateLimiterAbstract, "consume">;
  readonly #size: number;
  readonly #leases = new LRUCache<string, Promise<Lease>>({ max: mostKeys });
  readonly #lease = memoize((key: string) => this.#take(key), this.#leases);

  /** `size`: points that are taken at a time, of which the limit is a multiple. */
  constructor(limiter: Pick<RateLimiterAbstract, "consume">, size: number) {
    this.#limiter = limiter;
    this.#size = size;
  }

  /** Counts one. Rejects with a RateLimiterRes once the limit is reached. */
  async consume(key: string): Promise<LimitState> {
    for (;;) {
      const pendingLease = this.#lease(key);
      const lease = await pendingLease;
      if (lease.left > 0 && lease.until > performance.now()) {
        lease.left -= 1;
        return { remaining: lease.shared + lease.left, reset: lease.until - performance.now() };
      }
      if (this.#leases.get(key) === pendingLease) this.#leases.delete(key);
    }
  }

  async #take(key: string): Promise<Lease> {
    try {
      const { msBeforeNext, remainingPoints } = await this.#limiter.consume(key, this.#size);
      return { left: this.#size, until: performance.now() + msBeforeNext, shared: remainingPoints };
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      const until = performance.now() + pauseAfterFailure;
      return { left: Number.POSITIVE_INFINITY, until, shared: 0 };
    }
  }
}
