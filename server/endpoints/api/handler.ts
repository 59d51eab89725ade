import { ORPCError } from "@orpc/client";
import { SmartCoercionPlugin } from "@orpc/json-schema";
import { StandardOpenAPIHandler } from "@orpc/openapi/standard";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import type { Context } from "hono";
import { z } from "zod";
import type { Operation } from "#contract/operations.ts";
import { isUuid } from "#domain/uuid.ts";
import { type CallAllowance, demandAllowance, stateRate } from "#server/features/account/allowance.ts";
import type { KeyHolder } from "#server/features/api-keys/api-key-sessions.ts";
import { router } from "#server/features/index.ts";
import { beginOnce, hashOfRequest } from "#server/features/repeated-calls/kept-answers.ts";
import { span } from "#server/platform/tracing.ts";
import type { RequestContext, Sender } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";
import { isForeign } from "../foreign-request.ts";
import { answerable, readText, send, thrown } from "../json.ts";
import { cursorNameOf, operationById, operationsAt } from "./find-operation.ts";
import { failure, invalidInput, problemOf, refusedInput, TransportError } from "./problems.ts";

const prefix = "/api/v1";
const problemType = "application/problem+json";

/** Whether an Accept header allows JSON. */
const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept
    .split(",")
    .some((range) =>
      /^\s*(application\/json|application\/\*|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range),
    );

/** The WWW-Authenticate header of a 401, by code (RFC 6750). */
const challenges: Record<string, string> = {
  "invalid-api-key": 'Bearer realm="Wayfare", error="invalid_token"',
};

/** Whether an answer is repeated for its Idempotency-Key: a change that was refused before it ran may be tried again. */
const isKept = (status: number) => status < 500 && ![401, 403, 429].includes(status);

type Answer = { status: number; text: string };

const hasOwnKey = ({ input }: Operation): boolean => input !== null && "idempotencyKey" in input.shape;

/** The Idempotency-Key of a change, in quotes or without; null for none. A bid must have one. */
function idempotencyKey(c: Context, operation: Operation): string | null {
  const written = operation.method === "GET" ? undefined : c.req.header("idempotency-key");
  if (written === undefined && !hasOwnKey(operation)) return null;
  const key = (written ?? "").trim().replaceAll(/^"|"$/g, "").toLowerCase();
  if (isUuid(key)) return key;
  throw invalidInput([
    { field: "Idempotency-Key", detail: "Please send a UUID, a new one for each change." },
  ]);
}

const requestOf = (c: Context, text: string): string => {
  const { pathname, search } = new URL(c.req.url);
  return hashOfRequest(c.req.method, pathname, search, text);
};

/** A page of a list that has another one after it. */
const page = z.object({ next: z.union([z.string(), z.number()]) });

function nextPage(operation: Operation, url: URL, body: unknown): string | null {
  const result = page.safeParse(body);
  const name = cursorNameOf(operation);
  if (!result.success || name === undefined) return null;
  const search = new URLSearchParams(url.search);
  search.set(name, String(result.data.next));
  return `<${url.pathname}?${search.toString()}>; rel="next"`;
}

/** `scopes`: of the key; null without one. */
type Caller = KeyHolder | { keyId: null; session: RequestContext["session"]; scopes: null };

const jsonObject = z.record(z.string(), z.unknown());

/** The fields of a body; none without one. */
function fieldsOf(text: string): Record<string, unknown> {
  try {
    return text === "" ? {} : jsonObject.parse(JSON.parse(text));
  } catch {
    throw invalidInput([{ field: "body", detail: "The body must be a JSON object." }]);
  }
}

/** The request's JSON as text; "" for none. */
async function bodyOf(c: Context): Promise<string> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return "";
  const text = await readText(c).catch((error: unknown) => {
    if (error instanceof ORPCError) throw new TransportError("payload-too-large");
    throw error;
  });
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (text !== "" && type !== "application/json") throw new TransportError("unsupported-media-type");
  return text;
}

/**
 * The procedures that have a route in the contract, at /api/v1 with plain JSON (docs/adr/0031). `security`: headers that
 * every answer has.
 */
export function createApiHandler(services: Services, security: Record<string, string>) {
  const { log, refusals, limits, sessions, apiKeySessions, environment, database } = services;
  const { baseUrl } = environment;
  const handlerWith = (plugins: SmartCoercionPlugin<RequestContext>[]) =>
    new StandardOpenAPIHandler(router, {
      filter: ({ path }) => operationById.has(path.join(".")),
      plugins,
      clientInterceptors: [
        ({ next, path }) =>
          span(`procedure ${path.join(".")}`, {}, () => next()).catch((error: unknown) =>
            Promise.reject(thrown(error, log)),
          ),
        async ({ next, path, context }) => {
          // The scope was checked for the operation that we found: the library must not find another one.
          if (context.operation !== path.join(".")) throw new Error("another operation than the one found");
          return await next();
        },
      ],
      interceptors: [
        ({ next }) =>
          next().catch((error: unknown) =>
            Promise.reject(refusedInput(error) ?? answerable(error, { log, refusals })),
          ),
      ],
    });
  // A query is text, from which numbers and dates are read. A body has numbers of its own: text isn't taken for one.
  const reads = handlerWith([
    new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] }),
  ]);
  const changes = handlerWith([]);

  /** Counts a call, and sets the headers that say how many are left. */
  function count({ rate, ...allowance }: CallAllowance, headers: Headers) {
    stateRate(headers, rate);
    if (allowance.kind === "locked") throw new TransportError("resource-exhausted", allowance);
  }

  /** The caller, by API key or else by session cookie. */
  async function authenticate(c: Context, cookies: string | null): Promise<Caller> {
    const authorization = c.req.header("authorization");
    if (authorization !== undefined) {
      const holder = await apiKeySessions.check(authorization);
      if (holder) return holder;
      throw new TransportError("invalid-api-key");
    }
    if (cookies !== null && isForeign(c.req.raw, baseUrl)) {
      refusals.warn("a request from another site was refused");
      throw new TransportError("foreign-request");
    }
    return { keyId: null, session: await sessions.checkAny(cookies), scopes: null };
  }

  async function admit(c: Context, { address, cookies }: Sender, headers: Headers): Promise<Caller> {
    count(await limits.apiCall(address), headers);
    const caller = await authenticate(c, cookies);
    if (caller.session) count(await limits.apiCallOfAccount(caller.session.userId), headers);
    if (caller.keyId !== null) count(await limits.apiCallOfKey(caller.keyId), headers);
    return caller;
  }

  /** A key that is used beyond its scopes may have been stolen, so that is recorded. */
  async function demandScope({ keyId, session, scopes }: Caller, { id, scope }: Operation, address: string) {
    if (scopes === null || scopes.has(scope)) return;
    await refusals.record({
      action: "access-refused",
      actorId: session?.userId ?? null,
      address,
      procedure: id,
      subjectId: null,
      things: keyId === null ? [] : [keyId],
    });
    throw new TransportError("insufficient-scope", { scope });
  }

  function find(c: Context, headers: Headers): Operation {
    const { pathname } = new URL(c.req.url);
    const methods = pathname.startsWith(`${prefix}/`) ? operationsAt(pathname.slice(prefix.length)) : null;
    if (methods === null) throw new TransportError("not-found");
    const operation = methods.get(c.req.method === "HEAD" ? "GET" : c.req.method);
    if (operation) return operation;
    headers.set("allow", [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : [])].join(", "));
    throw new TransportError("method-not-allowed");
  }

  async function handle(c: Context, context: Sender, headers: Headers): Promise<Answer> {
    const caller = await admit(c, context, headers);
    const { session } = caller;
    const operation = find(c, headers);
    c.set("route", `${prefix}${operation.path}`);
    if (!acceptsJson(c.req.header("accept"))) throw new TransportError("not-acceptable");
    await demandScope(caller, operation, context.address);
    const text = await bodyOf(c);
    const fields = fieldsOf(text);
    const run = () => answerOf(c, { ...context, session }, operation, fields, headers);
    const key = idempotencyKey(c, operation);
    // The auction itself recognises a bid by its key.
    if (key === null || session === null || hasOwnKey(operation)) return await run();
    return await runOnce({ userId: session.userId, key, request: requestOf(c, text) }, headers, run);
  }

  /** Runs a change once for its key; the same request sent again gets the same answer. */
  async function runOnce(
    call: Parameters<typeof beginOnce>[1],
    headers: Headers,
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    const { refund } = demandAllowance(await limits.keptAnswer(call.userId));
    const begun = await beginOnce(database, call);
    if (begun.kind !== "new") await refund();
    if (begun.kind === "otherRequest") throw new TransportError("idempotency-key-reused");
    if (begun.kind === "running") throw new TransportError("idempotency-key-in-use", begun);
    if (begun.kind === "answered") {
      const { status, body } = begun.answer;
      headers.set("idempotency-replayed", "true");
      if (status >= 400) headers.set("content-type", problemType);
      return { status, text: body };
    }
    const answer = await run().catch(async (error: unknown) => {
      await begun.end(null);
      throw error;
    });
    const kept = isKept(answer.status) ? { status: answer.status, body: answer.text } : null;
    // The change has been made, so it is answered all the same.
    await begun.end(kept).catch((error: unknown) => log.warn({ err: error }, "an answer could not be kept"));
    return answer;
  }

  async function answerOf(
    c: Context,
    context: Sender & Pick<Caller, "session">,
    operation: Operation,
    fields: Record<string, unknown>,
    headers: Headers,
  ): Promise<Answer> {
    const url = new URL(c.req.url);
    const handler = operation.method === "GET" ? reads : changes;
    const { response } = await handler.handle(
      {
        method: operation.method,
        url,
        headers: {},
        // Without a body the input is in the path, the query and the key alone.
        body: async () => ({
          ...fields,
          ...(hasOwnKey(operation) && { idempotencyKey: idempotencyKey(c, operation) }),
        }),
        signal: undefined,
      },
      { prefix, context: { ...context, services, operation: operation.id, resHeaders: headers } },
    );
    if (response === undefined) throw new TransportError("not-found");
    const { status, body } = response;
    if (status >= 400) return problem(c, failure.parse(body), headers);
    const next = nextPage(operation, url, body);
    if (next !== null) headers.set("link", next);
    return { status, text: JSON.stringify(body) };
  }

  function problem(c: Context, failed: z.infer<typeof failure>, headers: Headers) {
    const { retryAfter: seconds, ...body } = problemOf(failed, { baseUrl, requestId: c.get("requestId") });
    headers.set("content-type", problemType);
    if (seconds !== undefined) headers.set("retry-after", String(seconds));
    if (body.status === 401)
      headers.set("www-authenticate", challenges[body.code] ?? 'Bearer realm="Wayfare"');
    return { status: body.status, text: JSON.stringify({ ...body, retryAfter: seconds }) };
  }

  const always = { "content-type": "application/json", "cache-control": "no-store", ...security };

  return async (c: Context, context: Sender): Promise<Response> => {
    const headers = new Headers();
    try {
      return await send(c, await handle(c, context, headers), headers, always);
    } catch (error) {
      const { code, status, message, data } = thrown(error, log);
      return await send(c, problem(c, { code, status, message, data }, headers), headers, always);
    }
  };
}
