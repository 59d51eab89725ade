import { z } from "zod";
import { open } from "./base.ts";

/** A value of an input or an output. `name` is its path, such as `students[].id`; `note` holds further details. */
const field = z.object({ name: z.string(), type: z.string(), required: z.boolean(), note: z.string() });
export type ReferenceField = z.infer<typeof field>;

/** An operation of /api/v1 as /api/docs shows it, from the OpenAPI document. */
const operation = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  /** Markdown with only paragraphs and `code`. */
  description: z.string(),
  scope: z.string(),
  isPublic: z.boolean(),
  /** Inputs in the address, in its query, and in the body. */
  inputs: z.array(field.extend({ place: z.enum(["path", "query", "body"]) })),
  outputs: z.array(field),
  /** Bodies as JSON; null if there is none. */
  examples: z.object({ request: z.string().nullable(), answer: z.string().nullable() }),
  /** Codes by status, except those that every operation may return. */
  errors: z.array(z.object({ status: z.string(), codes: z.array(z.string()) })),
});
export type ReferenceOperation = z.infer<typeof operation>;

/** The part of /api/docs that comes from the document. `codes`: every error code with its meaning. */
const reference = z.object({
  baseUrl: z.string(),
  operations: z.array(operation),
  codes: z.array(
    z.object({ code: z.string(), anchor: z.string(), status: z.number().int(), meaning: z.string() }),
  ),
});
export type ApiReference = z.infer<typeof reference>;

/** The reference of the API for programs, which anyone may read. */
export const apiReference = {
  read: open.route({ method: "GET" }).output(reference),
};
