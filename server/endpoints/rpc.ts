import { ORPCError } from "@orpc/client";
import { SimpleCsrfProtectionHandlerPlugin } from "@orpc/server/plugins";
import { StandardRPCHandler } from "@orpc/server/standard";
import type { Context } from "hono";
import { z } from "zod";
import { httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import { router } from "#server/features/index.ts";
import { compressed, readsBrotli } from "#server/platform/compressed.ts";
import { isOfType } from "#server/platform/foreign-request.ts";
import type { Log } from "#server/platform/log.ts";
import { requests } from "#server/platform/request-context.ts";
import { span } from "#server/platform/tracing.ts";
import type { RequestContext } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** Bytes: the longest form is far shorter. Files have an endpoint of their own. */
const largestBody = 128 * 1024;
/** Bytes from which an answer is worth compressing. */
const worthCompressing = 1024;

/** Nothing stands in a bid's way but its own rules. */
const bidPath = "/rpc/auctions/bid";
const freeOfLimit = { kind: "allowed" } as const;

const plainPath = /^\/rpc(\/[a-zA-Z]+)+$/;

/** What an error's data says when it is worth trying again, in seconds. */
const retryAfter = z.object({ retryAfter: z.number() });

/** The library's own refusals of what can't be read, in our words. */
const translated: Record<string, ErrorCode> = {
  BAD_REQUEST: "invalid-argument",
  PAYLOAD_TOO_LARGE: "invalid-argument",
  CSRF_TOKEN_MISMATCH: "permission-denied",
};

const plain = (code: ErrorCode, status = httpStatus(code), data?: object) =>
  new ORPCError(code, { status, message: messageOf[code], defined: true, data });

const requestId = () => requests.getStore()?.requestId;

/** Its answer names the request, as its line of the log does: the person can quote that. */
function bug(error: unknown, log: Log): ORPCError<string, unknown> {
  log.error({ err: error }, "a procedure failed");
  return plain("internal", undefined, { requestId: requestId() });
}

/** What a procedure throws is an error with a code, an outage, or a bug: logged once, answered as `internal`. */
function thrown(error: unknown, log: Log): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  const outage = Refusal.ofOutage(error);
  if (outage === null) return bug(error, log);
  log.warn({ err: error }, "a procedure met an outage");
  return plain(outage.code, outage.status, { ...outage.data, requestId: requestId() });
}

/**
 * What goes out: only declared errors, and the library's own refusals in our words. Here, outside the procedure,
 * whatever has no code yet comes from a body that can't be read.
 */
function answerable(error: unknown, log: Log, refusals: Services["refusals"]) {
  if (!(error instanceof ORPCError)) return plain("invalid-argument");
  if (error.code === "CSRF_TOKEN_MISMATCH") refusals.warn("a call without its header was refused");
  const code = translated[error.code];
  if (code) return plain(code, error.status);
  return error.defined ? error : bug(error, log);
}

function refused(code: ErrorCode, status?: number, data?: object): Answer {
  const error = plain(code, status, data);
  return { status: error.status, body: { json: error.toJSON() } };
}

function refusedBy(error: ORPCError<string, unknown>, headers: Headers): Answer {
  sayWhen(error, headers);
  return { status: error.status, body: { json: error.toJSON() } };
}

/** When it is worth trying again, if the error says so. */
function sayWhen({ data }: ORPCError<string, unknown>, headers: Headers | undefined): void {
  const seconds = retryAfter.safeParse(data);
  if (seconds.success) headers?.set("retry-after", String(seconds.data.retryAfter));
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

type Answer = { status: number; body: unknown };

/** Long answers are compressed. `headers`: what a procedure adds; `always`: what every answer has. */
async function send(
  c: Context,
  { status, body }: Answer,
  headers: Headers,
  always: Record<string, string>,
): Promise<Response> {
  const text = JSON.stringify(body);
  for (const [name, value] of Object.entries(always)) headers.set(name, value);
  headers.set("x-request-id", c.get("requestId"));
  if (text.length < worthCompressing) return new Response(text, { status, headers });
  headers.set("vary", "accept-encoding");
  if (!readsBrotli(c)) return new Response(text, { status, headers });
  headers.set("content-encoding", "br");
  return new Response((await compressed(text)).brotli, { status, headers });
}

/**
 * The contract over HTTP: a POST with JSON to /rpc/{feature}/{procedure}. In place of oRPC's adapter for fetch, which
 * costs a hot bid more than a tenth (docs/adr/0022). `security`: headers that every answer has.
 */
export function createRpcHandler(services: Services, security: Record<string, string>) {
  const { log, refusals, limits, sessions } = services;
  const answerHeaders = { "content-type": "application/json", "cache-control": "no-store", ...security };
  const handler = new StandardRPCHandler(router, {
    plugins: [new SimpleCsrfProtectionHandlerPlugin()],
    clientInterceptors: [
      ({ next, path }) =>
        span(`procedure ${path.join(".")}`, {}, () => next()).catch((error: unknown) =>
          Promise.reject(thrown(error, log)),
        ),
    ],
    interceptors: [
      ({ next, context }) =>
        next().catch((error: unknown) => {
          const answered = answerable(error, log, refusals);
          sayWhen(answered, context.resHeaders);
          return Promise.reject(answered);
        }),
    ],
  });

  return async (c: Context, known: Pick<RequestContext, "address" | "userAgent">): Promise<Response> => {
    const resHeaders = new Headers();
    const answer = (what: Answer) => send(c, what, resHeaders, answerHeaders);
    const cookies = c.req.header("cookie") ?? null;
    const session = await sessions.checkAny(cookies).catch((error: unknown) => thrown(error, log));
    if (session instanceof ORPCError) return await answer(refusedBy(session, resHeaders));
    const context = { ...known, services, cookies, session };
    const isBid = c.req.path === bidPath;
    const allowance = isBid
      ? freeOfLimit
      : await limits.call(context.address, context.session?.userId ?? null);
    if (allowance.kind === "locked") {
      const { retryAfter: seconds } = allowance;
      resHeaders.set("retry-after", String(seconds));
      return await answer(refused("resource-exhausted", undefined, { retryAfter: seconds }));
    }
    if (c.req.method !== "POST") {
      resHeaders.set("allow", "POST");
      return await answer(refused("invalid-argument", 405));
    }
    if (!isOfType(c.req.raw, "application/json")) return await answer(refused("invalid-argument", 415));
    const request = {
      method: "POST",
      url: new URL(c.req.url),
      headers: { "x-csrf-token": c.req.header("x-csrf-token") },
      body: () => readJson(c),
      signal: undefined,
    };
    const { matched, response } = await handler.handle(request, {
      prefix: "/rpc",
      context: { ...context, resHeaders },
    });
    // Only the plain way to write it: each name once.
    if (matched && plainPath.test(request.url.pathname)) c.set("route", request.url.pathname);
    return await answer(response ?? refused("not-found"));
  };
}
