import type { Writable } from "node:stream";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { operator } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { headOf, headText } from "#server/features/audit/verify-chain.ts";
import { lockForBackup } from "#server/platform/advisory-locks.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { unfinishedJobs } from "#server/platform/jobs.ts";
import { mailQueue } from "#server/platform/mail-queue.ts";
import { appliedMigration, connected } from "#server/platform/prepare-database.ts";
import type { Storage } from "#server/platform/storage.ts";
import { ownVersion } from "#server/platform/version.ts";
import { formatVersion, type Manifest, names } from "./archive-format.ts";
import { copied, prepareSession, qualified, sequencesOf, tableNames, tablesInOrder } from "./schema.ts";
import { exposeStoredFiles, holdNamedFiles, type NamedFile, namedFiles, storedSize } from "./stored-files.ts";
import { type ArchiveWriter, streamArchive, writeArchive } from "./write-archive.ts";

/** The methods of the store that a backup calls. */
type FileSource = Pick<Storage["disk"], "exists" | "getMetaData" | "getStream">;

type Source = {
  /** Address of the database for the role that owns the tables. */
  owner: DatabaseAddress;
  files: FileSource;
  /** The secret of DATA_DIR; null if there is none, or another is used. */
  sessionSecret: string | null;
  passphrase: string | null;
  /** Whether a database without any account may be backed up. Usually it is the wrong one. */
  mayBeEmpty: boolean;
  say(line: string): void;
};

/** `missing`: files that rows name and the store lacks. `auditHead`: the end of the audit log, if it has any. */
export type BackupSummary = { rows: number; files: number; missing: number; auditHead: string | null };

/** Bytes of rows in one entry: a table's length is not known before it is read. */
const rowsInEntry = 1024 * 1024;

/**
 * Writes database and files to one file or stream, while Wayfare may run: the rows of one snapshot, and every file that
 * they name. Until the end, none of these files is deleted from the store. Holds one piece at a time in memory.
 */
export async function createBackup(to: string | Writable, source: Source): Promise<BackupSummary> {
  // Ending the connection releases the lock.
  return await connected(source.owner, async (client) => {
    await prepareSession(client);
    await exposeStoredFiles(client);
    await lockForBackup(client, () => source.say("Another backup is being made: waiting until it is done."));
    const summary: BackupSummary = { rows: 0, files: 0, missing: 0, auditHead: null };
    const fill = async (archive: ArchiveWriter) => {
      await beginSnapshot(client);
      if (!source.mayBeEmpty) await refuseEmpty(client);
      const manifest = await describe(client);
      summary.auditHead = manifest.auditHead ?? null;
      await archive.addJson(names.manifest, manifest);
      if (source.sessionSecret !== null) {
        const secret = Buffer.from(source.sessionSecret);
        await archive.add(names.sessionSecret, secret.length, [secret]);
      }
      for (const table of manifest.tables) summary.rows += await addTable(archive, client, table);
      await addMails(archive, client);
      await holdNamedFiles(client);
      await client.query("commit");
      for await (const page of namedFiles(client)) await addFiles(archive, source, page, summary);
    };
    if (typeof to === "string") await writeArchive(to, source.passphrase, fill);
    else await streamArchive(to, source.passphrase, fill);
    return summary;
  });
}

/** Begins a snapshot. No table can be altered before its rows are read. */
async function beginSnapshot(client: pg.Client): Promise<void> {
  const tables = await tableNames(client);
  if (tables.length === 0) throw new Error("There is no Wayfare in this database: nothing to back up.");
  await client.query("begin isolation level repeatable read, read only");
  // This takes no snapshot yet.
  await client.query(`lock table ${tables.map(qualified).join(", ")} in access share mode`);
}

/** Records a backup in the audit log, which shows the age of the last one. */
export async function recordBackup(owner: DatabaseAddress, { rows, files }: BackupSummary): Promise<void> {
  const detail: AuditDetail = { by: operator, rows: String(rows), files: String(files) };
  await connected(owner, (client) => recordAudit(drizzle(client), { action: "backed-up", detail }));
}

async function refuseEmpty(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from "user" limit 1');
  if (rowCount === 0)
    throw new Error(
      "Nobody has an account in this database: check that it is the right one (DATA_DIR, DATABASE_URL), or say --empty. Nothing was written.",
    );
}

async function describe(client: pg.Client): Promise<Manifest> {
  const { rows } = await client.query<{ now: Date; version: string }>(
    "select now(), current_setting('server_version') as version",
  );
  const [row] = rows;
  const migration = await appliedMigration(client);
  if (!row || !migration) throw new Error("There is no Wayfare in this database: nothing to back up.");
  const tables = await tablesInOrder(client);
  const head = tables.some(({ name }) => name === "audit_chain") ? await headOf(client) : null;
  return {
    format: "wayfare-backup",
    version: formatVersion,
    createdAt: row.now.toISOString(),
    wayfare: ownVersion,
    postgres: row.version,
    migration,
    auditHead: head && headText(head),
    tables,
    sequences: await sequencesOf(client),
  };
}

/** Adds a table to the archive. Returns how many rows it has. */
async function addTable(
  archive: ArchiveWriter,
  client: pg.Client,
  table: Manifest["tables"][number],
): Promise<number> {
  const rows = client.query(copyTo(`copy ${copied(table)} to stdout`));
  let number = 0;
  for await (const piece of piecesOf(rows)) {
    number += 1;
    await archive.add(numbered(`${names.tables}${table.name}/`, number), piece.length, [piece]);
  }
  return rows.rowCount;
}

const numbered = (folder: string, number: number): string => `${folder}${String(number).padStart(6, "0")}`;

async function* piecesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    pieces.push(piece);
    size += piece.length;
    if (size < rowsInEntry) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

async function addMails(archive: ArchiveWriter, client: pg.Client): Promise<void> {
  let number = 0;
  for await (const mails of unfinishedJobs(client, mailQueue)) {
    number += 1;
    await archive.addJson(`${numbered(names.mails, number)}.json`, mails);
  }
}

async function addFiles(
  archive: ArchiveWriter,
  { files, say }: Source,
  page: readonly NamedFile[],
  summary: BackupSummary,
): Promise<void> {
  const entries = await Promise.all(
    page.map(async ({ key }) => ({ key, size: await storedSize(files, key) })),
  );
  for (const { key, size } of entries) {
    if (size === null) {
      say(`Missing in the store: ${key}`);
      summary.missing += 1;
      continue;
    }
    await archive.add(`${names.files}${key}`, size, await files.getStream(key));
    summary.files += 1;
  }
}
