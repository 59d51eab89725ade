import { traverseContractProcedures } from "@orpc/server";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contract } from "#contract/index.ts";
import { agentTabs } from "#domain/agent-approval.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import { studentSorts } from "#domain/student-list.ts";
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

const encoded = (written: string) => Buffer.from(written).toString("base64url");
const id = "00000000-0000-4000-8000-000000000000";
/** What may stand in a cursor: valid parts and what only looks like them. */
const cursorParts: readonly unknown[] = [
  id,
  "",
  "0000-01-01T00:00:00.000Z",
  "0001-01-01T00:00:00.000Z",
  "-000001-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "9999999-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "2026-02-30T00:00:00.000Z",
  "2026-01-01T00:00:00.000+99:99",
  "1900-01-01T00:00:00Z",
  `2026-01-01T00:00:00.${"1".repeat(300)}Z`,
  "-1",
  "0",
  "1",
  "99999999999999999999",
  "999999999999999",
  "NaN",
  "Infinity",
  "-infinity",
  "1e308",
  "\ud800",
  "\udc00a",
  "a\0b",
  "name1",
  -1,
  0,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  null,
  true,
  [],
  [["x"]],
  { key: id, id },
];
const cursorPart = fc.oneof(
  fc.constantFrom(...cursorParts),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.uuid(),
  fc.bigInt().map(String),
);
const cursor = fc.oneof(
  fc.tuple(cursorPart, cursorPart).map((parts) => encoded(JSON.stringify(parts))),
  fc.tuple(cursorPart, fc.constant(id)).map((parts) => encoded(JSON.stringify(parts))),
  fc.array(cursorPart, { maxLength: 4 }).map((parts) => encoded(JSON.stringify(parts))),
  fc.jsonValue({ maxDepth: 4 }).map((value) => encoded(JSON.stringify(value))),
  // As it is written in JSON, which can say more than a value of JavaScript.
  fc.constantFrom('["\\ud800","x"]', '[NaN,"x"]', '["x",', "[1e999,1]", '["\\u0000","x"]').map(encoded),
  cursorPart.map(String),
);
/** The orders and tabs in which a cursor is taken apart in different ways. */
const orderings: Record<string, readonly object[]> = {
  "auctions.list": [...auctionSorts.map((sort) => ({ sort })), { search: "lamp" }, { search: "a b" }],
  "students.list": [...studentSorts.map((sort) => ({ sort })), { search: "ada obi" }],
  "accounts.list": [{}, { search: "ada obi" }],
  "agents.list": agentTabs.map((tab) => ({ tab })),
};

/** What refuses an admin before it looks at the input is called by a student. */
const isStudents = ({ path }: Procedure) =>
  /^(profile\.|students\.dashboard$|applications\.(submit|mine)$)/.test(path);

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

/** The answer is an output or a declared error, in words that reveal nothing of the inside. */
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
  // A new one for each: signing out is among what is called. And another one before the limit of changes.
  let calls = 0;
  async function nextCaller() {
    if (calls++ % 100 === 0)
      caller = (await person(w, isStudents(procedure) ? "student" : "admin", "active")).caller;
    return caller;
  }

  const call = async (input: unknown) => {
    const by = await nextCaller();
    await expectDeclared(procedure, () => by.call(procedure.path, input, { address: elsewhere() }));
  };

  test.each(procedure.fields)("200 generated values for %s", async (field) => {
    await fc.assert(
      fc.asyncProperty(nasty, async (value) => await call({ [field]: value })),
      { numRuns: 200 },
    );
  });

  test.each(procedure.fields.includes("cursor") ? (orderings[procedure.path] ?? [{}]) : [])(
    "500 generated cursors, %j",
    async (input) => {
      await fc.assert(
        fc.asyncProperty(cursor, async (value) => await call({ ...input, cursor: value })),
        { numRuns: 500, examples: cursorParts.map((part) => [encoded(JSON.stringify([part, id]))]) },
      );
    },
  );

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
      fc.asyncProperty(body, async (text) => {
        const by = await nextCaller();
        await expectDeclared(procedure, () =>
          by.call(procedure.path, {}, { body: text, address: elsewhere() }),
        );
      }),
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
