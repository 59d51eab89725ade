import type { IncomingHttpHeaders } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Hono } from "hono";
import { z } from "zod";
import { keyRoles } from "#domain/api-scope.ts";

/** The parts of an OpenAPI document that the tests read, including all paths and schemas. */
const media = z.record(z.string(), z.object({ schema: z.unknown(), example: z.unknown().optional() }));
const response = z.object({ headers: z.record(z.string(), z.unknown()).default({}), content: media });
const operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        schema: z.unknown(),
        example: z.union([z.string(), z.number()]).optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: media }).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  "x-keys-of": z.array(z.enum(keyRoles)),
  responses: z.record(z.string(), response),
});
const webhook = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.literal("header"), required: z.literal(true) })),
  requestBody: z.object({ content: media }),
});
const document = z.object({
  openapi: z.literal("3.1.1"),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.object({ post: webhook })),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

export type DocumentedOperation = z.infer<typeof operation> & { method: string; path: string };
export type ApiDocument = {
  /** The JSON that was served. */
  whole: unknown;
  operations: DocumentedOperation[];
  /** Returns the operation that the document declares for a method and path. */
  at(method: string, pathname: string): AnswerSource;
  check(from: AnswerSource, answer: HttpAnswer): string | null;
  /** The types of events that webhooks send. */
  events: string[];
  checkMessage(message: Message): string | null;
};
type Message = { headers: IncomingHttpHeaders; body: string };
/** An operation, or `unmatched` for a path without one. */
type AnswerSource = DocumentedOperation | "unmatched";
type HttpAnswer = { status: number; headers: Headers; text: string };

/** Fetches the served document, and provides the checks of answers and messages against it. */
export async function fetchDocument(app: Hono): Promise<ApiDocument> {
  const whole: unknown = await (await app.request("/api/openapi.json")).json();
  const { paths, webhooks, components } = document.parse(whole);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) =>
      Object.assign(each, { method: method.toUpperCase(), path }),
    ),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "https://api.example/document", components });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

  function validator(name: string, schema: unknown) {
    const cached = compiled.get(name);
    if (cached) return cached;
    const text = JSON.stringify(schema).replaceAll(
      '"#/components',
      '"https://api.example/document#/components',
    );
    const validate = ajv.compile(JSON.parse(text));
    compiled.set(name, validate);
    return validate;
  }

  const isProblem = {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, example: null },
  };
  const unmatched: Record<number, z.infer<typeof response>> = {
    404: { headers: { "X-Request-Id": {} }, content: isProblem },
    405: { headers: { "X-Request-Id": {}, Allow: {} }, content: isProblem },
  };

  /** Returns the error in an answer, or null if the document declares it with all its headers. */
  function check(from: AnswerSource, { status, headers, text }: HttpAnswer): string | null {
    const declared = from === "unmatched" ? unmatched[status] : from.responses[status];
    if (!declared) return `status ${status} is not declared: ${text.slice(0, 300)}`;
    const type = headers.get("content-type") ?? "";
    const schema = declared.content[type]?.schema;
    if (schema === undefined) return `type ${type} is not declared for ${status}`;
    const valid = validator(
      from === "unmatched" ? `unmatched ${status}` : `${from.operationId} ${status}`,
      schema,
    );
    if (!valid(JSON.parse(text))) return `${ajv.errorsText(valid.errors)}: ${text.slice(0, 300)}`;
    const absent = Object.keys(declared.headers).filter(
      (name) => name !== "Link" && name !== "Idempotency-Replayed" && !headers.has(name),
    );
    return absent.length === 0 ? null : `${status} lacks ${absent.join(", ")}`;
  }

  /** Returns the error in a message to a webhook, or null if the document declares it with all its headers. */
  function checkMessage({ headers, body }: Message): string | null {
    const message: unknown = JSON.parse(body);
    const type = String(Object(message).type);
    const declared = webhooks[type]?.post;
    if (!declared) return `event ${type} is not declared`;
    const schema = declared.requestBody.content[headers["content-type"] ?? ""]?.schema;
    if (schema === undefined) return `content type ${headers["content-type"]} is not declared`;
    const valid = validator(`event ${type}`, schema);
    if (!valid(message)) return `${ajv.errorsText(valid.errors)}: ${body}`;
    const absent = declared.parameters.filter(({ name }) => headers[name] === undefined);
    return absent.length === 0 ? null : `it lacks ${absent.map(({ name }) => name).join(", ")}`;
  }

  const places = operations
    .map((each) => ({ each, pattern: new RegExp(`^/api/v1${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`) }))
    // A literal part of a path takes precedence over a parameter.
    .toSorted((one, other) => one.each.path.split("{").length - other.each.path.split("{").length);

  function at(method: string, pathname: string): AnswerSource {
    const here = places.filter(({ pattern }) => pattern.test(pathname));
    const nearest = here.filter(({ each }) => each.path === here[0]?.each.path);
    return nearest.find(({ each }) => each.method === method)?.each ?? "unmatched";
  }

  return { whole, operations, at, check, events: Object.keys(webhooks), checkMessage };
}
