import { ORPCError } from "@orpc/server";
import { type ErrorData, httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf, type Problem } from "#domain/error-catalogue.ts";
import { isDatabaseFailure } from "#server/platform/database-failure.ts";
import { isStoreFailure } from "#server/platform/store-failure.ts";

/**
 * Why something is not done, with a code of the catalogue. Thrown by commands and procedures; it is answered as it is if
 * the procedure's contract declares the code. One that is not declared is a bug: answered as `internal`, logged, and it
 * fails the test in which it happens (`tests/wayfare.ts`).
 */
export class Refusal extends ORPCError<ErrorCode, ErrorData> {
  override readonly name = "Refusal";

  constructor(
    code: ErrorCode,
    { message = messageOf[code], ...data }: { message?: string } & ErrorData = {},
  ) {
    super(code, { status: httpStatus(code), message, data });
  }

  /** What a check of the domain found wrong. */
  static of({ code, message, field }: Problem): Refusal {
    return new Refusal(code, { message, ...(field !== undefined && { field }) });
  }

  /** What failed only for now, since the database or the store of files is not there; null for a bug. */
  static ofOutage(error: unknown): Refusal | null {
    return isDatabaseFailure(error) || isStoreFailure(error)
      ? new Refusal("unavailable", { retryAfter: 5 })
      : null;
  }

  /** A conflict: it is no longer as it was when this was asked for. */
  static conflict(): Refusal {
    return new Refusal("failed-precondition");
  }
}
