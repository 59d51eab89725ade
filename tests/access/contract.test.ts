import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentTabs } from "#domain/agent-approval.ts";
import { auctionSorts } from "#domain/auction-list.ts";
import { studentSorts } from "#domain/student-list.ts";
import type { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { contractProcedures, inputFields } from "./input-fields.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64url");
const id = "00000000-0000-4000-8000-000000000000";
/** The parts of cursors: valid ones, and ones that only look valid. */
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
  // Raw JSON texts, because some have no JavaScript value.
  fc.constantFrom('["\\ud800","x"]', '[NaN,"x"]', '["x",', "[1e999,1]", '["\\u0000","x"]').map(encoded),
  cursorPart.map(String),
);
/** The orders and tabs that decode cursors in different ways. */
const orderings: Record<string, readonly object[]> = {
  "auctions.list": [...auctionSorts.map((sort) => ({ sort })), { search: "lamp" }, { search: "a b" }],
  "students.list": [...studentSorts.map((sort) => ({ sort })), { search: "ada obi" }],
  "accounts.list": [{}, { search: "ada obi" }],
  "agents.list": agentTabs.map((tab) => ({ tab })),
};

const lists = contractProcedures().filter(({ input }) =>
  inputFields(input).some(({ name }) => name === "cursor"),
);

let w: Wayfare;
let caller: Caller;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

let host = 0;
/** Returns a new address for every call, so that rate limits don't hide the other errors. */
const elsewhere = () => `10.${(++host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;

describe.each(lists)("$path", ({ path, codes }) => {
  test.each(orderings[path] ?? [{}])("100 generated cursors, %j", async (input) => {
    ({ caller } = await person(w, "admin", "active"));
    await fc.assert(
      fc.asyncProperty(cursor, async (value) => {
        const answer = await caller.call(path, { ...input, cursor: value }, { address: elsewhere() });
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        if (answer.status !== 200) expect(codes).toContain(answer.code);
      }),
      { numRuns: 100, examples: cursorParts.map((part) => [encoded(JSON.stringify([part, id]))]) },
    );
  });
});

test("the server logged no bug during these calls", () => {
  expect(w.log.filter(({ level }) => level >= 50)).toEqual([]);
});

test("a body over the limit and an unknown procedure are refused by code", async () => {
  const huge = await caller.call("account.signIn", { email: "x".repeat(200_000) });
  expect(huge).toMatchObject({ code: "invalid-argument" });
  expect(huge.status).toBeLessThan(500);
  expect(await caller.call("account.nothing")).toMatchObject({ status: 404, code: "not-found" });
  expect(await caller.call("__proto__.toString")).toMatchObject({ status: 404, code: "not-found" });
});
