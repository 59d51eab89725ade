import { SmartCoercionPlugin } from "@orpc/json-schema";
import { StandardOpenAPIHandler } from "@orpc/openapi/standard";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import type { Context } from "hono";
import { router } from "#server/features/index.ts";
import { span } from "#server/platform/tracing.ts";
import type { Sender } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";
import { answerable, send, thrown } from "../json.ts";
import { type ApiContext, admission, requireScope } from "./admission.ts";
import { operationAt, operationById, refuseUnmatched } from "./find-operation.ts";
import { beginChange, endChange } from "./idempotency.ts";
import { linkNextPage } from "./next-page.ts";
import { announce, problemOf, refusalOf } from "./problems.ts";
import { readBody, requireJson } from "./request-body.ts";

const prefix = "/api/v1";

/**
 * Serves the procedures that have a route in the contract, at /api/v1 with plain JSON (docs/adr/0031). `security`:
 * headers of every response.
 */
export function createApiHandler(services: Services, security: Record<string, string>) {
  const { log, refusals, environment } = services;
  const handler = new StandardOpenAPIHandler<ApiContext>(router, {
    filter: ({ path }) => operationById.has(path.join(".")),
    // Runs before the interceptors, so it reads numbers and dates only from the URL. A body has its own types.
    plugins: [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })],
    customErrorResponseBodyEncoder: (error) => problemOf(error, environment.baseUrl),
    interceptors: [
      ({ next, context }) =>
        next().catch((error: unknown) => {
          const refusal = refusalOf(error) ?? answerable(thrown(error, log), { log, refusals });
          announce(refusal, context.resHeaders);
          throw refusal;
        }),
      admission(services),
      refuseUnmatched,
    ],
    clientInterceptors: [
      ({ next, path, context: { request } }) => {
        request.set("route", `${prefix}${operationAt(path).path}`);
        return next();
      },
      requireJson,
      requireScope(services),
      readBody,
      beginChange(services),
      linkNextPage,
      ({ next, path }) =>
        span(`procedure ${path.join(".")}`, {}, () => next()).catch((error: unknown) =>
          Promise.reject(thrown(error, log)),
        ),
    ],
  });
  const always = { "content-type": "application/json", "cache-control": "no-store", ...security };

  return async (c: Context, sender: Sender): Promise<Response> => {
    const url = new URL(c.req.url);
    const resHeaders = new Headers();
    const context: ApiContext = { ...sender, services, session: null, key: null, request: c, resHeaders };
    const isBelowPrefix = url.pathname.startsWith(`${prefix}/`);
    const { response } = await handler.handle(
      {
        method: c.req.method === "HEAD" ? "GET" : c.req.method,
        url,
        headers: {},
        // An interceptor reads the body once the scope is checked.
        body: async () => undefined,
        signal: undefined,
      },
      // Other paths below /api get `not-found`.
      { ...(isBelowPrefix && { prefix }), context },
    );
    if (response === undefined) throw new Error("the API has not answered");
    const body = JSON.stringify(response.body);
    const answer = await endChange(context, { status: response.status, body });
    if (answer.status >= 400) resHeaders.set("content-type", "application/problem+json");
    return await send(c, { status: answer.status, text: answer.body }, resHeaders, always);
  };
}
