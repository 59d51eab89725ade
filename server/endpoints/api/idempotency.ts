import type { Context } from "hono";
import type { Operation } from "#contract/operations.ts";
import { isUuid } from "#domain/uuid.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import {
  beginIdempotent,
  hashOfRequest,
  type StoredAnswer,
} from "#server/features/repeated-calls/kept-answers.ts";
import type { Services } from "#server/services.ts";
import type { ApiContext, OperationInterceptor } from "./admission.ts";
import { needsKey, operationAt, takesKey } from "./find-operation.ts";
import { ApiRefusal, invalidInput } from "./problems.ts";

/** Returns the Idempotency-Key of a change, in quotes or without; null for none. A bid must have one. */
function idempotencyKey(c: Context, operation: Operation): string | null {
  const header = operation.method === "GET" ? undefined : c.req.header("idempotency-key");
  if (header === undefined && !needsKey(operation)) return null;
  const key = (header ?? "").trim().replaceAll(/^"|"$/g, "").toLowerCase();
  if (isUuid(key)) return key;
  throw invalidInput([
    { field: "Idempotency-Key", detail: "Please send a UUID, a new one for each change." },
  ]);
}

/** A change that was refused before it ran may be tried again. */
const isKept = ({ status }: StoredAnswer) => status < 500 && ![401, 403, 429].includes(status);

async function hashOf({ req }: Context): Promise<string> {
  const { pathname, search } = new URL(req.url);
  return hashOfRequest(req.method, pathname, search, await req.text());
}

/** Begins a change under its Idempotency-Key; the same request sent again gets the same answer. */
export const beginChange =
  ({ database, limits }: Services): OperationInterceptor =>
  async ({ next, ...options }) => {
    const { path, input, context } = options;
    const operation = operationAt(path);
    const key = idempotencyKey(context.request, operation);
    const keyed = takesKey(operation)
      ? { ...options, input: { ...Object(input), idempotencyKey: key ?? undefined } }
      : options;
    // The auction itself recognises a bid by its key.
    if (needsKey(operation) || key === null || context.session === null) return await next(keyed);
    const { userId } = context.session;
    const { refund } = requireAllowance(await limits.keptAnswer(userId));
    const begun = await beginIdempotent(database, { userId, key, request: await hashOf(context.request) });
    if (begun.kind !== "new") await refund();
    if (begun.kind === "otherRequest") throw new ApiRefusal("idempotency-key-reused");
    if (begun.kind === "running") throw new ApiRefusal("idempotency-key-in-use", begun);
    if (begun.kind === "answered") {
      context.repeated = begun.answer;
      return undefined;
    }
    context.keep = begun.end;
    return await next(keyed);
  };

/** Keeps the answer of a change for its key. Returns the answer that is sent. */
export async function endChange(context: ApiContext, answer: StoredAnswer): Promise<StoredAnswer> {
  const { repeated, keep, resHeaders, services } = context;
  if (repeated) {
    resHeaders.set("idempotency-replayed", "true");
    return repeated;
  }
  // The change has been made, so it is answered even if the answer can't be kept.
  await keep?.(isKept(answer) ? answer : null).catch((error: unknown) =>
    services.log.warn({ err: error }, "an answer could not be kept"),
  );
  return answer;
}
