import { z } from "zod";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { httpStatus } from "./errors.ts";

/** What /api/v1 refuses before any procedure is asked: status and sentence by code. */
const transport = {
  "invalid-api-key": {
    status: 401,
    title: "This API key doesn't work. It may have expired or been revoked.",
  },
  "insufficient-scope": { status: 403, title: "This API key doesn't have the scope that this call needs." },
  "foreign-request": { status: 403, title: "This request comes from another site." },
  "method-not-allowed": { status: 405, title: "This address doesn't take this method." },
  "not-acceptable": { status: 406, title: "Answers are JSON. Please accept application/json." },
  "idempotency-key-in-use": {
    status: 409,
    title: "The first request with this Idempotency-Key is still running. Please try again shortly.",
  },
  "payload-too-large": { status: 413, title: "The body is longer than 128 KB." },
  "unsupported-media-type": { status: 415, title: "The body must be JSON, sent as application/json." },
  "idempotency-key-reused": {
    status: 422,
    title: "This Idempotency-Key was used for another request within the last 24 hours.",
  },
} as const;
export type TransportCode = keyof typeof transport;
export type ProblemCode = ErrorCode | TransportCode;

const isTransport = (code: ProblemCode): code is TransportCode => Object.hasOwn(transport, code);

export const isProblemCode = (code: string): code is ProblemCode =>
  Object.hasOwn(transport, code) || Object.hasOwn(messageOf, code);
/** Where a code is explained, a path of ours. */
export const problemAddress = (code: ProblemCode): string => `/api/docs#${code.replace("/", "-")}`;
export const problemStatus = (code: ProblemCode): number =>
  isTransport(code) ? transport[code].status : httpStatus(code);
export const problemTitle = (code: ProblemCode): string =>
  isTransport(code) ? transport[code].title : messageOf[code];

/** How /api/v1 says that something failed (RFC 9457, application/problem+json). */
export const problem = z.object({
  type: z.string().meta({ description: "Where the code is explained." }),
  title: z.string().meta({ description: "What the code means." }),
  status: z.number().int(),
  detail: z.string().meta({ description: "What was wrong this time." }),
  code: z.string().meta({ description: "What programs tell failures apart by." }),
  errors: z
    .array(z.object({ field: z.string(), detail: z.string() }))
    .optional()
    .meta({ description: "What was wrong with which field of the input." }),
  requestId: z.string().meta({ description: "Quote it if you contact us." }),
  retryAfter: z.number().optional().meta({ description: "Seconds until it is worth trying again." }),
  at: z.iso.datetime().optional().meta({ description: "When a bid was decided on." }),
  least: z.number().int().optional().meta({ description: "The least bid, in cents." }),
});
export type ProblemAnswer = z.infer<typeof problem>;
