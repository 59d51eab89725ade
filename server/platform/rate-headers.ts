/** The calls that are left of `limit`, until `reset` seconds from now. */
export type Rate = { limit: number; remaining: number; reset: number };

/**
 * Sets the headers of the limit that will refuse next: of the per-minute limits that count a call, the one with the
 * fewest calls left.
 */
export function setRateHeaders(headers: Headers | undefined, rate: Rate | null): void {
  const current = headers?.get("ratelimit-remaining") ?? null;
  if (headers === undefined || rate === null || (current !== null && Number(current) <= rate.remaining))
    return;
  headers.set("ratelimit-limit", String(rate.limit));
  headers.set("ratelimit-remaining", String(rate.remaining));
  headers.set("ratelimit-reset", String(rate.reset));
}
