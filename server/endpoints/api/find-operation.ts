import { type Operation, operations } from "#contract/operations.ts";
import type { Interceptor } from "./admission.ts";
import { ApiRefusal } from "./problems.ts";

/** Whether an operation recognises a repeated request by itself, from its Idempotency-Key. */
export const hasOwnKey = ({ input }: Operation): boolean => input !== null && "idempotencyKey" in input.shape;

export const operationById: ReadonlyMap<string, Operation> = new Map(
  operations.map((each) => [each.id, each]),
);

/** The operation of a procedure that is called by /api/v1. */
export function operationAt(path: readonly string[]): Operation {
  const operation = operationById.get(path.join("."));
  if (operation === undefined) throw new Error(`${path.join(".")} is no operation`);
  return operation;
}

const isAt =
  (pathname: string) =>
  ({ path }: Operation): boolean =>
    new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`).test(pathname);

/** Refuses a path without an operation for the method. Where there are others, the header Allow names them. */
export const refuseUnmatched: Interceptor = async ({ next, request: { url }, context }) => {
  const result = await next();
  if (result.matched) return result;
  const methods = new Set(operations.filter(isAt(url.pathname)).map(({ method }) => method));
  if (methods.size === 0) throw new ApiRefusal("not-found");
  if (methods.has("GET")) methods.add("HEAD");
  context.resHeaders.set("allow", [...methods].join(", "));
  throw new ApiRefusal("method-not-allowed");
};
