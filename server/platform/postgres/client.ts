import { Client, DatabaseError } from "pg";
import type { Location } from "./location.ts";
import { identityIn, lastIdentity } from "./postmaster.ts";

/** `host` is the folder of the socket. The port is named, since PGPORT would count otherwise. */
export type Address = { host: string; port: 5432; user: Role; database: "postgres" };

/** `wayfare` owns everything and is a superuser; `wayfare_app` may only read and write rows. */
export type Role = "wayfare" | "wayfare_app";

/** How a cluster's server answers: busy while it starts, recovers, shuts down or has no connection free. */
export type Answer = "ready" | "busy" | "silent";

const busyCodes = new Set(["57P03", "53300"]);

export function addressOf({ sockets }: Location, user: Role = "wayfare"): Address {
  return { host: sockets, port: 5432, user, database: "postgres" };
}

/** Creates the application's role in a cluster that has none yet. */
export async function createApplicationRole(location: Location): Promise<void> {
  await query(
    location,
    `do $$ begin
       if not exists (select from pg_roles where rolname = 'wayfare_app') then create role wayfare_app login; end if;
     end $$;
     alter role wayfare_app set log_min_messages = log`,
  );
}

/** Asks the server on this location's socket with a query, and makes sure that it is this cluster's server. */
export async function ask(location: Location): Promise<Answer> {
  try {
    const rows = await query(location, "select pg_read_file('postmaster.pid') as contents");
    const identity = identityIn(String(rows[0]?.["contents"]));
    return identity === (await lastIdentity(location.cluster)) ? "ready" : "silent";
  } catch (error) {
    return error instanceof DatabaseError && busyCodes.has(error.code ?? "") ? "busy" : "silent";
  }
}

/** The rows of one statement on a connection of its own. */
export async function query(location: Location, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({
    ...addressOf(location),
    ssl: false,
    connectionTimeoutMillis: 2000,
    query_timeout: 10_000,
  });
  // A server that ends meanwhile also says so by an event; the query below fails all the same.
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
