import { once } from "node:events";
import { Client, DatabaseError } from "pg";
import { errorCode } from "./error-code.ts";
import type { Location } from "./location.ts";
import { identityIn, lastIdentity } from "./postmaster.ts";
import { rolesOf } from "./program.ts";

/** `host` is the folder of the socket. The port is explicit, since PGPORT would apply otherwise. */
type Address = { host: string; port: 5432; user: string; database: "postgres" };

/** The address for the superuser that owns everything, and for the role that the program grants its rights. */
export type Addresses = Address & { application: Address };

/**
 * The state of a cluster's server: busy while it starts, recovers, shuts down or has no free connection; silent if
 * something listens and doesn't answer; absent if no server of this cluster listens.
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

/** Queries the server on this location's socket, and makes sure that it is this cluster's server. */
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
    // `ask` finds out why it ended.
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the rows of one statement, run on its own connection. */
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
  // A server that ends meanwhile also emits an event. Pending calls fail anyway.
  client.on("error", () => {});
  return client;
}
