import { ORPCError } from "@orpc/client";
import { SimpleCsrfProtectionHandlerPlugin } from "@orpc/server/plugins";
import { StandardRPCHandler } from "@orpc/server/standard";
import type { Context } from "hono";
import { z } from "zod";
import { httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { router } from "#server/features/index.ts";
import type { Log } from "#server/platform/log.ts";
import type { RequestContext } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";

/** Bytes: the longest form is far shorter. Files have an endpoint of their own. */
const largestBody = 128 * 1024;

/** What an error's data says when it is worth trying again, in seconds. */
const retryAfter = z.object({ retryAfter: z.number() });

/** The library's own refusals of what can't be read, in our words. */
const translated: Record<string, ErrorCode> = {
  BAD_REQUEST: "invalid-argument",
  PAYLOAD_TOO_LARGE: "invalid-argument",
  UNSUPPORTED_MEDIA_TYPE: "invalid-argument",
  CSRF_TOKEN_MISMATCH: "permission-denied",
  METHOD_NOT_SUPPORTED: "invalid-argument",
  NOT_FOUND: "not-found",
};

const plain = (code: ErrorCode) =>
  new ORPCError(code, { status: httpStatus(code), message: messageOf[code], defined: true });

function bug(error: unknown, log: Log): ORPCError<string, unknown> {
  log.error({ err: error }, "a procedure failed");
  return plain("internal");
}

/** What a procedure throws is an error with a code, or a bug: logged once, answered as `internal`. */
const thrown = (error: unknown, log: Log) => (error instanceof ORPCError ? error : bug(error, log));

/**
 * What goes out: only declared errors, and the library's own refusals in our words. Here, outside the procedure,
 * whatever has no code yet comes from a body that can't be read.
 */
function answerable(error: unknown, { log, refusals }: Pick<Services, "log" | "refusals">) {
  if (!(error instanceof ORPCError)) return plain("invalid-argument");
  if (error.code === "CSRF_TOKEN_MISMATCH") refusals.warn("a call without its header was refused");
  const code = translated[error.code];
  if (code) return plain(code);
  return error.defined ? error : bug(error, log);
}

/** The request's JSON; an empty body is no input. Refuses one that is too long before reading it. */
async function readJson(c: Context): Promise<unknown> {
  const announced = c.req.header("content-length");
  // Without a length a body could go on for ever; only a test that calls the app as a function has none.
  const isUnbounded = announced === undefined && c.req.header("transfer-encoding") !== undefined;
  if (isUnbounded || Number(announced ?? 0) > largestBody) throw new ORPCError("PAYLOAD_TOO_LARGE");
  const text = await c.req.text();
  if (text.length > largestBody) throw new ORPCError("PAYLOAD_TOO_LARGE");
  return text === "" ? undefined : JSON.parse(text);
}

/** `added`: what a procedure adds to what every answer has. */
function answer(
  status: number,
  body: unknown,
  added: Headers,
  answerHeaders: Record<string, string>,
): Response {
  const text = JSON.stringify(body);
  const addsNone = added.keys().next().done;
  if (addsNone) return new Response(text, { status, headers: answerHeaders });
  for (const [name, value] of Object.entries(answerHeaders)) added.set(name, value);
  return new Response(text, { status, headers: added });
}

/**
 * The contract over HTTP: a POST with JSON to /rpc/{feature}/{procedure}. In place of oRPC's adapter for fetch, which
 * wraps every body in streams of its own and takes longer over it than most procedures over their work. `security`:
 * headers that every answer has.
 */
export function createRpcHandler(
  services: Pick<Services, "log" | "refusals">,
  security: Record<string, string>,
) {
  const answerHeaders = { "content-type": "application/json", "cache-control": "no-store", ...security };
  const handler = new StandardRPCHandler(router, {
    plugins: [new SimpleCsrfProtectionHandlerPlugin()],
    clientInterceptors: [
      ({ next }) => next().catch((error: unknown) => Promise.reject(thrown(error, services.log))),
    ],
    interceptors: [
      ({ next, context }) =>
        next().catch((error: unknown) => {
          const answered = answerable(error, services);
          const seconds = retryAfter.safeParse(answered.data);
          if (seconds.success) context.resHeaders?.set("retry-after", String(seconds.data.retryAfter));
          return Promise.reject(answered);
        }),
    ],
  });

  return async (c: Context, context: Omit<RequestContext, "resHeaders">): Promise<Response> => {
    const resHeaders = new Headers();
    const request = {
      method: c.req.method,
      url: new URL(c.req.url),
      headers: { "x-csrf-token": c.req.header("x-csrf-token") },
      body: () => readJson(c),
      signal: undefined,
    };
    const { matched, response } = await handler.handle(request, {
      prefix: "/rpc",
      context: { ...context, resHeaders },
    });
    if (matched) return answer(response.status, response.body, resHeaders, answerHeaders);
    return answer(404, { json: plain("not-found").toJSON() }, resHeaders, answerHeaders);
  };
}
