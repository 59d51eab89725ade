import { sql } from "drizzle-orm";
import type pg from "pg";
import { advisoryLocks } from "./advisory-locks.ts";
import type { Reader } from "./database.ts";

/** Takes the lock for this connection, for as long as it is open. `onWait`: another backup holds it. */
export async function lockForBackup(client: pg.Client, onWait: () => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    advisoryLocks.backup,
  ]);
  if (rows[0]?.taken === true) return;
  onWait();
  await client.query("select pg_advisory_lock($1)", [advisoryLocks.backup]);
}

/**
 * Whether a file may be deleted whose record was gone before this was asked. Not while a backup is being made: the
 * record may be in it. One that begins later does not see the record.
 */
export async function mayDeleteFiles(db: Reader): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    // Given back at the end of the statement.
    sql`select pg_try_advisory_xact_lock_shared(${advisoryLocks.backup}) as free`,
  );
  return rows[0]?.free === true;
}
