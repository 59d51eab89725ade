import { sql } from "drizzle-orm";
import type pg from "pg";
import type { Reader } from "./database.ts";

/** The numbers of PostgreSQL's advisory locks: the same on every node, and never changed. */
export const advisoryLocks = {
  /** Held while tables are brought up to date. */
  migration: 7_233_001,
  /** Held by a transaction that has written to the audit log while it commits (migration 0016). */
  auditChain: 7_233_002,
  /** Held until an import is done. */
  import: 7_233_003,
  /** Held by a backup until the last file is copied. */
  backup: 7_233_004,
  /** Held by a transaction that compares the fingerprints of secrets. */
  secrets: 7_233_005,
  /** Held, with the student's hash as its second key, by a transaction that records a file of a message. */
  messageFiles: 7_233_006,
  /** Held by a transaction that adds to the log of auctions. */
  auctionLog: 7_233_007,
  /** Held while an import of programmes, or its undo, goes through its batches. */
  programmes: 7_233_008,
  /** Held shared by transactions that store entry requirements, exclusively by one that removes unused ones. */
  requirements: 7_233_009,
  /** Held by a transaction that checks that sources and ids are free and assigns them to programmes. */
  programmeSources: 7_233_010,
} as const;

/** Takes the backup lock until this connection closes. Calls `onWait` first if another backup holds it. */
export async function lockForBackup(client: pg.Client, onWait: () => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    advisoryLocks.backup,
  ]);
  if (rows[0]?.taken === true) return;
  onWait();
  await client.query("select pg_advisory_lock($1)", [advisoryLocks.backup]);
}

/**
 * Whether files without records may be deleted: only while no backup runs, which may still see their records. A backup
 * that begins later doesn't see them.
 */
export async function mayDeleteFiles(db: Reader): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    // Released at the end of the statement.
    sql`select pg_try_advisory_xact_lock_shared(${advisoryLocks.backup}) as free`,
  );
  return rows[0]?.free === true;
}
