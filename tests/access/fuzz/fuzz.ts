import fc from "fast-check";
import type { Role, Status } from "#domain/account.ts";
import type { ContractProcedure } from "#tests/access/input-fields.ts";
import { things } from "#tests/access/object-world.ts";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { bodiesOf, forged } from "./arbitraries.ts";

/**
 * Number of calls after which an account is replaced: before it reaches the limit of changes, and before it has signed
 * itself out.
 */
const callsOfAccount = 60;

const accounts: readonly (readonly [Role, Status])[] = [
  ["student", "active"],
  ["agent", "approved"],
  ["agent", "pending"],
  ["admin", "active"],
];

/** The seed; set FUZZ_SEED to the one that a run printed to repeat that run. */
export const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2_147_483_647);

/** Returns a procedure's own seed: with a shared one, each would get the same kinds of input in the same order. */
export const seedOf = (procedure: string): number => seed ^ fc.hash(procedure);

/** Selects the callers in turn. A kind that is always refused calls only every tenth time. */
class Turns {
  readonly #w: Wayfare;
  readonly #callers = new Map<number, { caller: Caller; left: number }>();
  readonly #refused = new Map<number, { calls: number; refused: number }>();
  #turn = 0;

  constructor(w: Wayfare) {
    this.#w = w;
  }

  async next(): Promise<{ caller: Caller; answered: (code: string | null) => void }> {
    for (;;) {
      const turn = this.#turn++;
      const at = turn % (accounts.length + 1);
      const count = this.#refused.get(at) ?? { calls: 0, refused: 0 };
      this.#refused.set(at, count);
      const isAlwaysRefused = count.calls >= 3 && count.refused === count.calls;
      if (isAlwaysRefused && Math.floor(turn / (accounts.length + 1)) % 10 !== 0) continue;
      const answered = (code: string | null) => {
        count.calls++;
        if (code === "permission-denied" || code === "unauthenticated") count.refused++;
      };
      return { caller: await this.#caller(at), answered };
    }
  }

  async #caller(at: number): Promise<Caller> {
    const [role, status] = accounts[at] ?? [];
    if (role === undefined || status === undefined) return new Caller(this.#w.app);
    const account = this.#callers.get(at);
    if (account && account.left-- > 0) return account.caller;
    const { caller } = await person(this.#w, role, status);
    this.#callers.set(at, { caller, left: callsOfAccount });
    return caller;
  }
}

/**
 * Sends generated inputs to procedures as visitors, students, agents, waiting agents and admins in turn. Each call
 * comes from another address and accounts are replaced, so that limits hide nothing.
 */
export class Fuzz {
  readonly #w: Wayfare;
  readonly #ids: readonly string[];
  /** Unhandled rejections. */
  readonly #problems: string[] = [];
  #calls = 0;
  #accepted = 0;

  private constructor(w: Wayfare, ids: readonly string[]) {
    this.#w = w;
    this.#ids = ids;
  }

  static async open(w: Wayfare): Promise<Fuzz> {
    const kinds = Object.values(things);
    const ids = await Promise.all(kinds.map(async (make) => String((await make(w)).id)));
    const fuzz = new Fuzz(w, ids);
    process.on("unhandledRejection", fuzz.#note);
    process.on("uncaughtExceptionMonitor", fuzz.#note);
    return fuzz;
  }

  readonly #note = (error: unknown) => void this.#problems.push(`unhandled: ${String(error)}`);

  close(): void {
    process.off("unhandledRejection", this.#note);
    process.off("uncaughtExceptionMonitor", this.#note);
  }

  get calls(): number {
    return this.#calls;
  }

  /** Number of calls that succeeded. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Throws for an answer of 500 or above and for an undeclared error, with what is needed to repeat the call. */
  async run({ path, input, codes }: ContractProcedure, numRuns: number): Promise<void> {
    const expected = new Set<string | null>([...codes, "unauthenticated", "permission-denied", "not-found"]);
    const turns = new Turns(this.#w);
    const property = fc.asyncProperty(bodiesOf(input, this.#ids), async (body) => {
      const { caller, answered } = await turns.next();
      const address = elsewhere(this.#calls++);
      const { status, code, body: answer } = await caller.call(path, {}, { body, address });
      answered(code);
      if (status === 200) this.#accepted++;
      const text = JSON.stringify(answer);
      if (status >= 500) throw new Error(`${path} answered ${status}: ${text}`);
      if (status !== 200 && !expected.has(code)) throw new Error(`${path} does not declare ${code}: ${text}`);
      if (/ at .*\.(ts|js|mjs):\d|select .* from |insert into |postgres|node_modules/.test(text))
        throw new Error(`${path} told of its inside: ${text}`);
    });
    await fc.assert(property, { numRuns, seed: seedOf(path) });
  }

  /** Lists stored values that nobody may store, and bugs in the server's log. */
  async problems(): Promise<string[]> {
    const { pool } = this.#w.services.database;
    const problems = [...this.#problems];
    const { rows: tables } = await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rowCount } = await pool.query(`select 1 from "${name}" t where t::text like $1`, [
        `%${forged}%`,
      ]);
      if (rowCount) problems.push(`a field that the input does not have is stored in ${name}`);
    }
    // The tests' own people have a known address; everyone else signed up during the run.
    const { rows: people } = await pool.query<{ email: string; role: string; status: string }>(`
      select email, role, status from "user"
      where email not like '%@example.org' and (
        role = 'admin' or email_verified or approved_at is not null or assigned_agent_id is not null
        or status <> case role when 'agent' then 'pending' else 'active' end)
      or role = 'admin' and email not like 'admin-%@example.org'`);
    for (const each of people) problems.push(`${each.email} made themselves ${each.role}, ${each.status}`);
    if ("isAdmin" in {}) problems.push("the prototype of all objects was changed");
    for (const { level, msg, err } of this.#w.log)
      if (level >= 50) problems.push(`the log: ${msg} ${err?.message ?? ""}`);
    return problems;
  }
}

const elsewhere = (call: number) => `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}`;
