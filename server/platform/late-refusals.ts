import { setTimeout } from "node:timers/promises";
import type { MiddlewareHandler } from "hono";

/** Milliseconds that a refusal waits on average; the waits differ, so that those of a burst don't end at once. */
const averageDelay = 2_500;
/** Refusals that wait at a time; each further one is sent at once. */
const most = 2_000;

const usualDelay = (): Promise<unknown> => setTimeout(2 * averageDelay * Math.random());

/**
 * Returns a handler that sends the refusals of those who ask too often (429) late. Whoever asks in a loop is refused
 * every few seconds per connection: thousands of quick refusals a second would slow everybody else down.
 */
export function lateRefusals(delay = usualDelay): MiddlewareHandler {
  let waiting = 0;
  return async (c, next) => {
    await next();
    if (c.res.status !== 429 || waiting >= most) return;
    waiting++;
    await delay();
    waiting--;
  };
}
