import type pg from "pg";
import type { DatabaseAddress } from "./database.ts";
import { OperatorError } from "./operator-error.ts";
import { connected } from "./prepare-database.ts";

/** The oldest major version of PostgreSQL that Wayfare runs on. */
const leastVersion = 15;
/** How often two connections are compared: a pooler has several servers to choose from. */
const rounds = 3;

/** Throws OperatorError for a PostgreSQL that is too old, or behind a pooler that shares connections. */
export async function checkServer(
  variable: string,
  address: DatabaseAddress,
  least = leastVersion,
): Promise<void> {
  await connected(address, async (one) => {
    await requireVersion(one, variable, least);
    await connected(address, async (other) => {
      for (let round = 0; round < rounds; round++)
        if (await isShared(one, other))
          throw new OperatorError(
            `Between Wayfare and the PostgreSQL of ${variable} is a pooler that gives each transaction another connection. Wayfare listens for events and holds locks on its connections: set pool_mode = session there, or go past it.`,
          );
    });
  });
}

async function requireVersion(client: pg.Client, variable: string, least: number): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  );
  const [row] = rows;
  if (row && row.number < least * 10_000)
    throw new OperatorError(
      `The PostgreSQL of ${variable} is version ${row.version}: Wayfare needs ${least} or later.`,
    );
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

/** Whether one connection loses its server process when the other begins a transaction. */
async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await serverOf(one);
  await other.query("begin");
  try {
    return (await serverOf(other)) === before || (await serverOf(one)) !== before;
  } finally {
    await other.query("rollback");
  }
}
