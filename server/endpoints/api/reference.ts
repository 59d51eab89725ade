import { z } from "zod";
import type { ApiReference, ReferenceField, ReferenceOperation } from "#contract/api-reference.ts";
import { operations } from "#contract/operations.ts";
import { type ProblemCode, problemAddress, problemMeaning, problemStatus } from "#contract/problem.ts";
import { memoize } from "#server/platform/memoize.ts";
import { openApiDocument } from "./document.ts";
import { operationById } from "./find-operation.ts";
import { inlineSchemas } from "./named-schemas.ts";

/** Most values of an enum that are listed. */
const mostListed = 14;
/** Levels of nesting that are listed; the document has all. */
const deepest = 4;

const schema = z.object({
  description: z.string().optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
});
type Schema = z.infer<typeof schema>;

const json = z.object({ "application/json": z.object({ schema, example: z.unknown() }) }).partial();
const described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        summary: z.string(),
        description: z.string(),
        parameters: z
          .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema }))
          .default([]),
        requestBody: z.object({ content: json }).optional(),
        responses: z.record(z.string(), z.object({ content: json.optional() })),
      }),
    ),
  ),
});

const choices = (values: readonly unknown[]): string =>
  values.slice(0, mostListed).join(" | ") + (values.length > mostListed ? " | …" : "");

function typeOf({ type, format, enum: values, const: value, anyOf, oneOf, items }: Schema): string {
  const either = anyOf ?? oneOf;
  if (either) return [...new Set(either.map(typeOf))].join(" or ");
  if (values) return choices(values);
  if (value !== undefined) return JSON.stringify(value);
  if (type === "array") return `list of ${items ? typeOf(items) : "anything"}`;
  return format ?? type ?? "anything";
}

const exampleText = (body: { example?: unknown } | undefined): string | null =>
  body ? JSON.stringify(body.example, null, 2) : null;

/** Lists the fields of a schema, by path. */
function fieldsOf(schema: Schema, name = "", required = true, depth = 0): ReferenceField[] {
  const object = schema.anyOf?.find(({ properties }) => properties) ?? schema;
  const own = name === "" ? [] : [{ name, type: typeOf(schema), required, note: schema.description ?? "" }];
  if (depth > deepest) return own;
  if (object.items) return [...own, ...fieldsOf(object.items, `${name}[]`, true, depth + 1).slice(1)];
  const inner = Object.entries(object.properties ?? {}).flatMap(([key, each]) =>
    fieldsOf(each, name === "" ? key : `${name}.${key}`, object.required?.includes(key) ?? false, depth + 1),
  );
  return [...own, ...inner];
}

/** Codes that every operation can return: listed once for all. */
const common: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "invalid-argument",
  "invalid-api-key",
  "insufficient-scope",
  "foreign-request",
  "not-acceptable",
  "idempotency-key-in-use",
  "idempotency-key-reused",
  "payload-too-large",
  "unsupported-media-type",
  "resource-exhausted",
  "internal",
  "unavailable",
  "unauthenticated",
  "permission-denied",
  "account/second-factor-required",
]);

/** The OpenAPI document as /api/docs shows it. */
export const apiReference = memoize(async (baseUrl: string): Promise<ApiReference> => {
  const { paths: rawPaths, components } = await openApiDocument(baseUrl);
  const { paths } = described.parse(inlineSchemas({ paths: rawPaths }, components?.schemas ?? {}));
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, specification]): ReferenceOperation[] => {
      const operation = operationById.get(specification.operationId);
      if (!operation) return [];
      const body = specification.requestBody?.content["application/json"];
      const answer = specification.responses["200"]?.content?.["application/json"];
      const inAddress = specification.parameters.flatMap(({ name, in: place, required = false, schema }) =>
        place === "path" || place === "query"
          ? [{ name, type: typeOf(schema), required, note: schema.description ?? "", place } as const]
          : [],
      );
      const inBody = body ? fieldsOf(body.schema).map((field) => ({ ...field, place: "body" as const })) : [];
      const byStatus = Map.groupBy(
        operation.codes.filter((code) => !common.has(code)),
        problemStatus,
      );
      return [
        {
          id: operation.id,
          method: method.toUpperCase(),
          path,
          summary: specification.summary,
          description: specification.description,
          scope: operation.scope,
          isPublic: operation.isPublic,
          inputs: [...inAddress, ...inBody],
          outputs: answer ? fieldsOf(answer.schema) : [],
          examples: { request: exampleText(body), answer: exampleText(answer) },
          errors: [...byStatus].map(([status, codes]) => ({ status: String(status), codes })),
        },
      ];
    }),
  );
  const codes = [...new Set([...operations.flatMap((each) => each.codes), "method-not-allowed" as const])];
  return {
    baseUrl,
    operations: entries,
    codes: codes
      .map((code) => ({
        code,
        anchor: problemAddress(code).replace(/.*#/, ""),
        status: problemStatus(code),
        meaning: problemMeaning(code),
      }))
      .toSorted((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1)),
  };
});
