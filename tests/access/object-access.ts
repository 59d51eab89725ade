import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { requests } from "#server/platform/tracing.ts";
import { type Answer, Caller } from "#tests/support/caller.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { contractProcedures, inputFields, isIdentifier } from "./input-fields.ts";
import { type Relation, relations, type Thing, type ThingKind, things, whoIs } from "./object-world.ts";
import { stored } from "./stored.ts";

/**
 * The relations that may name a thing in a field of an input. Everyone else gets the answer for an unknown id, and
 * nothing is written.
 */
type ObjectRule =
  | {
      of: ThingKind;
      may: readonly Relation[];
      /** Relations that see the thing but may not do this, each with the code that says so. */
      told?: Partial<Record<Relation, ErrorCode>>;
      /** Whether naming another person's thing gets the owner's answer but does nothing. */
      silent?: true;
      /** Further fields of the input, so that only this field can be refused. */
      beside?: (w: Wayfare, thing: Thing) => Promise<object>;
    }
  /** A token of a link, which anyone who has it may use. */
  | "bearer"
  /** A value that the caller chooses: another person's equal value means another thing. */
  | "own";

/** Rules by "procedure field". */
export type ObjectRules = Readonly<Record<string, ObjectRule>>;

const serializer = new StandardRPCJsonSerializer();
/** Serializes an input, with its dates, as the browser's client does. */
function rpcBody(input: unknown): string {
  const [json, meta] = serializer.serialize(input);
  return JSON.stringify({ json, meta });
}

/** Values that neither are ids nor look like ids. */
const malformed = [
  "x",
  "../../etc/passwd",
  "' or 1=1 --",
  "0",
  "%00",
  "💥",
  "x".repeat(65),
  `${randomUUID()}0`,
];
/** Returns an id that nothing has. */
const missing = (thing: Thing) => (typeof thing.id === "number" ? thing.id - 1 : randomUUID());
const malformedOf = (thing: Thing): unknown[] =>
  typeof thing.id === "number" ? [0, -1, 1.5, 2 ** 53, "1", null] : malformed;

/** Statements of each request by its id, because an earlier request may still be running. */
const statements = new Map<string, string[]>();

/**
 * Whether a statement only depends on the caller and the time: a session is read again whenever its account changes,
 * and limits count several calls in one statement.
 */
function isOfCaller(statement: string): boolean {
  return statement === "session_by_token" || /"?(?:brief|rate)_limit"?/.test(statement);
}

/** Starts recording the statements of requests, except those of background work. Returns a function that stops it. */
function recordStatements(): () => void {
  const { query } = pg.Client.prototype;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...words: unknown[]): unknown {
      const requestId = requests.getStore()?.requestId;
      const { name, text } = { name: undefined, text: words[0], ...Object(words[0]) };
      const statement = String(name ?? text);
      if (requestId !== undefined && !isOfCaller(statement))
        statements.set(requestId, [...(statements.get(requestId) ?? []), statement]);
      return Reflect.apply(query, this, words);
    },
  });
  return () => void Object.assign(pg.Client.prototype, { query });
}

/** The parts of an answer by which a caller could distinguish two answers, including the amount of work. */
type ObservedAnswer = { status: number; body: unknown; retryAfter: string | null; statements: number };

type WatchedAnswer = Answer & { visible: ObservedAnswer; run: readonly string[] };

async function watched(send: () => Promise<Answer>): Promise<WatchedAnswer> {
  const answer = await send();
  const { status, body, headers } = answer;
  const requestId = headers.get("x-request-id");
  if (requestId === null) throw new Error("an answer names no request");
  const run = statements.get(requestId) ?? [];
  const visible = { status, body, retryAfter: headers.get("retry-after"), statements: run.length };
  return { ...answer, visible, run };
}

function expectNoWord(answer: Answer, { words }: Thing): void {
  const all = JSON.stringify([answer.body, ...answer.headers]);
  for (const word of words) expect(all).not.toContain(word);
}

type Parts = {
  rules: ObjectRules;
  /** Inputs that pass the contract, by procedure. */
  inputs: Readonly<Record<string, object>>;
  /** Starts a new server for some of the rules. */
  open: () => Promise<Wayfare>;
};

const rulesPerServer = 40;

/** Tests every identifier of every input with every kind of caller. */
export function describeObjectAccess(parts: Parts): void {
  const { rules } = parts;
  const identifiers = contractProcedures().flatMap(({ path, input }) =>
    inputFields(input)
      .filter(isIdentifier)
      .map(({ name }) => `${path} ${name}`),
  );

  test("every identifier in an input has its rule, and every rule its identifier", () => {
    const advice = "add a line to tests/access/object-rules.ts: whose thing it is, and who may name it";
    expect(
      identifiers.filter((each) => !(each in rules)),
      advice,
    ).toEqual([]);
    const gone = Object.keys(rules).filter((each) => !identifiers.includes(each));
    expect(gone, "no input has these any more: remove their lines from tests/access/object-rules.ts").toEqual(
      [],
    );
  });

  const walked = Object.entries(rules).flatMap(([name, rule]) =>
    rule === "own" ? [] : [[name, rule] as const],
  );
  // An address may make 6,000 calls a minute, so only some of the rules share a server.
  const groups = Array.from({ length: Math.ceil(walked.length / rulesPerServer) }, (_, at) =>
    walked.slice(at * rulesPerServer, (at + 1) * rulesPerServer),
  );
  for (const group of groups) describe(`rules from ${group[0]?.[0]} on`, () => describeRules(group, parts));
}

function describeRules(
  group: readonly (readonly [string, Exclude<ObjectRule, "own">])[],
  { inputs, open }: Parts,
): void {
  let server: Wayfare;
  const wayfare = () => server;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.stop());

  describe.each(group)("%s", (name, rule) => {
    // `beforeEach` calls the returned function afterwards, which stops the recording.
    beforeEach(() => recordStatements());
    const [procedure = "", field = ""] = name.split(" ");
    const call = async (caller: Caller, value: unknown, beside: object = {}) => {
      const fieldInput = field.endsWith("[]") ? { [field.slice(0, -2)]: [value] } : { [field]: value };
      const input = { ...inputs[procedure], ...beside, ...fieldInput };
      return await watched(() => caller.call(procedure, {}, { body: rpcBody(input) }));
    };
    if (rule === "bearer") {
      test("a token that was never issued does nothing, whatever its form", async () => {
        const w = wayfare();
        const visitor = new Caller(w.app);
        const before = await stored(w);
        const answers = [];
        for (const token of [randomUUID(), ...malformed]) answers.push(await call(visitor, token));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410]));
        expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
        expect(await stored(w)).toEqual(before);
      });
      return;
    }
    const { of, may, told = {}, silent = false, beside = async () => ({}) } = rule;

    test.each(may)("%s may", async (relation) => {
      const w = wayfare();
      const own: Thing = await things[of](w);
      const caller = await whoIs(w, relation, own);
      if (caller === null) throw new Error(`nobody is ${relation} of ${of}`);
      const { code, status } = await call(caller, own.id, await beside(w, own));
      // The rest of the input is valid, so that the call isn't refused before the thing is checked.
      expect(["unauthenticated", "permission-denied", "not-found", "invalid-argument"]).not.toContain(code);
      expect(status).toBeLessThan(500);
    });

    test("nobody else may, no malformed id is accepted, and nothing is written", async () => {
      const w = wayfare();
      // One thing is enough for all refusals, because they don't change it.
      const newThing = async () => {
        const thing: Thing = await things[of](w);
        return { thing, more: await beside(w, thing) };
      };
      const shared = await newThing();
      const callers: { relation: Relation; caller: Caller; thing: Thing; more: object }[] = [];
      for (const relation of relations) {
        // A student who stops sharing gets another agent, so this relation needs another thing.
        const target = relation === "stoppedAgent" ? await newThing() : shared;
        const caller = await whoIs(w, relation, target.thing);
        if (caller !== null) callers.push({ relation, caller, ...target });
      }
      // Makes one call ahead, because an account's first refusal is logged immediately, and its session is read once.
      for (const { caller, thing, more } of callers) await call(caller, missing(thing), more);
      const before = await stored(w);
      for (const { relation, caller, thing, more } of callers) {
        const unknown = await call(caller, missing(thing), more);
        const useless = [unknown];
        if (may.includes(relation))
          for (const value of malformedOf(thing)) useless.push(await call(caller, value, more));
        for (const { status } of useless) {
          if (!silent) expect(status, relation).toBeGreaterThanOrEqual(400);
          expect(status, relation).toBeLessThan(500);
        }
        if (may.includes(relation)) continue;
        const forbidden = await call(caller, thing.id, more);
        expectNoWord(forbidden, thing);
        if (silent && forbidden.status === 200) expect(forbidden.body, relation).toEqual({ done: true });
        else expect(forbidden.status, relation).toBeGreaterThanOrEqual(400);
        const code = told[relation];
        if (code) expect(forbidden.code, relation).toBe(code);
        else {
          // Once a minute the next refusal counts as a first one and is logged: then both calls are repeated.
          const isAlike = isDeepStrictEqual(forbidden.visible, unknown.visible);
          const other = isAlike ? unknown : await call(caller, missing(thing), more);
          const own = isAlike ? forbidden : await call(caller, thing.id, more);
          expect(own.visible, [relation, ...own.run, "or", ...other.run].join("\n")).toEqual(other.visible);
        }
      }
      expect(await stored(w)).toEqual(before);
    });
  });
}
