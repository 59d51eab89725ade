import fc from "fast-check";
import { z } from "zod";
import { innerOf } from "#tests/access/input-fields.ts";

/** The value of undeclared fields: if it is ever stored, such a field was accepted. */
export const forged = "forged-7c1d";

/** Fields that would grant rights if the server accepted them from an input. */
const privileged: Record<string, unknown> = {
  role: "admin",
  status: "approved",
  id: forged,
  userId: forged,
  actorId: forged,
  ownerId: forged,
  sellerId: forged,
  bidderId: forged,
  assignedAgentId: forged,
  addedBy: forged,
  reviewedBy: forged,
  approvedBy: forged,
  storageKey: forged,
  eventKey: forged,
  emailVerified: true,
  email_verified: true,
  isAdmin: true,
  approvedAt: "2020-01-01T00:00:00.000Z",
  state: "approved",
  price: 1,
  version: 424_242,
  expiresAt: "9999-01-01T00:00:00.000Z",
  session: { role: "admin", userId: forged },
  context: { session: { role: "admin", userId: forged } },
  ["constructor"]: { prototype: { role: "admin", isAdmin: true } },
  prototype: { role: "admin" },
};
/** An object with an own property named `__proto__`, as JSON.parse creates it. */
const polluted = Object.fromEntries([["__proto__", { role: "admin", isAdmin: true, userId: forged }]]);

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: [inner] }), "deep");

const words: readonly unknown[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfffx",
  "\u202egpj.exe",
  "\u2028",
  "\ufeff",
  "%",
  "%00",
  "_",
  "\\",
  "'",
  '"',
  '\'; drop table "user"; --',
  "' or '1'='1",
  "$1",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "http://[::1",
  "https://user:pass@evil.example\\@good.example",
  "//evil.example",
  "../../etc/passwd",
  "a@b.example\r\nBcc: x@evil.example",
  '"a b"@example.org',
  "x".repeat(4097),
  "x".repeat(9000),
  "😀".repeat(300),
  "a ".repeat(2000),
  "ﷺ".repeat(100),
  "Z͑ͫ".repeat(200),
  "0",
  "-1",
  "1e400",
  "NaN",
  "Infinity",
  "R 9 999 999 999 999,99",
  "0x10",
  "١٢٣",
  "0000-00-00",
  "2026-02-30",
  "9999-12-31",
  "+275760-09-13T00:00:00.000Z",
  "00000000-0000-0000-0000-000000000000",
  "constructor",
  "__proto__",
  "toString",
];
const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  Number.MIN_VALUE,
  [],
  {},
  [[]],
  [null],
  Array.from({ length: 2000 }, () => 1),
  { length: -1 },
  { toString: 1 },
  { toJSON: 1 },
  JSON.parse('{"then":1}'),
  polluted,
  nested(50),
  nested(2000),
  new Date(Number.NaN),
  new Date(-8.64e15),
  new Date(8.64e15),
  new Date(-62_167_219_200_001),
  new Date("9999-12-31T23:59:59.999Z"),
];
const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 2, arbitrary: fc.constantFrom(...others) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 80 }) },
  { weight: 1, arbitrary: fc.date() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

const number = ({ minValue, maxValue }: z.ZodNumber): fc.Arbitrary<unknown> => {
  const [least, most] = [-(2 ** 31), 2 ** 31 - 1];
  return fc.integer({ min: Math.max(minValue ?? least, least), max: Math.min(maxValue ?? most, most) });
};

/** Generates harmless text and ids of existing things. */
const usual = (ids: readonly string[]) =>
  fc.oneof(
    fc.constantFrom("Ada", "ada@example.org", "https://leeds.ac.uk", "R 1,500.50", "a", "lamp oak"),
    fc.constantFrom(...ids),
    fc.string({ maxLength: 30 }),
  );

/** Replaces some of the values by hostile ones. */
type Mix = (values: fc.Arbitrary<unknown>, weight: number) => fc.Arbitrary<unknown>;
const withHostile: Mix = (values, weight) => fc.oneof({ weight, arbitrary: values }, hostile);
const withoutHostile: Mix = (values) => values;

/** Generates values of a schema, mixed with hostile ones. `ids` belong to existing things. */
function valuesOf(schema: z.core.$ZodType, ids: readonly string[], mix: Mix): fc.Arbitrary<unknown> {
  const inner = innerOf(schema);
  if (inner) return valuesOf(inner, ids, mix);
  if (schema instanceof z.ZodObject) return objectOf(schema.def.shape, ids, mix);
  if (schema instanceof z.ZodDiscriminatedUnion)
    return fc.oneof(...schema.def.options.map((option) => valuesOf(option, ids, mix)));
  if (schema instanceof z.ZodRecord && schema.def.keyType instanceof z.ZodEnum) {
    const { valueType } = schema.def;
    return objectOf(Object.fromEntries(schema.def.keyType.options.map((key) => [key, valueType])), ids, mix);
  }
  if (schema instanceof z.ZodRecord) {
    const keys = fc.oneof(fc.constantFrom("writing", "reading"), fc.string({ maxLength: 20 }));
    const values = fc
      .array(fc.tuple(keys, valuesOf(schema.def.valueType, ids, mix)), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries));
    return mix(values, 4);
  }
  if (schema instanceof z.ZodArray)
    return mix(fc.array(valuesOf(schema.def.element, ids, mix), { maxLength: 6 }), 4);
  return mix(validValuesOf(schema, ids), 3);
}

/** Generates valid values of a schema. */
function validValuesOf(schema: z.core.$ZodType, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodUUID)
    return fc.oneof(fc.uuid(), { weight: 4, arbitrary: fc.constantFrom(...ids) });
  if (schema instanceof z.ZodString) return usual(ids);
  if (schema instanceof z.ZodNumber) return number(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodDate)
    return fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
  throw new Error(
    `Nothing is known about values of a ${schema.constructor.name}: say so in tests/access/fuzz/arbitraries.ts`,
  );
}

function objectOf(
  shape: Record<string, z.core.$ZodType>,
  ids: readonly string[],
  mix: Mix,
): fc.Arbitrary<unknown> {
  const own = Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, valuesOf(value, ids, mix)]),
  );
  const foreign = Object.fromEntries(
    Object.entries(privileged).filter(([key]) => !Object.hasOwn(shape, key)),
  );
  const keys = Object.keys(own);
  const requiredKeys = keys.filter((key) => !(shape[key] instanceof z.ZodOptional));
  return fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.record(own) },
        { weight: 3, arbitrary: fc.record(own, { requiredKeys }) },
        fc.record(own, { requiredKeys: [] }),
      ),
      fc.oneof(
        fc.constant({}),
        fc.constant(foreign),
        fc.constant(polluted),
        fc
          .subarray(Object.keys(foreign))
          .map((some) => Object.fromEntries(some.map((key) => [key, foreign[key]]))),
      ),
      fc.boolean(),
    )
    .map(([value, more, first]) =>
      // Spread would set the prototype's own key like any other; fromEntries keeps it an own key.
      Object.fromEntries(first ? entries(more, value) : entries(value, more)),
    )
    .filter((value) => keys.length === 0 || typeof value === "object");
}
const entries = (...objects: object[]): [string, unknown][] =>
  objects.flatMap((each) => Object.entries(each));

/** Generates inputs of a procedure, or arbitrary values for one without an input. */
export const inputsOf = (schema: z.ZodType | null, ids: readonly string[]): fc.Arbitrary<unknown> =>
  schema === null
    ? fc.oneof(objectOf({}, ids, withHostile), hostile)
    : fc.oneof(
        { weight: 5, arbitrary: valuesOf(schema, ids, withHostile) },
        { weight: 4, arbitrary: valuesOf(schema, ids, withoutHostile) },
        { weight: 1, arbitrary: hostile },
      );

/** Generates a body of the protocol: its `meta` marks dates, and is sometimes wrong. */
export function bodiesOf(schema: z.ZodType | null, ids: readonly string[]): fc.Arbitrary<string> {
  const meta = fc.array(
    fc.oneof(
      fc.array(
        fc.oneof(
          fc.integer({ min: -1, max: 9 }),
          fc.constantFrom("__proto__", "constructor", "length"),
          fc.string(),
        ),
      ),
      fc.jsonValue(),
    ),
    { maxLength: 3 },
  );
  const broken = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "",
      "null",
      "[",
      '{"json":',
      "{}",
      '{"json":1e999}',
      '{"json":{},"json":{}}',
      "[".repeat(20_000),
    ),
    fc.json(),
  );
  const inputs = inputsOf(schema, ids);
  return fc.oneof(
    { weight: 16, arbitrary: inputs.map((json) => bodyOf(json)) },
    { weight: 2, arbitrary: fc.tuple(inputs, meta).map(([json, more]) => bodyOf(json, more)) },
    { weight: 1, arbitrary: broken },
  );
}

/** Serializes by hand, to include values that the client would not send. */
function bodyOf(json: unknown, more: readonly unknown[] = []): string {
  const dates: (string | number)[][] = [];
  collectDates(json, [], dates);
  const meta = [...dates, ...more];
  return JSON.stringify({ json, ...(meta.length > 0 && { meta }) });
}

function collectDates(value: unknown, path: (string | number)[], dates: (string | number)[][]): void {
  if (path.length > 5) return;
  if (value instanceof Date) dates.push([1, ...path]);
  else if (Array.isArray(value)) value.forEach((each, at) => collectDates(each, [...path, at], dates));
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) collectDates(each, [...path, key], dates);
}
