import { ORPCError } from "@orpc/client";
import { traverseContractProcedures } from "@orpc/server";
import { SimpleCsrfProtectionHandlerPlugin } from "@orpc/server/plugins";
import { StandardRPCHandler } from "@orpc/server/standard";
import type { Context } from "hono";
import type { Access } from "#contract/base.ts";
import { contract } from "#contract/index.ts";
import { router } from "#server/features/index.ts";
import { span } from "#server/platform/tracing.ts";
import type { Sender } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";
import { isOfType } from "./foreign-request.ts";
import { answerable, plain, readText, send, setRetryAfter, thrown } from "./json.ts";

/** Addresses of the procedures whose calls the contract exempts from the limit on calls. */
const uncounted = new Set<string>();
traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
  const { limit }: Access = procedure["~orpc"].meta;
  if (limit === "ownOnly") uncounted.add(`/rpc/${path.join("/")}`);
});

const plainPath = /^\/rpc(\/[a-zA-Z]+)+$/;

/** Returns the request's JSON; an empty body is no input. */
async function readJson(c: Context): Promise<unknown> {
  const text = await readText(c);
  return text === "" ? undefined : JSON.parse(text);
}

/**
 * Serves the contract over HTTP: a POST with JSON to /rpc/{feature}/{procedure}. Replaces oRPC's adapter for fetch,
 * which costs a hot bid more than a tenth (docs/adr/0022). Every answer has the server's time in milliseconds since
 * 1970. `security`: headers of every response.
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
          const answer = answerable(error, { log, refusals });
          setRetryAfter(answer, context.resHeaders);
          return Promise.reject(answer);
        }),
    ],
  });

  return async (c: Context, sender: Sender): Promise<Response> => {
    const resHeaders = new Headers();
    const answer = (status: number, body: unknown) => {
      resHeaders.set("x-server-time", String(Date.now()));
      return send(c, { status, text: JSON.stringify(body) }, resHeaders, answerHeaders);
    };
    const refuse = (error: ORPCError<string, unknown>) => {
      setRetryAfter(error, resHeaders);
      return answer(error.status, { json: error.toJSON() });
    };
    const session = await sessions.checkAny(sender.cookies).catch((error: unknown) => thrown(error, log));
    if (session instanceof ORPCError) return await refuse(session);
    const context = { ...sender, services, session };
    if (!uncounted.has(c.req.path)) {
      const allowance = await limits.call(context.address, session?.userId ?? null);
      if (allowance.kind === "locked")
        return await refuse(plain("resource-exhausted", undefined, { retryAfter: allowance.retryAfter }));
    }
    if (c.req.method !== "POST") {
      resHeaders.set("allow", "POST");
      return await refuse(plain("invalid-argument", 405));
    }
    if (!isOfType(c.req.raw, "application/json")) return await refuse(plain("invalid-argument", 415));
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
    // Only in the plain spelling, so that each route has one name.
    if (matched && plainPath.test(request.url.pathname)) c.set("route", request.url.pathname);
    return response ? await answer(response.status, response.body) : await refuse(plain("not-found"));
  };
}
