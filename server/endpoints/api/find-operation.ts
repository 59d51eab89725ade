import type { z } from "zod";
import { type Operation, operations } from "#contract/operations.ts";
import type { Interceptor } from "./admission.ts";
import { ApiRefusal } from "./problems.ts";

const keyOf = ({ input }: Operation): z.ZodType | undefined => input?.shape["idempotencyKey"];

/** Whether an operation takes its Idempotency-Key as part of its input, since it can place a bid. */
export const takesKey = (operation: Operation): boolean => keyOf(operation) !== undefined;

/** Whether an operation requires its key: a bid, which the auction itself recognises when it is sent again. */
export const needsKey = (operation: Operation): boolean =>
  keyOf(operation)?.safeParse(undefined).success === false;

export const operationById: ReadonlyMap<string, Operation> = new Map(
  operations.map((each) => [each.id, each]),
);

/** Returns the operation of a procedure that is called by /api/v1. */
export function operationAt(path: readonly string[]): Operation {
  const operation = operationById.get(path.join("."));
  if (operation === undefined) throw new Error(`${path.join(".")} is no operation`);
  return operation;
}

const isAt =
  (pathname: string) =>
  ({ path }: Operation): boolean =>
    new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`).test(pathname);

/** Refuses a path without an operation for the method. If it has other methods, the header Allow names them. */
export const refuseUnmatched: Interceptor = async ({ next, request: { url }, context }) => {
  const result = await next();
  if (result.matched) return result;
  const methods = new Set(operations.filter(isAt(url.pathname)).map(({ method }) => method));
  if (methods.size === 0) throw new ApiRefusal("not-found");
  if (methods.has("GET")) methods.add("HEAD");
  context.resHeaders.set("allow", [...methods].join(", "));
  throw new ApiRefusal("method-not-allowed");
};
