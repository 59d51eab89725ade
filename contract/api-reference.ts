/** A value of an input or an answer. `name` is its path, such as `students[].id`; `note` holds further details. */
export type ReferenceField = { name: string; type: string; required: boolean; note: string };

/** An operation of /api/v1 as /api/docs shows it, from the OpenAPI document. */
export type ReferenceOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Markdown that has nothing but paragraphs and `code`. */
  description: string;
  scope: string;
  isPublic: boolean;
  /** Inputs in the address, in its query, and in the body. */
  inputs: readonly (ReferenceField & { place: "path" | "query" | "body" })[];
  outputs: readonly ReferenceField[];
  /** Bodies as JSON; null where there is none. */
  examples: { request: string | null; answer: string | null };
  /** Codes by status, but for those that every operation may answer. */
  errors: readonly { status: string; codes: readonly string[] }[];
};

/** All of /api/docs that comes from the document. `codes`: every code of an error, with what it means. */
export type ApiReference = {
  baseUrl: string;
  operations: readonly ReferenceOperation[];
  codes: readonly { code: string; anchor: string; status: number; meaning: string }[];
};
