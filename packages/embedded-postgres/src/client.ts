import { once } from "node:events";
import { Client, DatabaseError } from "pg";
import { errorCode } from "./error-code.ts";
import type { Location } from "./location.ts";
import { identityIn, lastIdentity } from "./postmaster.ts";
import { rolesOf } from "./program.ts";

/** `host` is the folder of the socket. The port is named, since PGPORT would count otherwise. */
type Address = { host: string; port: 5432; user: string; database: "postgres" };

/** The address for the role that owns everything and is a superuser, and for the one that the program grants its rights. */
export type Addresses = Address & { application: Address };

/**
 * How a cluster's server answers: busy while it starts, recovers, shuts down or has no connection free; silent when
 * something listens and says nothing; absent when no server of this cluster listens.
 */
export type Answer = "ready" | "busy" | "silent" | "absent";

const busyCodes = new Set(["57P03", "53300"]);
const absentCodes = new Set(["ENOENT", "ECONNREFUSED"]);

export function addressesOf({ program, sockets }: Location): Addresses {
  const { owner, application } = rolesOf(program);
  const addressOf = (user: string): Address => ({ host: sockets, port: 5432, user, database: "postgres" });
  return { ...addressOf(owner), application: addressOf(application) };
}

/** Creates the application's role in a cluster that has none yet. */
export async function createApplicationRole(location: Location): Promise<void> {
  const { application } = rolesOf(location.program);
  await query(
    location,
    `do $$ begin
       if not exists (select from pg_roles where rolname = '${application}') then create role ${application} login; end if;
     end $$;
     alter role ${application} set log_min_messages = log`,
  );
}

/** Asks the server on this location's socket with a query, and makes sure that it is this cluster's server. */
export async function ask(location: Location): Promise<Answer> {
  try {
    const rows = await query(location, "select pg_read_file('postmaster.pid') as contents");
    const identity = identityIn(String(rows[0]?.["contents"]));
    return identity === (await lastIdentity(location.cluster)) ? "ready" : "absent";
  } catch (error) {
    if (error instanceof DatabaseError && busyCodes.has(error.code ?? "")) return "busy";
    return absentCodes.has(errorCode(error) ?? "") ? "absent" : "silent";
  }
}

/** Resolves when a connection to the server ends, or could not be made, or is no longer wanted. */
export async function disconnection(location: Location, unwanted: AbortSignal): Promise<void> {
  const client = connection(location);
  try {
    await client.connect();
    await once(client, "end", { signal: unwanted });
  } catch {
    // Why it ended is for `ask` to say.
  } finally {
    await client.end().catch(() => {});
  }
}

/** The rows of one statement on a connection of its own. */
export async function query(location: Location, statement: string): Promise<Record<string, unknown>[]> {
  const client = connection(location);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function connection(location: Location): Client {
  const client = new Client({
    ...addressesOf(location),
    ssl: false,
    connectionTimeoutMillis: 2000,
    query_timeout: 10_000,
  });
  // A server that ends meanwhile also says so by an event; what waits for it fails all the same.
  client.on("error", () => {});
  return client;
}
