import { traverseContractProcedures } from "@orpc/server";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contract } from "#contract/index.ts";
import type { Caller } from "./caller.ts";
import { person } from "./factories.ts";
import { type Wayfare, wayfare } from "./wayfare.ts";

/** Values that a hostile or broken caller sends. */
const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "__proto__",
    '\'; drop table "user"; --',
    "<script>alert(1)</script>",
    "%",
    "x".repeat(5000),
    "😀".repeat(300),
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    [],
    {},
    [[]],
    { toString: 1 },
    { constructor: { prototype: 1 } },
    "2026-99-99",
    "a@b",
    "../../etc/passwd",
  ),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** What refuses an admin before it looks at the input is called by a student. */
const isStudents = ({ path }: Procedure) =>
  /^(profile\.|students\.desk$|applications\.(submit|mine)$)/.test(path);

type Procedure = { path: string; fields: string[]; codes: string[] };

function procedures(): Procedure[] {
  const found: Procedure[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    const { inputSchema, errorMap } = procedure["~orpc"];
    const shape: unknown = inputSchema ? Reflect.get(inputSchema, "shape") : {};
    found.push({ path: path.join("."), fields: Object.keys(shape ?? {}), codes: Object.keys(errorMap) });
  });
  return found;
}

let w: Wayfare;
let caller: Caller;
beforeAll(async () => {
  const passwords = { hash: async (text: string) => `of ${text}`, verify: async () => false };
  w = await wayfare({ passwords });
});
afterAll(() => w.stop());

let host = 0;
/** Every call from another address, so that limits do not hide what is behind them. */
const elsewhere = () => `10.${(++host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;

/** The answer is an output or a declared error, in words that tell nothing of the inside. */
async function expectDeclared(
  procedure: Procedure,
  send: () => Promise<{ status: number; code: string | null; body: unknown }>,
) {
  const answer = await send();
  const text = JSON.stringify(answer.body);
  expect(answer.status, text).toBeLessThan(500);
  expect(text).not.toMatch(/ at .*\.(ts|js|mjs):\d|select .* from |insert into |postgres|node_modules/);
  if (answer.status !== 200)
    expect([...procedure.codes, "permission-denied", "not-found"]).toContain(answer.code);
}

describe.each(procedures())("$path", (procedure) => {
  // A new one for each: signing out is among what is called.
  beforeAll(async () => {
    caller = (await person(w, isStudents(procedure) ? "student" : "admin", "active")).caller;
  });

  const call = (input: unknown) =>
    expectDeclared(procedure, () => caller.call(procedure.path, input, { address: elsewhere() }));

  test.each(procedure.fields)("200 generated values for %s", async (field) => {
    await fc.assert(
      fc.asyncProperty(nasty, async (value) => await call({ [field]: value })),
      { numRuns: 200 },
    );
  });

  test("200 generated inputs as a whole", async () => {
    const whole = fc.oneof(
      nasty,
      fc.record(Object.fromEntries(procedure.fields.map((field) => [field, nasty]))),
    );
    await fc.assert(fc.asyncProperty(whole, call), { numRuns: 200 });
  });

  test("200 generated bodies that need not be JSON, nor of the protocol's form", async () => {
    const meta = fc.array(fc.oneof(fc.array(fc.oneof(fc.integer(), fc.string())), fc.jsonValue()), {
      maxLength: 3,
    });
    const protocol = fc
      .record(
        { json: fc.jsonValue(), meta: fc.oneof(meta, fc.jsonValue()), maps: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value));
    const body = fc.oneof(fc.string({ unit: "binary" }), protocol, fc.json());
    await fc.assert(
      fc.asyncProperty(body, (text) =>
        expectDeclared(procedure, () =>
          caller.call(procedure.path, {}, { body: text, address: elsewhere() }),
        ),
      ),
      { numRuns: 200 },
    );
  });
});

test("the server logged no bug of all that", () => {
  expect(w.log.filter(({ level }) => level >= 50)).toEqual([]);
});

test("a body over the limit and an unknown procedure are refused by code", async () => {
  const huge = await caller.call("account.signIn", { email: "x".repeat(200_000) });
  expect(huge).toMatchObject({ code: "invalid-argument" });
  expect(huge.status).toBeLessThan(500);
  expect(await caller.call("account.nothing")).toMatchObject({ status: 404, code: "not-found" });
  expect(await caller.call("__proto__.toString")).toMatchObject({ status: 404, code: "not-found" });
});
