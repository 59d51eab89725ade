import { setTimeout } from "node:timers/promises";
import type { MiddlewareHandler } from "hono";

/** Average delay of a refusal in milliseconds. The delays vary, so that those of a burst don't end together. */
const averageDelay = 2_500;
/** Most refusals that wait at the same time. Further ones are sent immediately. */
const mostWaiting = 2_000;

const usualDelay = (): Promise<unknown> => setTimeout(2 * averageDelay * Math.random());

/**
 * Returns a handler that delays refusals of too many requests (429). A client that loops is refused every few seconds
 * per connection; thousands of quick refusals a second would slow everyone else down.
 */
export function delayRefusals(delay = usualDelay): MiddlewareHandler {
  let waiting = 0;
  return async (c, next) => {
    await next();
    if (c.res.status !== 429 || waiting >= mostWaiting) return;
    waiting++;
    await delay();
    waiting--;
  };
}
