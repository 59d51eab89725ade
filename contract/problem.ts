import { z } from "zod";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { httpStatus } from "./errors.ts";

/** Refusals of /api/v1 before any procedure is called: status, title and message by code. */
const transport = {
  "invalid-api-key": {
    status: 401,
    title: "Invalid API key",
    detail: "This API key doesn't work. It may have expired or been revoked.",
  },
  "insufficient-scope": {
    status: 403,
    title: "Scope missing",
    detail: "This API key doesn't have the scope that this call needs.",
  },
  "foreign-request": {
    status: 403,
    title: "Request from another site",
    detail: "This request comes from another site.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    detail: "This address doesn't support this method.",
  },
  "not-acceptable": {
    status: 406,
    title: "Not acceptable",
    detail: "Responses are JSON. Please accept application/json.",
  },
  "idempotency-key-in-use": {
    status: 409,
    title: "First request still running",
    detail: "The first request with this Idempotency-Key is still running. Please try again shortly.",
  },
  "payload-too-large": { status: 413, title: "Body too long", detail: "The body is longer than 128 KB." },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    detail: "The body must be JSON, sent as application/json.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "Idempotency-Key used before",
    detail: "This Idempotency-Key was used for another request within the last 24 hours.",
  },
} as const;

const titles: Record<ErrorCode, string> = {
  "auth/user-not-found": "No such account",
  "auth/wrong-password": "Wrong password",
  "auth/invalid-email": "Invalid email address",
  "auth/user-disabled": "Account disabled",
  "auth/too-many-requests": "Too many attempts",
  "auth/network-request-failed": "Network error",
  "auth/email-already-in-use": "Email address in use",
  "auth/weak-password": "Weak password",
  "auth/requires-recent-login": "Recent login required",
  "auth/invalid-credential": "Invalid credentials",
  "auth/operation-not-allowed": "Operation not allowed",
  "auth/invalid-verification-code": "Invalid code",
  "auth/invalid-verification-id": "Verification no longer valid",
  "auth/invalid-action-code": "Invalid link",
  "permission-denied": "Permission denied",
  unavailable: "Service unavailable",
  "not-found": "Not found",
  "already-exists": "Already exists",
  cancelled: "Cancelled",
  "data-loss": "Data unreadable",
  "deadline-exceeded": "Took too long",
  "failed-precondition": "Changed in the meantime",
  internal: "Internal error",
  "invalid-argument": "Invalid input",
  "out-of-range": "Value out of range",
  "resource-exhausted": "Limit reached",
  unauthenticated: "Not logged in",
  "form/incomplete": "Incomplete or wrong input",
  "account/denied": "Agent account denied",
  "account/revoked": "Agent access revoked",
  "account/invalid-role": "Invalid role",
  "account/second-factor": "Code of two-step login missing",
  "account/passkey": "Passkey required",
  "account/second-factor-required": "Two-step login required",
  "account/mailbox-code": "Emailed code missing",
  "agent/unverified": "Agent's address not verified",
  "application/unconfirmed": "Not confirmed by the student",
  "account/unverified": "Email address not verified",
  "look/reason-required": "Reason required",
};
export type TransportCode = keyof typeof transport;
export type ProblemCode = ErrorCode | TransportCode;

const isTransport = (code: ProblemCode): code is TransportCode => Object.hasOwn(transport, code);

export const isProblemCode = (code: string): code is ProblemCode =>
  Object.hasOwn(transport, code) || Object.hasOwn(messageOf, code);
/** Returns the path on this site where a code is explained. */
export const problemAddress = (code: ProblemCode): string => `/api/docs#${code.replace("/", "-")}`;
export const problemStatus = (code: ProblemCode): number =>
  isTransport(code) ? transport[code].status : httpStatus(code);
export const problemTitle = (code: ProblemCode): string =>
  isTransport(code) ? transport[code].title : titles[code];
/** Returns the meaning of a code in a sentence; a response may be more exact. */
export const problemMeaning = (code: ProblemCode): string =>
  isTransport(code) ? transport[code].detail : messageOf[code];

/** The body of a failed response of /api/v1 (RFC 9457, application/problem+json). */
export const problem = z
  .object({
    type: z.string().meta({ description: "URL of the explanation of `code`." }),
    title: z
      .string()
      .meta({ description: "Short summary of `code`, the same for every failure with this code." }),
    status: z.number().int(),
    detail: z.string().meta({ description: "Explanation of this particular failure, for people." }),
    code: z.string().meta({ description: "Error code by which programs can tell failures apart." }),
    errors: z
      .array(z.object({ field: z.string(), detail: z.string() }).meta({ title: "FieldProblem" }))
      .optional()
      .meta({ description: "Fields of the input that were wrong, and what was wrong with each." }),
    requestId: z.string().meta({ description: "Id of the request. Quote it if you contact us." }),
    retryAfter: z
      .number()
      .optional()
      .meta({ description: "Number of seconds to wait before you try again." }),
    at: z.iso.datetime().optional().meta({ description: "Time at which the bid was decided on." }),
    least: z.number().int().optional().meta({ description: "Lowest amount that you can bid, in cents." }),
  })
  .meta({ title: "Problem" });
export type ProblemAnswer = z.infer<typeof problem>;
