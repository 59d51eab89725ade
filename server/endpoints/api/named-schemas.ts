import { isDeepStrictEqual } from "node:util";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type NamedSchemas = Record<string, unknown>;

/**
 * Moves every titled object of a part of the document to `schemas`, and refers to it there, so that a generated client
 * has a type of that name. Throws if two different schemas have one title.
 */
export function nameSchemas(node: unknown, schemas: NamedSchemas): unknown {
  if (Array.isArray(node)) return node.map((each) => nameSchemas(each, schemas));
  if (!isObject(node)) return node;
  const { title, ...schema } = Object.fromEntries(
    Object.entries(node).map(([key, each]) => [key, nameSchemas(each, schemas)]),
  );
  if (typeof title !== "string") return title === undefined ? schema : { title, ...schema };
  if (title in schemas && !isDeepStrictEqual(schemas[title], schema))
    throw new Error(`two schemas of the API are called ${title}`);
  schemas[title] = schema;
  return { $ref: refTo(title) };
}

const prefix = "#/components/schemas/";
const refTo = (name: string): string => prefix + name;

/** Replaces every reference in a part of the document by the schema. */
export function inlineSchemas(node: unknown, schemas: NamedSchemas): unknown {
  if (Array.isArray(node)) return node.map((each) => inlineSchemas(each, schemas));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(resolved(node, schemas)).map(([key, each]) => [key, inlineSchemas(each, schemas)]),
  );
}

/** Returns the schema itself, even for a reference to it. */
export function resolved(schema: unknown, schemas: NamedSchemas): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const { $ref, ...own } = schema;
  if (typeof $ref !== "string") return own;
  const target = schemas[$ref.slice(prefix.length)];
  return { ...(isObject(target) && target), ...own };
}
