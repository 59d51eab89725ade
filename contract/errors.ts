import { z } from "zod";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";

/** The HTTP status of every error that a procedure may declare. */
const statusOf: Record<ErrorCode, number> = {
  "auth/user-not-found": 404,
  "auth/wrong-password": 401,
  "auth/invalid-email": 422,
  "auth/user-disabled": 403,
  "auth/too-many-requests": 429,
  "auth/network-request-failed": 503,
  "auth/email-already-in-use": 409,
  "auth/weak-password": 422,
  "auth/requires-recent-login": 401,
  "auth/invalid-credential": 401,
  "auth/operation-not-allowed": 403,
  "auth/invalid-verification-code": 422,
  "auth/invalid-verification-id": 410,
  "auth/invalid-action-code": 410,
  "permission-denied": 403,
  unavailable: 503,
  "not-found": 404,
  "already-exists": 409,
  cancelled: 499,
  "data-loss": 500,
  "deadline-exceeded": 504,
  "failed-precondition": 409,
  internal: 500,
  "invalid-argument": 400,
  "out-of-range": 422,
  "resource-exhausted": 429,
  unauthenticated: 401,
  "form/incomplete": 422,
  "account/denied": 403,
  "account/revoked": 403,
  "account/invalid-role": 403,
  "account/second-factor": 401,
  "account/passkey": 401,
  "account/second-factor-required": 403,
  "account/mailbox-code": 403,
  "agent/unverified": 409,
  "account/unverified": 403,
  "application/unconfirmed": 409,
  "look/reason-required": 403,
};

/**
 * `field`: the input it is about. `retryAfter`: seconds until it is worth trying again. `at`: the database's time of
 * the decision. `least`: the least bid, in cents. `requestId`: the log's id of a request that failed on our side.
 * `student`: the one whose papers an admin must give a reason to open.
 */
const errorData = z
  .object({
    field: z.string().optional(),
    retryAfter: z.number().optional(),
    at: z.date().optional(),
    least: z.number().optional(),
    requestId: z.string().optional(),
    student: z.object({ id: z.string(), name: z.string() }).optional(),
  })
  .optional();

export type ErrorData = NonNullable<z.infer<typeof errorData>>;

const entry = (code: ErrorCode) => ({ status: statusOf[code], message: messageOf[code], data: errorData });

/** Declares errors by code, with status and the catalogue's message. A thrown error may have a more exact message. */
export function declared<const Codes extends readonly ErrorCode[]>(...codes: Codes) {
  return Object.fromEntries(codes.map((code) => [code, entry(code)])) as Record<
    Codes[number],
    ReturnType<typeof entry>
  >;
}

export const httpStatus = (code: ErrorCode): number => statusOf[code];
