import type { ErrorCode } from "#domain/error-catalogue.ts";
import { Refusal } from "#server/refusal.ts";

/** `retryAfter` is in seconds. */
export type Lockout = { kind: "locked"; retryAfter: number };
export type Allowance = { kind: "allowed"; refund(): Promise<void> } | Lockout;
/**
 * Call `refund` when the attempt succeeded, and `cancel` when nothing was hashed; a fraction of a cancelled attempt
 * still counts against the address.
 */
export type HashingAllowance = (Allowance & { kind: "allowed"; cancel(): Promise<void> }) | Lockout;

/** The calls that are left of `limit`, until `reset` seconds from now. */
type Rate = { limit: number; remaining: number; reset: number };
/** `rate` is null when no limit counts this call. */
export type CallAllowance = ({ kind: "allowed" } | Lockout) & { rate: Rate | null };

/**
 * Writes the headers of the limit that will refuse next: of all that count a call, the one with the fewest calls left.
 */
export function stateRate(headers: Headers | undefined, rate: Rate | null): void {
  const stated = headers?.get("ratelimit-remaining") ?? null;
  if (headers === undefined || rate === null || (stated !== null && Number(stated) <= rate.remaining)) return;
  headers.set("ratelimit-limit", String(rate.limit));
  headers.set("ratelimit-remaining", String(rate.remaining));
  headers.set("ratelimit-reset", String(rate.reset));
}

/** Returns the allowance; refuses if the limit is reached. */
export function demandAllowance<Allowed extends { kind: "allowed" }>(
  allowance: Allowed | Lockout,
  code: ErrorCode = "resource-exhausted",
  message?: string,
): Allowed {
  if (allowance.kind === "allowed") return allowance;
  const { retryAfter } = allowance;
  throw new Refusal(code, { retryAfter, ...(message !== undefined && { message }) });
}

/** Runs some work, and refunds its allowance if it fails. */
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
