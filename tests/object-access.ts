import { randomUUID } from "node:crypto";
import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { requests } from "#server/platform/tracing.ts";
import { type Answer, Caller } from "./caller.ts";
import { contractProcedures, inputFields, isIdentifier } from "./input-fields.ts";
import {
  type Relation,
  relations,
  stored,
  type Thing,
  type ThingKind,
  things,
  whoIs,
} from "./object-world.ts";
import type { Wayfare } from "./wayfare.ts";

/**
 * Who may name somebody's thing in a field of an input. To everybody else the answer is that of an id which nothing has,
 * and nothing is written.
 */
type ObjectRule =
  | {
      of: ThingKind;
      may: readonly Relation[];
      /** Who sees the thing all the same, and is told by which code that this is not for them. */
      told?: Partial<Record<Relation, ErrorCode>>;
      /** Who names one that is not theirs is answered like its owner, and nothing happens. */
      silent?: true;
      /** What else has to be in the input, so that only this field can be refused. */
      beside?: (w: Wayfare) => Promise<object>;
    }
  /** Who has it may use it: a token of a link. */
  | "bearer"
  /** The caller's own choice: the same one of somebody else is another thing. */
  | "own";

/** "procedure field" → rule. */
export type ObjectRules = Readonly<Record<string, ObjectRule>>;

const serializer = new StandardRPCJsonSerializer();
/** An input with dates in it too, as the browser's client writes it. */
function rpcBody(input: unknown): string {
  const [json, meta] = serializer.serialize(input);
  return JSON.stringify({ json, meta });
}

/** Neither an id of anything nor like one. */
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
/** An id that nothing has. */
const missing = (thing: Thing) => (typeof thing.id === "number" ? thing.id - 1 : randomUUID());
const malformedOf = (thing: Thing): unknown[] =>
  typeof thing.id === "number" ? [0, -1, 1.5, 2 ** 53, "1", null] : malformed;

/** Statements that the server has run for each request, by the id in its answer: an earlier one may still be at work. */
const statements = new Map<string, number>();

/**
 * Those that depend on the caller alone, in their own time: who asks is read again whenever news of their account arrive,
 * and limits count several calls in one statement.
 */
function isOfCaller(query: unknown): boolean {
  const { name, text } = { name: undefined, text: query, ...Object(query) };
  return name === "session_by_token" || /"?(?:brief|rate)_limit"?/.test(String(text));
}

/** From now on they are counted: those of requests, not what the server does by itself meanwhile. */
function countStatements(): () => void {
  const { query } = pg.Client.prototype;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...words: unknown[]): unknown {
      const requestId = requests.getStore()?.requestId;
      if (requestId !== undefined && !isOfCaller(words[0]))
        statements.set(requestId, (statements.get(requestId) ?? 0) + 1);
      return Reflect.apply(query, this, words);
    },
  });
  return () => void Object.assign(pg.Client.prototype, { query });
}

/** What a caller can tell two answers apart by, and by how much work they took. */
type Seen = { status: number; body: unknown; retryAfter: string | null; statements: number };

async function watched(send: () => Promise<Answer>): Promise<Answer & { seen: Seen }> {
  const answer = await send();
  const { status, body, headers } = answer;
  const requestId = headers.get("x-request-id");
  if (requestId === null) throw new Error("an answer names no request");
  const count = statements.get(requestId) ?? 0;
  return { ...answer, seen: { status, body, retryAfter: headers.get("retry-after"), statements: count } };
}

function expectNoWord(answer: Answer, { words }: Thing): void {
  const all = JSON.stringify([answer.body, ...answer.headers]);
  for (const word of words) expect(all).not.toContain(word);
}

type Parts = {
  rules: ObjectRules;
  /** Inputs that pass the contract, by procedure. */
  inputs: Readonly<Record<string, object>>;
  wayfare: () => Wayfare;
};

/** Holds every identifier of every input against every kind of caller. */
export function describeObjectAccess({ rules, inputs, wayfare }: Parts): void {
  const identifiers = contractProcedures().flatMap(({ path, input }) =>
    inputFields(input)
      .filter(isIdentifier)
      .map(({ name }) => `${path} ${name}`),
  );

  test("every identifier in an input has its rule, and every rule its identifier", () => {
    const advice = "add a line to tests/object-rules.ts: whose thing it is, and who may name it";
    expect(
      identifiers.filter((each) => !(each in rules)),
      advice,
    ).toEqual([]);
    const gone = Object.keys(rules).filter((each) => !identifiers.includes(each));
    expect(gone, "no input has these any more: remove their lines from tests/object-rules.ts").toEqual([]);
  });

  const walked = Object.entries(rules).flatMap(([name, rule]) =>
    rule === "own" ? [] : [[name, rule] as const],
  );
  describe.each(walked)("%s", (name, rule) => {
    // What it returns puts it back.
    beforeEach(() => countStatements());
    const [procedure = "", field = ""] = name.split(" ");
    const call = async (caller: Caller, value: unknown, beside: object = {}) => {
      const given = field.endsWith("[]") ? { [field.slice(0, -2)]: [value] } : { [field]: value };
      const input = { ...inputs[procedure], ...beside, ...given };
      return await watched(() => caller.call(procedure, {}, { body: rpcBody(input) }));
    };
    if (rule === "bearer") {
      test("a token that nobody was given does nothing, whatever it looks like", async () => {
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
    // Whoever is refused changes neither, so that one will do for all of them.
    let thing: Thing;
    let more: object;
    beforeAll(async () => {
      thing = await things[of](wayfare());
      more = await beside(wayfare());
    });

    test.each(may)("%s may", async (relation) => {
      const w = wayfare();
      const own: Thing = await things[of](w);
      const caller = await whoIs(w, relation, own);
      if (caller === null) throw new Error(`nobody is ${relation} of ${of}`);
      const { code, status } = await call(caller, own.id, await beside(w));
      // With the rest of the input right, so that it is not refused before anybody looks at the thing.
      expect(["unauthenticated", "permission-denied", "not-found", "invalid-argument"]).not.toContain(code);
      expect(status).toBeLessThan(500);
    });

    test.each(relations.filter((each) => !may.includes(each)))("%s may not", async (relation) => {
      const w = wayfare();
      const caller = await whoIs(w, relation, thing);
      if (caller === null) return;
      // The first refusal of an account is written down at once, and its session is read once.
      await call(caller, missing(thing), more);
      const before = await stored(w);
      const [forbidden, unknown] = [
        await call(caller, thing.id, more),
        await call(caller, missing(thing), more),
      ];
      expectNoWord(forbidden, thing);
      if (silent && forbidden.status === 200) expect(forbidden.body).toEqual({ done: true });
      else expect(forbidden.status).toBeGreaterThanOrEqual(400);
      const code = told[relation];
      if (code) expect(forbidden.code).toBe(code);
      else expect(forbidden.seen).toEqual(unknown.seen);
      expect(await stored(w)).toEqual(before);
    });

    test("what is no id is refused to everybody, and nothing is written", async () => {
      const w = wayfare();
      const callers = new Map<Relation, Caller | null>();
      for (const relation of relations) callers.set(relation, await whoIs(w, relation, thing));
      const before = await stored(w);
      for (const [relation, caller] of callers) {
        if (caller === null) continue;
        for (const value of [missing(thing), ...malformedOf(thing)]) {
          const answer = await call(caller, value, more);
          if (!silent) expect(answer.status, `${relation}: ${String(value)}`).toBeGreaterThanOrEqual(400);
          expect(answer.status).toBeLessThan(500);
        }
      }
      expect(await stored(w)).toEqual(before);
    });
  });
}
