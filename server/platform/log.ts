import { DrizzleQueryError } from "drizzle-orm";
import { destination, pino } from "pino";
import type { Environment } from "./environment.ts";

export type Log = ReturnType<typeof createLog>;

const ofDatabase = ["code", "table", "constraint", "routine"] as const;

/**
 * What of an error may stand in a log. A failed query carries the values that people entered, in its message, its
 * stack and PostgreSQL's detail: only its statement and the names PostgreSQL gives are kept.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  if (!(error instanceof DrizzleQueryError))
    return { name: error.name, message: error.message, stack: error.stack };
  const cause: unknown = error.cause;
  const names =
    typeof cause === "object" && cause !== null
      ? ofDatabase.map((key) => [key, Reflect.get(cause, key)])
      : [];
  return { name: error.name, statement: error.query, ...Object.fromEntries(names) };
}

/** JSON lines on standard output; on a terminal the same, since one form is enough to learn. */
export function createLog(level: Environment["logLevel"]) {
  const output = destination({ dest: 1, sync: true });
  // Nobody may be there to read, as when a terminal is closed: that is no reason to end.
  output.on("error", () => {});
  return pino({ level, base: null, serializers: { err: errorForLog, error: errorForLog } }, output);
}
