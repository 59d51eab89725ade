import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Operation, operations } from "#contract/operations.ts";
import type { Role, Status } from "#domain/account.ts";
import { type ApiScope, scopesOf } from "#domain/api-scope.ts";
import { needsKey } from "#server/endpoints/api/find-operation.ts";
import { type ApiDocument, fetchDocument } from "#tests/api/document.ts";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { inputsOf } from "./fuzz/arbitraries.ts";
import { seed, seedOf } from "./fuzz/fuzz.ts";
import { things } from "./object-world.ts";

/**
 * Total number of calls; `npm run test:security -- api` makes 10,000. Each operation needs more calls than there are
 * sessions, because its keys come after them.
 */
const total = Number(process.env["FUZZ_RUNS"] ?? 1_200);
const runs = Math.ceil(total / operations.length);
/** Number of calls after which an account and its keys are replaced: it must stay below their limit of changes. */
const callsOfAccount = 60;

/** A kind of caller: a session of some role, or a key with one scope. */
type Kind = { role: Role; status: Status; scope: ApiScope | null } | "visitor";
type FuzzCaller = { kind: Kind; caller: Caller; headers: Record<string, string>; left: number };

const sessions: readonly Kind[] = [
  "visitor",
  { role: "student", status: "active", scope: null },
  { role: "agent", status: "approved", scope: null },
  { role: "agent", status: "pending", scope: null },
  { role: "admin", status: "active", scope: null },
];
const keysOf = (role: "agent" | "admin") =>
  scopesOf(role).map((scope): Kind => ({ role, status: role === "agent" ? "approved" : "active", scope }));
const keys: readonly Kind[] = [...keysOf("agent"), ...keysOf("admin")];

/** Words that are planted in other people's things, by who may read them. */
const planted = { nobody: new Set<string>(), admins: new Set<string>(), staff: new Set<string>() };

let w: Wayfare;
let api: ApiDocument;
let ids: string[];
const fuzzCallers = new Map<string, FuzzCaller>();
const counts = { calls: 0, done: 0, byScope: new Map<string, number>(), statuses: new Map<number, number>() };

beforeAll(async () => {
  w = await wayfare();
  api = await fetchDocument(w.app);
  ids = [];
  for (const [kind, make] of Object.entries(things)) {
    const thing = await make(w);
    ids.push(String(thing.id));
    const own = thing.words.at(-1) ?? "";
    if (kind === "notification" || kind === "apiKey") planted.nobody.add(own);
    else if (kind === "document") planted.admins.add(own);
    // Only the buyer sees an item's seller, and nobody sees a picture's owner.
    else for (const word of thing.words) planted.staff.add(word);
    // Every student's address and identity number contain this word.
    const place = ["student", "document", "application", "shortlistItem"].includes(kind) && thing.words[1];
    if (place) planted.nobody.add(place);
  }
  for (const word of planted.nobody) planted.staff.delete(word);
});
afterAll(() => w.stop());

async function fuzzCallerFor(kind: Kind): Promise<FuzzCaller> {
  const name = JSON.stringify(kind);
  const before = fuzzCallers.get(name);
  if (before && before.left-- > 0) return before;
  const fuzzCaller = await newAsker(kind);
  fuzzCallers.set(name, fuzzCaller);
  return fuzzCaller;
}

async function newAsker(kind: Kind): Promise<FuzzCaller> {
  if (kind === "visitor")
    return { kind, caller: new Caller(w.app), headers: {}, left: Number.POSITIVE_INFINITY };
  const { role, status, scope } = kind;
  const { caller } = await person(w, role, status);
  if (scope === null) return { kind, caller, headers: {}, left: callsOfAccount };
  const { key } = await caller.api.apiKeys.create({ name: "Test", scopes: [scope], days: null });
  const headers = { authorization: `Bearer ${key}` };
  return { kind, caller: new Caller(w.app), headers, left: callsOfAccount };
}

/** Returns the caller of a turn: all sessions, then the keys with the operation's scope, and one key of any scope. */
function kindFor({ scope }: Operation, turn: number): Kind {
  const withScope = keys.filter((kind) => kind !== "visitor" && kind.scope === scope);
  const all = [...sessions, ...withScope, keys[Math.floor(turn / 8) % keys.length] ?? "visitor"];
  return all[turn % all.length] ?? "visitor";
}

const textOf = (value: unknown): string => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "x" : value.toISOString();
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
};
/** Encodes one segment of a path, which can't be empty. */
const part = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed().slice(0, 300)) || "-";

type SentRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
};

function requestOf(operation: Operation, input: unknown, odd: Odd): SentRequest {
  const values: Record<string, unknown> =
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? Object.fromEntries(Object.entries(input))
      : {};
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => part(values[name]));
  const rest = Object.entries(values).filter(([name]) => !operation.path.includes(`{${name}}`));
  const headers: Record<string, string> = {};
  if (odd.accept !== null) headers["accept"] = odd.accept;
  if (odd.key !== null) headers["idempotency-key"] = odd.key;
  else if (needsKey(operation)) headers["idempotency-key"] = randomUUID();
  const method = odd.method ?? operation.method;
  if (method === "GET" || method === "HEAD") {
    const search = new URLSearchParams(
      Object.fromEntries(rest.map(([name, value]) => [name, textOf(value).slice(0, 2000)])),
    );
    return { method, path: `${path}?${search.toString()}`, headers, body: undefined };
  }
  headers["content-type"] = odd.type ?? "application/json";
  const body = odd.body ?? JSON.stringify(Array.isArray(input) ? input : Object.fromEntries(rest));
  return { method, path, headers, body };
}

/** Generates a deviation in one of 20 cases, otherwise null. */
const rarely = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const oddities = fc.record({
  method: rarely(fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")),
  accept: rarely(fc.constantFrom("text/html", "*/*", "application/json;q=0", "application/*", "")),
  type: rarely(fc.constantFrom("text/plain", "multipart/form-data", "application/JSON; charset=utf-8", "")),
  body: rarely(
    fc.constantFrom(
      "",
      "{",
      "null",
      "[]",
      '"x"',
      "[".repeat(20_000),
      '{"__proto__":{"a":1}}',
      "x".repeat(131_073),
    ),
  ),
  key: rarely(fc.constantFrom("x", '"', randomUUID(), "00000000-0000-4000-8000-000000000000")),
});
type Odd = typeof oddities extends fc.Arbitrary<infer Value> ? Value : never;

const elsewhere = (call: number) => `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}`;

/** Returns the planted words that this kind of caller must not read. */
function wordsKeptFrom(kind: Kind): string[] {
  const isStaff = kind !== "visitor" && kind.status !== "pending" && kind.role !== "student";
  if (!isStaff) return [...planted.nobody, ...planted.admins, ...planted.staff];
  return kind.role === "admin" ? [...planted.nobody] : [...planted.nobody, ...planted.admins];
}

// The last test checks the effects of all calls before it.
describe("generated calls, in this order", { shuffle: false }, () => {
  test.each(operations)(`$id: ${runs} generated calls, seed ${seed}`, async (operation) => {
    let turn = 0;
    const calls = fc.asyncProperty(inputsOf(operation.input, ids), oddities, async (input, odd) => {
      const kind = kindFor(operation, turn++);
      const { caller, headers } = await fuzzCallerFor(kind);
      const request = requestOf(operation, input, odd);
      const init = {
        method: request.method,
        headers: { ...request.headers, ...headers },
        ...(request.body !== undefined && { body: request.body }),
      };
      const response = await caller.request(`/api/v1${request.path}`, init, elsewhere(counts.calls++));
      const { status } = response;
      const text = await response.text();
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      const where = `${JSON.stringify(kind)} ${request.method} ${request.path.slice(0, 200)}: ${status} ${text.slice(0, 500)}`;
      if (status >= 500) throw new Error(where);
      if (request.method === "HEAD") return;
      const at = api.at(request.method, new URL(`http://a/api/v1${request.path}`).pathname);
      const undeclared = api.check(at, { status, headers: response.headers, text });
      if (undeclared !== null) throw new Error(`undeclared: ${undeclared}\n${where}`);
      for (const word of wordsKeptFrom(kind))
        if (text.includes(word)) throw new Error(`somebody else's ${word}\n${where}`);
      if (status !== 200) return;
      counts.done++;
      if (kind === "visitor" || kind.scope === null || at === "unmatched") return;
      counts.byScope.set(kind.scope, (counts.byScope.get(kind.scope) ?? 0) + 1);
      const needed = at.security.find((each) => each["apiKey"])?.["apiKey"]?.[0];
      if (needed !== kind.scope) throw new Error(`done without the scope ${needed}\n${where}`);
    });
    await fc.assert(calls, { numRuns: runs, seed: seedOf(operation.id) });
  });

  test("every caller got answers, enough of them successful, and no bug was logged", () => {
    console.log(
      `${counts.calls} calls, ${counts.done} carried out; by status:`,
      Object.fromEntries([...counts.statuses].toSorted(([one], [other]) => one - other)),
    );
    expect(counts.calls).toBeGreaterThanOrEqual(runs * operations.length);
    // Most calls are refused, since many come from keys of another scope or callers without permission.
    expect(counts.done / counts.calls).toBeGreaterThan(0.05);
    // Random input is rarely valid for the few calls of some scopes.
    expect(counts.byScope.size).toBeGreaterThan(runs < 100 ? 3 : 8);
    expect(w.log.filter(({ level }) => level >= 50)).toEqual([]);
  });
});
