import { ORPCError } from "@orpc/client";
import type { Context } from "hono";
import { z } from "zod";
import { httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { compressed, readsBrotli } from "#server/platform/compressed.ts";
import type { Log } from "#server/platform/log.ts";
import { requests } from "#server/platform/tracing.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** Most bytes of a body; the longest form is far shorter. Files have their own endpoint. */
const largestBody = 128 * 1024;
/** Bytes from which an answer is worth compressing. */
const worthCompressing = 1024;

/** An error's data with the seconds after which to try again. */
const retryAfter = z.object({ retryAfter: z.number() });

/** Sets the header Retry-After, if the error has a time. */
export function setRetryAfter({ data }: ORPCError<string, unknown>, headers: Headers | undefined): void {
  const seconds = retryAfter.safeParse(data);
  if (seconds.success) headers?.set("retry-after", String(seconds.data.retryAfter));
}

/** Our codes for the library's own refusals. */
const translated: Record<string, ErrorCode> = {
  BAD_REQUEST: "invalid-argument",
  PAYLOAD_TOO_LARGE: "invalid-argument",
  CSRF_TOKEN_MISMATCH: "permission-denied",
};

export const plain = (code: ErrorCode, status = httpStatus(code), data?: object) =>
  new ORPCError(code, { status, message: messageOf[code], defined: true, data });

export const currentRequestId = () => requests.getStore()?.requestId;

/** Logs a bug, and answers with the request's id, which people can quote. */
function bug(error: unknown, log: Log): ORPCError<string, unknown> {
  log.error({ err: error }, "a procedure failed");
  return plain("internal", undefined, { requestId: currentRequestId() });
}

/**
 * Turns anything that a procedure throws into an answer: an error with a code, an outage, or a bug, which is logged
 * once and answered as `internal`.
 */
export function thrown(error: unknown, log: Log): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  const outage = Refusal.ofOutage(error);
  if (outage === null) return bug(error, log);
  log.warn({ err: error }, "a procedure met an outage");
  return plain(outage.code, outage.status, { ...outage.data, requestId: currentRequestId() });
}

/**
 * Returns the error that is sent: only declared errors, and the library's own refusals under our codes. Outside the
 * procedure an error without a code means that the body could not be read.
 */
export function answerable(error: unknown, { log, refusals }: Pick<Services, "log" | "refusals">) {
  if (!(error instanceof ORPCError)) return plain("invalid-argument");
  if (error.code === "CSRF_TOKEN_MISMATCH") refusals.warn("a call without its header was refused");
  const code = translated[error.code];
  if (code) return plain(code, error.status);
  return error.defined ? error : bug(error, log);
}

/** Returns the request's body as text. Refuses one that is too long before reading it. */
export async function readText(c: Context): Promise<string> {
  const announced = c.req.header("content-length");
  // Without a length a body could be endless. Only a test that calls the app as a function has none.
  const isUnbounded = announced === undefined && c.req.header("transfer-encoding") !== undefined;
  if (isUnbounded || Number(announced ?? 0) > largestBody) throw new ORPCError("PAYLOAD_TOO_LARGE");
  const text = await c.req.text();
  if (text.length > largestBody) throw new ORPCError("PAYLOAD_TOO_LARGE");
  return text;
}

/** Sends an answer, compressed if it is long. `headers`: those of this answer; `always`: those of every answer. */
export async function send(
  c: Context,
  { status, text }: { status: number; text: string },
  headers: Headers,
  always: Record<string, string>,
): Promise<Response> {
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value);
  headers.set("x-request-id", c.get("requestId"));
  if (text.length < worthCompressing) return new Response(text, { status, headers });
  headers.set("vary", "accept-encoding");
  if (!readsBrotli(c)) return new Response(text, { status, headers });
  headers.set("content-encoding", "br");
  return new Response((await compressed(text)).brotli, { status, headers });
}
