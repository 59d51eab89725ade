import { ORPCError } from "@orpc/client";
import type { Context } from "hono";
import { z } from "zod";
import { readText } from "../json.ts";
import type { OperationInterceptor } from "./admission.ts";
import { ApiRefusal, invalidInput } from "./problems.ts";

const jsonObject = z.record(z.string(), z.unknown());

const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept
    .split(",")
    .some((range) =>
      /^\s*(application\/json|application\/\*|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range),
    );

/** Refuses a caller that does not accept JSON. */
export const requireJson: OperationInterceptor = async ({ next, context: { request } }) => {
  if (acceptsJson(request.req.header("accept"))) return await next();
  throw new ApiRefusal("not-acceptable");
};

/** Returns the fields of a body, none for an empty one. */
function fieldsOf(text: string): Record<string, unknown> {
  try {
    return text === "" ? {} : jsonObject.parse(JSON.parse(text));
  } catch {
    throw invalidInput([{ field: "body", detail: "The body must be a JSON object." }]);
  }
}

/** Returns the request's JSON as text; "" for none. */
async function textOf(c: Context): Promise<string> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return "";
  const text = await readText(c).catch((error: unknown) => {
    if (error instanceof ORPCError) throw new ApiRefusal("payload-too-large");
    throw error;
  });
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (text !== "" && type !== "application/json") throw new ApiRefusal("unsupported-media-type");
  return text;
}

/** Adds the fields of the body to the input, which has those of the URL. */
export const readBody: OperationInterceptor = async ({ next, input, ...options }) => {
  const fields = fieldsOf(await textOf(options.context.request));
  return await next({ ...options, input: { ...fields, ...Object(input) } });
};
