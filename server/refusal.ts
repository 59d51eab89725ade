import { ORPCError } from "@orpc/server";
import { type ErrorData, httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf, type Problem } from "#domain/error-catalogue.ts";
import { errorCode, isDatabaseFailure } from "#server/platform/error-code.ts";

/** Codes of a disk that is full, broken or out of handles, and the store's own codes for any failure in it. */
const storeFailures: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EROFS",
  "EMFILE",
  "ENFILE",
  "E_CANNOT_WRITE_FILE",
  "E_CANNOT_READ_FILE",
  "E_CANNOT_CHECK_FILE_EXISTENCE",
  "E_CANNOT_GET_METADATA",
]);

/**
 * A refusal with a code of the catalogue, thrown by commands and procedures. It is sent unchanged if the procedure's
 * contract declares the code. An undeclared one is a bug: it is sent as `internal`, logged, and fails the test in which
 * it happens (`tests/support/wayfare.ts`).
 */
export class Refusal extends ORPCError<ErrorCode, ErrorData> {
  override readonly name = "Refusal";

  constructor(
    code: ErrorCode,
    { message = messageOf[code], ...data }: { message?: string } & ErrorData = {},
  ) {
    super(code, { status: httpStatus(code), message, data });
  }

  /** Returns the refusal for a problem that a check of the domain found. */
  static of({ code, message, field }: Problem): Refusal {
    return new Refusal(code, { message, ...(field !== undefined && { field }) });
  }

  /** Returns the refusal for an outage: the database or the store of files is unavailable or full. Null for a bug. */
  static ofOutage(error: unknown): Refusal | null {
    return isDatabaseFailure(error) || storeFailures.has(errorCode(error) ?? "")
      ? new Refusal("unavailable", { retryAfter: 5 })
      : null;
  }

  /** Returns the refusal of a conflict: the state is no longer the one that the caller acted on. */
  static conflict(): Refusal {
    return new Refusal("failed-precondition");
  }
}
