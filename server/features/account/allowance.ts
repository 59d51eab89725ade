import type { ErrorCode } from "#domain/error-catalogue.ts";
import type { Rate } from "#server/platform/rate-headers.ts";
import { Refusal } from "#server/refusal.ts";

/** `retryAfter` is in seconds. */
export type Lockout = { kind: "locked"; retryAfter: number };
export type Allowance = { kind: "allowed"; refund(): Promise<void> } | Lockout;
/**
 * Call `refund` when the attempt succeeded, and `cancel` when nothing was hashed; a fraction of a cancelled attempt
 * still counts against the address.
 */
export type HashingAllowance = (Allowance & { kind: "allowed"; cancel(): Promise<void> }) | Lockout;

/** `rate` is null when no limit counts this call. */
export type CallAllowance = ({ kind: "allowed" } | Lockout) & { rate: Rate | null };

/** Returns the allowance; refuses if the limit is reached. */
export function requireAllowance<Allowed extends { kind: "allowed" }>(
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
