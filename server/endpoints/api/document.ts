import { type OpenAPI, OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { contract } from "#contract/index.ts";
import { type Operation, operations } from "#contract/operations.ts";
import { type ProblemCode, problem, problemStatus, problemTitle } from "#contract/problem.ts";
import { memoize } from "#server/platform/single-flight-cache.ts";
import { describedWebhooks } from "./described-webhooks.ts";
import { operationById } from "./find-operation.ts";

const converter = new ZodToJsonSchemaConverter();

const description =
  `Plain JSON over the same rules as Wayfare's own pages. How keys, errors, limits, repeated requests and
long lists work is on /api/docs. Agents and admins have what they are notified of sent to a server of theirs: the URL is
entered on /webhooks, which shows the secret once.`.replaceAll("\n", " ");

const header = (text: string, type: "string" | "integer") => ({ description: text, schema: { type } });
const headers = {
  "RateLimit-Limit": header("Calls in a minute, of the one who asks.", "integer"),
  "RateLimit-Remaining": header("How many are left.", "integer"),
  "RateLimit-Reset": header("Seconds until there are all of them again.", "integer"),
  "X-Request-Id": header("Names the request; quote it if you contact us.", "string"),
};
const headersOfStatus: Record<number, Record<string, ReturnType<typeof header>>> = {
  401: { "WWW-Authenticate": header("How to say who asks.", "string") },
  429: { "Retry-After": header("Seconds until it is worth trying again.", "integer") },
};

/** The response for all failures of one status. */
function failureResponse(status: number, codes: readonly ProblemCode[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${problemTitle(code)}`).join("\n\n"),
    headers: { ...headers, ...headersOfStatus[status] },
    content: {
      "application/problem+json": {
        schema: {
          $ref: "#/components/schemas/Problem",
          properties: { code: { enum: codes }, status: { const: status } },
        },
      },
    },
  };
}

function failuresOf({ codes }: Operation) {
  const byStatus = Map.groupBy(codes, problemStatus);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, of]) => [String(status), failureResponse(status, of)]),
  );
}

/** Without the keywords that only oRPC reads. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(
    ([key, each]) =>
      key !== "x-native-type" && key !== "allowEmptyValue" && key !== "allowReserved" && each !== undefined,
  );
  return Object.fromEntries(fields.map(([key, each]) => [key, clean(each)]));
}

const idempotencyKey = (required: boolean) => ({
  name: "Idempotency-Key",
  in: "header" as const,
  required,
  description: required
    ? "A UUID, a new one for each bid: sent again, a bid counts once."
    : "A UUID, a new one for each change: sent again within 24 hours, the change is carried out once and answered alike.",
  schema: { type: "string" as const, format: "uuid" },
});

/** Adds the Idempotency-Key, which oRPC does not know, as a header. */
function withKey(operation: Operation, written: OpenAPI.OperationObject): OpenAPI.OperationObject {
  if (operation.method === "GET") return written;
  const isOwn = operation.input !== null && "idempotencyKey" in operation.input.shape;
  const parameters = [...(written.parameters ?? []), idempotencyKey(isOwn)];
  const { requestBody } = written;
  if (!isOwn || !requestBody || "$ref" in requestBody) return { ...written, parameters };
  const schema = Object(requestBody.content["application/json"]?.schema);
  const { idempotencyKey: _, ...properties } = schema.properties;
  const required = schema.required.filter((name: string) => name !== "idempotencyKey");
  const content = { "application/json": { schema: { ...schema, properties, required } } };
  return { ...written, parameters, requestBody: { ...requestBody, content } };
}

/** An operation as oRPC generates it, with its security and everything that it can answer. */
function complete(operation: Operation, written: OpenAPI.OperationObject): OpenAPI.OperationObject {
  const success = written.responses?.["200"];
  return {
    ...withKey(operation, written),
    tags: [operation.id.replace(/\..*/, "")],
    security: [{ apiKey: [operation.scope] }, { session: [] }, ...(operation.isPublic ? [{}] : [])],
    responses: {
      "200": { ...success, description: "Done.", headers: { ...headers, ...linkHeader(operation) } },
      ...failuresOf(operation),
    },
  };
}

const linkHeader = ({ method, input }: Operation) =>
  method === "GET" && input !== null && "cursor" in input.shape
    ? { Link: header('The next page, as rel="next"; missing on the last one.', "string") }
    : {};

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
    const written = Object.entries(generated.paths?.[operation.path] ?? {}).find(([name]) => name === method);
    if (!written) throw new Error(`${operation.id} is missing in the OpenAPI document`);
    paths[operation.path] = { ...paths[operation.path], [method]: complete(operation, Object(written[1])) };
  }
  const [, problemSchema] = converter.convert(problem, { strategy: "output" });
  const unmatched = {
    NotFound: failureResponse(404, ["not-found"]),
    MethodNotAllowed: {
      ...failureResponse(405, ["method-not-allowed"]),
      headers: { ...headers, Allow: header("The methods that this address takes.", "string") },
    },
  };
  const document = {
    ...generated,
    paths,
    webhooks: describedWebhooks,
    components: {
      schemas: { Problem: problemSchema },
      // For unknown paths and methods.
      responses: unmatched,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, made at /api-keys." },
        session: { type: "apiKey", in: "cookie", name: "__Host-wayfare", description: "A browser's login." },
      },
    },
  };
  return clean(document) as OpenAPI.Document;
});
