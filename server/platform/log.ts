import { inspect } from "node:util";
import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { type DestinationStream, destination, pino } from "pino";
import type { Environment } from "./environment.ts";
import { requestFields } from "./tracing.ts";

export type Log = ReturnType<typeof createLogTo>;

const databaseFields = ["code", "table", "constraint", "routine"] as const;

/** Whether an error repeats people's input: a mail server's answer about an address, or text that isn't JSON. */
const isAboutText = (error: Error): boolean => error instanceof SyntaxError || "responseCode" in error;

function pick(from: unknown, keys: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = Object(from);
  return Object.fromEntries(keys.map((key) => [key, fields[key]]));
}

/** Returns an error's stack without the message at its beginning. */
const placeOf = ({ stack = "" }: Error) => stack.slice(Math.max(0, stack.search(/^ {4}at /m)));

const withoutAddresses = (text: string) => text.replaceAll(/[^\s<>"']+@[^\s<>"']+/g, "(an address)");

/** Describes a thrown value that isn't an Error, such as the copies that the job queue passes on. */
function thrownForLog(thrown: unknown): Record<string, unknown> {
  const { message, code }: { message?: unknown; code?: unknown } = Object(thrown);
  // PostgreSQL's own messages may hold values.
  const isOfDatabase = typeof code === "string" && /^[\dA-Z]{5}$/.test(code);
  const text = typeof message === "string" && !isOfDatabase ? withoutAddresses(message) : undefined;
  return { ...(text === undefined ? {} : { message: text }), ...pick(thrown, databaseFields) };
}

/**
 * Returns the parts of an error that may be logged. A failed query carries the values that people entered in its
 * message, its stack and PostgreSQL's detail, so only its statement and the names that PostgreSQL gives are kept.
 * Addresses in messages are replaced.
 */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return thrownForLog(error);
  const { name } = error;
  if (error instanceof DrizzleQueryError)
    return { name, statement: error.query, ...pick(error.cause, databaseFields) };
  const stack = placeOf(error);
  if (error instanceof pg.DatabaseError) return { name, ...pick(error, databaseFields), stack };
  if (isAboutText(error)) return { name, ...pick(error, ["code", "command", "responseCode"]), stack };
  return { name, message: withoutAddresses(error.message), stack };
}

const levelNames: Record<number, string> = {
  10: "trace ",
  20: "debug ",
  40: "WARNING ",
  50: "ERROR ",
  60: "FATAL ",
};

/** Formats a line of JSON for a person at a terminal: time, level where it matters, message, and its other fields. */
export function readable(line: string): string {
  const { level, time, msg, err, ...rest }: Record<string, unknown> = JSON.parse(line);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const details = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const error = err === undefined ? "" : `\n${inspect(err)}`;
  return `${clock} ${levelNames[Number(level)] ?? ""}${String(msg)}${details.join("")}${error}\n`;
}

/** Writes the log to standard output. */
export function createLog(level: Environment["logLevel"], format: Environment["logFormat"] = "json"): Log {
  const output = destination({ dest: 1, sync: true });
  // Writing to a closed terminal fails, which must not end the process.
  output.on("error", () => {});
  const stream = format === "text" ? { write: (line: string) => output.write(readable(line)) } : output;
  return createLogTo(stream, level);
}

export const createLogTo = (stream: DestinationStream, level: Environment["logLevel"]) =>
  pino(
    {
      level,
      base: null,
      serializers: { err: errorForLog, error: errorForLog },
      mixin: requestFields,
    },
    stream,
  );

/** Returns a log that writes at any level: nobody can log in without the links that are announced at the start. */
export const announcements = (log: Log): Log => log.child({}, { level: "info" });
