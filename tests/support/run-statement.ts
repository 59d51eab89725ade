import pg from "pg";
import type { DatabaseAddress } from "#server/platform/database.ts";

/** Runs a statement on a new connection. */
export async function runStatement(address: DatabaseAddress, statement: string): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
