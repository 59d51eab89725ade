import { setInterval } from "node:timers/promises";
import pg from "pg";
import { SteadyClient } from "./database.ts";
import { errorCode } from "./error-code.ts";
import { explained, OperatorError } from "./operator-error.ts";

type Options = {
  say(line: string): void;
  /** Ends the wait. */
  stop: AbortSignal;
  /** Milliseconds. */
  waitFor?: number;
};

/** Codes of a server that starts, shuts down or has no free connection: soon it may have one. */
const busyCodes = new Set(["57P03", "53300"]);

/**
 * Waits up to a minute for the PostgreSQL that a variable names, which may be starting too. Throws an OperatorError
 * that says what to check, without the password. Returns false if the wait was ended.
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
        throw new OperatorError(
          `Gave up on ${failure}. Check that it is running, that host and port are right, and that no firewall is in between.`,
        );
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  return false;
}

/** Certificates that can't be checked, which waiting doesn't improve. */
const tlsFailures = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

function tlsAdvice(error: unknown): string | null {
  if (error instanceof Error && error.message === "The server does not support SSL connections")
    return "does not speak TLS: switch ssl on there, or say sslmode=disable if the network between is yours alone.";
  if (!(error instanceof Error) || !tlsFailures.has(errorCode(error) ?? "")) return null;
  return `has a certificate that can't be checked (${error.message}). Name the authority that signed it, sslmode=verify-full&sslrootcert=/path/ca.pem, and the host as the certificate has it. sslmode=no-verify encrypts without checking whom it talks to.`;
}

function clientFor(variable: string, connectionString: string): SteadyClient {
  try {
    return new SteadyClient({ connectionString, connectionTimeoutMillis: 5000 });
  } catch (error) {
    // The file of sslrootcert, sslcert or sslkey can't be read.
    throw new OperatorError(`${variable}: ${explained(error)}`, { cause: error });
  }
}

/** Returns null once connected, or a sentence about what can't be reached and why. */
async function tryToConnect(variable: string, connectionString: string): Promise<string | null> {
  const client = clientFor(variable, connectionString);
  const server = `PostgreSQL at ${client.host}, port ${client.port} (${variable})`;
  try {
    await client.connect();
    return null;
  } catch (error) {
    const advice = tlsAdvice(error);
    if (advice !== null) throw new OperatorError(`${server} ${advice}`, { cause: error });
    // Refusals by PostgreSQL itself are final; a network may still come up.
    if (error instanceof pg.DatabaseError && !busyCodes.has(error.code ?? ""))
      throw new OperatorError(
        `${server} refuses the connection: ${error.message}. Check the user, the password and the name of the database.`,
      );
    return `${server}: ${reason(error)}`;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns an error's message. A host with several addresses has an error for each, and no message of its own. */
function reason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
