import { RateLimiterMemory } from "rate-limiter-flexible";

/** Seconds. */
const minute = 60;

/**
 * Creates the limit on users' raises of their own highest bids, which affect others only by their load. It is kept in
 * the node's memory: every bid checks it, and no bid may wait for a database counter.
 */
export function createRaiseLimit() {
  const raises = new RateLimiterMemory({ points: 60, duration: minute });
  return {
    count: async (userId: string, productId: string) => void (await raises.penalty(`${userId} ${productId}`)),
    /** Returns the seconds to wait after too many raises; otherwise 0. */
    async wait(userId: string, productId: string): Promise<number> {
      const counter = await raises.get(`${userId} ${productId}`);
      return counter && counter.remainingPoints <= 0 ? Math.ceil(counter.msBeforeNext / 1000) : 0;
    },
  };
}
