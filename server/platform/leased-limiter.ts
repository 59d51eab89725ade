import { LRUCache } from "lru-cache";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { memoize } from "./memoize.ts";

/** `shared`: points that all nodes had left after this lease. */
type Lease = { left: number; until: number; shared: number };
/** The points that are left: `remaining` for the next `reset` milliseconds; infinitely many while the limiter fails. */
export type LimitState = { remaining: number; reset: number };

/** Keys that are kept in memory. The remaining points of an evicted key are lost. */
const mostKeys = 10_000;
/** Milliseconds after which a failed limiter is tried again. */
const pauseAfterFailure = 5_000;

/**
 * Counts in a limiter that all nodes share, by leases of several points, so that most calls need no query. Never lets
 * more than the limit through; points that a node leases and doesn't use are lost until the period ends. While the
 * limiter fails, all calls are let through: if the database is down, they fail anyway.
 */
export class LeasedLimiter {
  readonly #limiter: Pick<RateLimiterAbstract, "consume">;
  readonly #size: number;
  readonly #leases = new LRUCache<string, Promise<Lease>>({ max: mostKeys });
  readonly #lease = memoize((key: string) => this.#take(key), this.#leases);

  /** `size`: points of a lease, of which the limit is a multiple. */
  constructor(limiter: Pick<RateLimiterAbstract, "consume">, size: number) {
    this.#limiter = limiter;
    this.#size = size;
  }

  /** Counts one call. Rejects with a RateLimiterRes once the limit is reached. */
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
