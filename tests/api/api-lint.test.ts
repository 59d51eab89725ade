import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, expect, test } from "vitest";
import { openApiDocument } from "#server/endpoints/api/document.ts";

type LocatedBody = { at: string; body: { schema?: unknown; example?: unknown } };
type DescribedOperation = {
  at: string;
  summary: string;
  description: string;
  operationId: string;
  security: unknown;
};

let document: Awaited<ReturnType<typeof openApiDocument>>;
beforeAll(async () => {
  document = await openApiDocument("https://wayfare.example");
});

/** Lists every operation and webhook with its location. */
const operations = (): DescribedOperation[] =>
  Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, each]) => ({ at: `${method} ${path}`, ...Object(each) })),
  );

/** Lists every JSON body below a node. */
function bodiesIn(node: unknown, at = ""): LocatedBody[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, each]) =>
    key === "application/json" ? [{ at, body: each }] : bodiesIn(each, `${at} ${key}`),
  );
}

test("redocly finds no problem in the document", async () => {
  // The licence of Wayfare is in the repository.
  const config = await createConfig({ extends: ["recommended-strict"], rules: { "info-license": "off" } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test("every call and event has a name and a description beyond its summary", () => {
  const all = operations();
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(({ summary, description }) => !(description.length > summary.length))).toEqual([]);
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  expect(all.filter(({ security }) => !Array.isArray(security)).map(({ at }) => at)).toEqual([]);
});

test("every body has an example that its schema allows", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "https://api.example/document", components: document.components });
  const bodies = [...bodiesIn(document.paths), ...bodiesIn(document.webhooks)];
  expect(bodies.length).toBeGreaterThan(60);
  const wrong = bodies.flatMap(({ at, body: { schema, example } }) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://api.example/document#/');
    const isValid = ajv.compile(JSON.parse(text));
    return isValid(example) ? [] : [`${at}: ${ajv.errorsText(isValid.errors)}`];
  });
  expect(wrong).toEqual([]);
});

test("the subject of every answer has a named schema", () => {
  const names = Object.keys(document.components?.schemas ?? {});
  expect(names).toEqual(expect.arrayContaining(["Student", "Application", "Product", "Bid", "Problem"]));
  // A generated client would have no name for an object without one.
  const lists = bodiesIn(document.paths).flatMap(({ at, body }) =>
    Object.entries(Object(Object(body.schema).properties))
      .filter(([, schema]) => Object(Object(schema).items).type === "object")
      .map(([name]) => `${at} ${name}`),
  );
  expect(lists).toEqual([]);
});

test("no call is shadowed by a path whose parameter matches its last segment", () => {
  const paths = Object.entries(document.paths ?? {}).map(([path, methods]) => ({
    path,
    methods: Object.keys(Object(methods)),
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/{}]+")}$`),
  }));
  const conflicts = paths.flatMap(({ path, methods }) =>
    paths
      .filter((other) => other.path !== path && other.pattern.test(path))
      .flatMap((other) => other.methods.filter((method) => !methods.includes(method)))
      .map((method) => `${method} ${path}`),
  );
  expect(conflicts).toEqual([]);
});
