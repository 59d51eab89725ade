import type { ErrorCode } from "#domain/error-catalogue.ts";
import { Refusal } from "#server/refusal.ts";

/** `retryAfter` is in seconds. */
export type Locked = { kind: "locked"; retryAfter: number };
export type Allowance = { kind: "allowed"; refund(): Promise<void> } | Locked;
/** `refund`: the attempt succeeded. `cancel`: nothing was hashed; a fraction goes on counting against the address. */
export type HashingAllowance = (Allowance & { kind: "allowed"; cancel(): Promise<void> }) | Locked;

/** How many calls are left of `limit`, until so many seconds from now. */
type Rate = { limit: number; remaining: number; reset: number };
/** `rate` null: no limit counts this call. */
export type CallAllowance = ({ kind: "allowed" } | Locked) & { rate: Rate | null };

/** States the limit that will refuse next: of those that count a call, the one with the fewest left. */
export function stateRate(headers: Headers | undefined, rate: Rate | null): void {
  const stated = headers?.get("ratelimit-remaining") ?? null;
  if (headers === undefined || rate === null || (stated !== null && Number(stated) <= rate.remaining)) return;
  headers.set("ratelimit-limit", String(rate.limit));
  headers.set("ratelimit-remaining", String(rate.remaining));
  headers.set("ratelimit-reset", String(rate.reset));
}

/** The allowance, or a refusal if the limit is reached. */
export function demandAllowance<Allowed extends { kind: "allowed" }>(
  allowance: Allowed | Locked,
  code: ErrorCode = "resource-exhausted",
  message?: string,
): Allowed {
  if (allowance.kind === "allowed") return allowance;
  const { retryAfter } = allowance;
  throw new Refusal(code, { retryAfter, ...(message !== undefined && { message }) });
}

/** Does not count work that fails. */
export async function refundFailure<Result>(
  allowance: Extract<Allowance, { kind: "allowed" }> | null,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await allowance?.refund();
    throw error;
  }
}
