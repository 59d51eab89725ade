import type { StandardHandlerOptions } from "@orpc/server/standard";
import type { Context } from "hono";
import type { CallAllowance } from "#server/features/account/allowance.ts";
import type { KeyHolder } from "#server/features/api-keys/api-key-sessions.ts";
import type { StoredAnswer } from "#server/features/repeated-calls/kept-answers.ts";
import { setRateHeaders } from "#server/platform/rate-headers.ts";
import type { RequestContext } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";
import { isForeign } from "../foreign-request.ts";
import { operationAt } from "./find-operation.ts";
import { ApiRefusal } from "./problems.ts";

export type ApiContext = RequestContext & {
  request: Context;
  resHeaders: Headers;
  /** Null without an API key. */
  key: KeyHolder | null;
  /** Keeps the answer of a change that has an Idempotency-Key; null removes the key. */
  keep?: (answer: StoredAnswer | null) => Promise<void>;
  /** The answer to the first request with this Idempotency-Key. */
  repeated?: StoredAnswer;
};

/** Runs around the whole call, from before the operation is looked up. */
export type Interceptor = NonNullable<StandardHandlerOptions<ApiContext>["interceptors"]>[number];
/** Runs around the operation. */
export type OperationInterceptor = NonNullable<
  StandardHandlerOptions<ApiContext>["clientInterceptors"]
>[number];

/** Counts a call, and sets the headers that say how many are left. */
function count({ rate, ...allowance }: CallAllowance, headers: Headers) {
  setRateHeaders(headers, rate);
  if (allowance.kind === "locked") throw new ApiRefusal("resource-exhausted", allowance);
}

/** Counts the call and identifies the caller, by API key or else by session cookie. */
export function admission({
  limits,
  sessions,
  apiKeySessions,
  refusals,
  environment,
}: Services): Interceptor {
  async function authenticate(context: ApiContext): Promise<void> {
    const { request, cookies } = context;
    const authorization = request.req.header("authorization");
    if (authorization !== undefined) {
      context.key = await apiKeySessions.check(authorization);
      if (context.key === null) throw new ApiRefusal("invalid-api-key");
      context.session = context.key.session;
    } else if (cookies !== null && isForeign(request.req.raw, environment.baseUrl)) {
      refusals.warn("a request from another site was refused");
      throw new ApiRefusal("foreign-request");
    } else context.session = await sessions.checkAny(cookies);
  }

  return async ({ next, context }) => {
    const { address, resHeaders } = context;
    count(await limits.apiCall(address), resHeaders);
    await authenticate(context);
    const { session, key } = context;
    if (session) count(await limits.apiCallOfAccount(session.userId), resHeaders);
    if (key) count(await limits.apiCallOfKey(key.keyId), resHeaders);
    return await next();
  };
}

/** Refuses an operation beyond the key's scopes. The key may have been stolen, so the refusal is recorded. */
export const requireScope =
  ({ refusals }: Services): OperationInterceptor =>
  async ({ next, path, context: { key, address } }) => {
    const { id, scope } = operationAt(path);
    if (key === null || key.scopes.has(scope)) return await next();
    await refusals.record({
      action: "access-refused",
      actorId: key.session.userId,
      address,
      procedure: id,
      subjectId: null,
      things: [key.keyId],
    });
    throw new ApiRefusal("insufficient-scope", { scope });
  };
