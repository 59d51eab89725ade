import { setInterval } from "node:timers/promises";
import pg from "pg";
import { SteadyClient } from "./database.ts";
import { EnvironmentError } from "./environment.ts";

type Options = {
  say(line: string): void;
  /** Ends the waiting. */
  stop: AbortSignal;
  /** Milliseconds. */
  waitFor?: number;
};

/** A server that starts, shuts down or has no connection free: soon it may have one. */
const busyCodes = new Set(["57P03", "53300"]);

/**
 * Waits for the PostgreSQL that a variable names, which may start at the same time, for a minute. Throws an
 * EnvironmentError that says what to check, and nothing of the password. False when the waiting was ended.
 */
export async function waitForDatabase(
  variable: string,
  connectionString: string,
  { say, stop, waitFor = 60_000 }: Options,
): Promise<boolean> {
  const deadline = performance.now() + waitFor;
  const first = await tryToConnect(variable, connectionString);
  if (first === null) return true;
  say(`Waiting up to a minute for ${first}.`);
  try {
    for await (const _ of setInterval(500, undefined, { signal: stop })) {
      const failure = await tryToConnect(variable, connectionString);
      if (failure === null) return true;
      if (performance.now() >= deadline)
        throw new EnvironmentError(
          `Gave up on ${failure}. Check that it is running, that host and port are right, and that no firewall is in between.`,
        );
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  return false;
}

/** Null, or what can't be reached and why. */
async function tryToConnect(variable: string, connectionString: string): Promise<string | null> {
  const client = new SteadyClient({ connectionString, connectionTimeoutMillis: 5000 });
  const server = `PostgreSQL at ${client.host}, port ${client.port} (${variable})`;
  try {
    await client.connect();
    return null;
  } catch (error) {
    // What PostgreSQL itself refuses stays refused; a network may come up.
    if (error instanceof pg.DatabaseError && !busyCodes.has(error.code ?? ""))
      throw new EnvironmentError(
        `${server} refuses the connection: ${error.message}. Check the user, the password and the name of the database.`,
      );
    return `${server}: ${reason(error)}`;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Of a host with several addresses there is an error each, and none of them in the message. */
function reason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
