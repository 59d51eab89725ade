import { type OpenAPI, OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { contract } from "#contract/index.ts";
import { type Operation, operations } from "#contract/operations.ts";
import { problem } from "#contract/problem.ts";
import { memoize } from "#server/platform/memoize.ts";
import { exampleName, exampleOfProblem, failuresOf } from "./described-failures.ts";
import { always, type HeaderName, headers, headersNamed } from "./described-headers.ts";
import { describedWebhooks } from "./described-webhooks.ts";
import { exampleOf } from "./examples.ts";
import { needsKey, operationById, takesKey } from "./find-operation.ts";
import { isObject, type NamedSchemas, nameSchemas } from "./named-schemas.ts";
import { cursorNameOf } from "./next-page.ts";

const converter = new ZodToJsonSchemaConverter();

const description =
  `The API uses plain JSON and follows the same rules as Wayfare's own pages. /api/docs explains keys, errors,
limits, repeated requests and pagination. Agents and admins can have their notifications sent to their own server as
webhooks: they enter its URL on /webhooks, which shows the secret once. A request for an unknown address is answered
with \`not-found\` (404), and one with an unsupported method with \`method-not-allowed\` (405) and the header
\`Allow\`. This document can be read from any site. The responses to calls can't be: there is no CORS, because a key
belongs on a server.`.replaceAll("\n", " ");

/** Whether a keyword is one that only oRPC reads, or a bound that every integer has. */
const isRedundant = (key: string, value: unknown): boolean =>
  value === undefined ||
  ["x-native-type", "allowEmptyValue", "allowReserved"].includes(key) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER);

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([key, each]) => !isRedundant(key, each));
  return Object.fromEntries(fields.map(([key, each]) => [key, clean(each)]));
}

const idempotencyKey = (required: boolean) => ({
  name: "Idempotency-Key",
  in: "header" as const,
  required,
  description: required
    ? "A UUID. Use a new one for each bid. A bid that you send again with the same key counts only once."
    : "A UUID. Use a new one for each change. A change that you send again with the same key within 24 hours is carried out only once, and the response is the same.",
  schema: { type: "string" as const, format: "uuid" },
});

/** Adds the Idempotency-Key, which oRPC does not know, as a header. */
function withKey(operation: Operation, specification: OpenAPI.OperationObject): OpenAPI.OperationObject {
  if (operation.method === "GET") return specification;
  const parameters = [...(specification.parameters ?? []), idempotencyKey(needsKey(operation))];
  const { requestBody } = specification;
  if (!takesKey(operation) || !requestBody || "$ref" in requestBody) return { ...specification, parameters };
  const schema = Object(requestBody.content["application/json"]?.schema);
  const { idempotencyKey: _, ...properties } = schema.properties;
  const required = (schema.required ?? []).filter((name: string) => name !== "idempotencyKey");
  const content = { "application/json": { schema: { ...schema, properties, required } } };
  return { ...specification, parameters, requestBody: { ...requestBody, content } };
}

const withExample = (parameter: OpenAPI.ParameterObject | OpenAPI.ReferenceObject) =>
  "name" in parameter && parameter.required
    ? { ...parameter, example: exampleOf(parameter.schema, {}, parameter.name) }
    : parameter;

const holders = { agent: "approved agents", admin: "admins" } as const;
const keysNote = ({ keysOf }: Operation): string =>
  `Accepts API keys of ${keysOf.map((role) => holders[role]).join(" and ")}.`;

/** Returns the headers of a success, some of which are conditional. */
function headersOf(operation: Operation): readonly HeaderName[] {
  if (cursorNameOf(operation)) return [...always, "Link"];
  // The auction itself handles a bid's key, and doesn't say whether it is repeated.
  return operation.method === "GET" || needsKey(operation) ? always : [...always, "Idempotency-Replayed"];
}

/** Completes an operation that oRPC generated with its security and all of its responses. */
function complete(
  operation: Operation,
  specification: OpenAPI.OperationObject,
): OpenAPI.OperationObject<{ "x-keys-of": Operation["keysOf"] }> {
  const success = specification.responses?.["200"];
  return {
    ...withKey(operation, { ...specification, parameters: specification.parameters?.map(withExample) ?? [] }),
    description: `${specification.description ?? ""}\n\n${keysNote(operation)}`,
    tags: [operation.id.replace(/\..*/, "")],
    security: [{ apiKey: [operation.scope] }, { session: [] }, ...(operation.isPublic ? [{}] : [])],
    "x-keys-of": operation.keysOf,
    responses: {
      "200": { ...success, description: "The call succeeded.", headers: headersNamed(headersOf(operation)) },
      ...failuresOf(operation),
    },
  };
}

/** Gives every JSON body of an operation or a webhook an example. */
function withExamples(node: unknown, schemas: NamedSchemas): unknown {
  if (Array.isArray(node)) return node.map((each) => withExamples(each, schemas));
  if (!isObject(node)) return node;
  const body = node["application/json"];
  if (!isObject(body))
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, withExamples(each, schemas)]));
  return { "application/json": { ...body, example: exampleOf(body["schema"], schemas) } };
}

const tagDescriptions: Record<string, string> = {
  accounts: "All accounts, for admins.",
  agents: "Agents' applications and access, for admins.",
  applications: "Students' applications and their steps.",
  auctions: "Items for sale and bids.",
  audit: "The log of who did what, for admins.",
  bulkRuns: "Acts on many students at once, with a row for each student.",
  catalogue: "Institutions and programmes as staff enter, import and check them.",
  conversations: "Conversations between students and staff.",
  documents: "Students' documents, without the files.",
  duplicates: "Student accounts that may belong to one person, for admins.",
  invitations: "Invitations of students and agents.",
  jobs: "Background jobs that failed, for admins.",
  notes: "Internal notes that staff write about students.",
  notifications: "Notifications in the bell, and which of them are emailed.",
  offers: "Universities' offers, their conditions and deposits.",
  overview: "Key figures, for admins.",
  planner: "Requests for documents, tasks and deadlines.",
  programmes: "The catalogue of programmes, and how a student's record compares with them.",
  reports: "Enrolments, and how long applications take, for admins.",
  retention: "Data that is removed automatically, for admins.",
  sales: "Sold items: handover, second chances, strikes and withdrawn bids.",
  savedViews: "Saved filters of the list of students.",
  shortlist: "Courses that students are considering.",
  students: "Students and their agents.",
  studyRecord: "Students' qualifications, English tests and work.",
  tradeReports:
    "Reports of items and of people who trade, and pairs of bidder and seller to review, for admins.",
  watching: "Watched items and saved searches.",
  webhooks: "Events that Wayfare sends to your server.",
};

/** The OpenAPI document of /api/v1. */
export const openApiDocument = memoize(async (baseUrl: string): Promise<OpenAPI.Document> => {
  const generated = await new OpenAPIGenerator({ schemaConverters: [converter] }).generate(contract, {
    info: { title: "Wayfare API", version: "1", description },
    servers: [{ url: `${baseUrl}/api/v1` }],
    filter: ({ path }) => operationById.has(path.join(".")),
  });
  const paths: Record<string, Record<string, OpenAPI.OperationObject>> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const entry = Object.entries(generated.paths?.[operation.path] ?? {}).find(([name]) => name === method);
    if (!entry) throw new Error(`${operation.id} is missing in the OpenAPI document`);
    paths[operation.path] = { ...paths[operation.path], [method]: complete(operation, Object(entry[1])) };
  }
  const schemas: NamedSchemas = {};
  const [, problemSchema] = converter.convert(problem, { strategy: "output" });
  nameSchemas(clean(problemSchema), schemas);
  const definition = nameSchemas(clean({ paths, webhooks: describedWebhooks }), schemas);
  const codes = new Set(operations.flatMap((operation) => operation.codes));
  const document = {
    ...generated,
    tags: Object.entries(tagDescriptions).map(([name, text]) => ({ name, description: text })),
    ...Object(withExamples(definition, schemas)),
    components: {
      schemas,
      headers,
      examples: Object.fromEntries(
        [...codes].map((code) => [exampleName(code), exampleOfProblem(code, baseUrl)]),
      ),
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, created at /api-keys." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-wayfare",
          description: "The session of a browser that is logged in.",
        },
      },
    },
  };
  return document;
});
