import { z } from "zod";
import type { Operation } from "#contract/operations.ts";
import type { OperationInterceptor } from "./admission.ts";
import { operationAt } from "./find-operation.ts";

/** Inputs of lists that take the `next` of the previous page. */
const cursorNames = ["cursor", "before", "below"];

/** Returns the name of the input for a list's cursor; undefined for everything else. */
export const cursorNameOf = ({ method, input }: Operation): string | undefined =>
  method === "GET" && input !== null && "limit" in input.shape
    ? cursorNames.find((each) => each in input.shape)
    : undefined;

/** A page of a list that has a next one. */
const page = z.object({ next: z.union([z.string(), z.number()]) });

/** Sets the link to the next page. */
export const linkNextPage: OperationInterceptor = async ({
  next,
  path,
  context: { request, resHeaders },
}) => {
  const output = await next();
  const name = cursorNameOf(operationAt(path));
  const { data } = page.safeParse(output);
  if (name === undefined || data === undefined) return output;
  const { pathname, searchParams } = new URL(request.req.url);
  searchParams.set(name, String(data.next));
  resHeaders.set("link", `<${pathname}?${searchParams.toString()}>; rel="next"`);
  return output;
};
