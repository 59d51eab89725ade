import { pipeline } from "node:stream/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { storedFilesIn } from "#server/features/files/tidy-files.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import { addUnfinishedJobs } from "#server/platform/jobs.ts";
import { mailQueue } from "#server/platform/mail-queue.ts";
import { storedFiles } from "#server/platform/orphans.ts";
import {
  appliedMigration,
  connected,
  type DatabaseAccess,
  lockMigrations,
  migrateTo,
  prepareDatabase,
} from "#server/platform/prepare-database.ts";
import { readSecret, saveSecret } from "#server/platform/session-secret.ts";
import type { Storage } from "#server/platform/storage.ts";
import type { Manifest } from "./archive-format.ts";
import { BackupError, type Entry, readArchive, textOf } from "./read-archive.ts";
import { copied, prepareSession, qualified, tableNames } from "./schema.ts";
import { exposeStoredFiles } from "./stored-files.ts";
import { parseMails, partOf, type VerifiedBackup } from "./verify-backup.ts";

type Target = {
  access: DatabaseAccess;
  storage: Pick<Storage, "disk" | "keep">;
  environment: Pick<Environment, "dataDir" | "sessionSecret">;
  passphrase: string | null;
};

export type RestoreSummary = { rows: number; files: number };

/**
 * Fills an empty database and an empty store from a verified file. The rows are committed together, after the last file
 * is stored; a failure before that leaves an empty database. Throws BackupError if either is not empty.
 */
export async function restoreBackup(
  file: string,
  { manifest, sessionSecret }: VerifiedBackup,
  { access, storage, environment, passphrase }: Target,
): Promise<RestoreSummary> {
  // SESSION_SECRET replaces the one that is kept.
  const secret = environment.sessionSecret === null ? sessionSecret : null;
  // Ending the connection rolls back what was not committed, and releases the lock.
  const summary = await connected(access.owner, async (client) => {
    const restoration = new Restoration(client, access.owner, manifest, storage);
    await prepareSession(client);
    await lockMigrations(client);
    if (secret !== null) await refuseOtherSecret(environment.dataDir, secret);
    await prepareEmpty(client, access.owner, manifest);
    await client.query("begin");
    // The backup also contains the rows that triggers wrote.
    await switchTriggers(client, manifest, "disable");
    await exposeStoredFiles(client);
    await restoration.addAll(readArchive(file, passphrase));
    if (secret !== null) await saveSecret(environment.dataDir, secret);
    await switchTriggers(client, manifest, "enable");
    await client.query("commit");
    // Otherwise the first searches would be planned without statistics of the rows.
    await client.query("analyze");
    return restoration.summary;
  });
  await prepareDatabase(access);
  return summary;
}

async function refuseOtherSecret(dataDir: string, secret: string): Promise<void> {
  const existing = await readSecret(dataDir);
  if (existing === null || existing === secret) return;
  throw new BackupError(`${dataDir} has a session-secret already. Restore into an empty DATA_DIR.`);
}

async function prepareEmpty(client: pg.Client, owner: DatabaseAddress, manifest: Manifest): Promise<void> {
  const running = await client.query(
    "select from pg_stat_activity where datname = current_database() and application_name = 'wayfare-jobs'",
  );
  if (running.rowCount !== 0) throw new BackupError("Wayfare runs on this database: stop it first.");
  for (const table of await tableNames(client)) {
    const { rowCount } = await client.query(`select from ${qualified(table)} limit 1`);
    if (rowCount !== 0)
      throw new BackupError(
        `The database is not empty: there are rows in ${table}. Restore into a new one: an empty DATA_DIR, or another DATABASE_URL.`,
      );
  }
  const applied = await appliedMigration(client);
  if (applied !== null && applied.when > manifest.migration.when)
    throw new BackupError(
      "The database is empty, but its tables are newer than the backup's. Restore into a new one: an empty DATA_DIR, or another DATABASE_URL.",
    );
  await migrateTo(client, owner, manifest.migration);
}

async function switchTriggers(client: pg.Client, { tables }: Manifest, to: "enable" | "disable") {
  for (const { name } of tables) await client.query(`alter table ${qualified(name)} ${to} trigger user`);
}

/** Restores within the transaction of its client. */
class Restoration {
  readonly summary: RestoreSummary = { rows: 0, files: 0 };
  readonly #client: pg.Client;
  readonly #owner: DatabaseAddress;
  readonly #manifest: Manifest;
  readonly #storage: Target["storage"];
  #isStoreChecked = false;

  constructor(client: pg.Client, owner: DatabaseAddress, manifest: Manifest, storage: Target["storage"]) {
    this.#client = client;
    this.#owner = owner;
    this.#manifest = manifest;
    this.#storage = storage;
  }

  async addAll(entries: AsyncGenerator<Entry>): Promise<void> {
    try {
      await this.#addEntries(entries);
    } finally {
      await entries.return(undefined);
    }
    await this.#checkStore();
    for (const { name, last } of this.#manifest.sequences)
      await this.#client.query("select setval($1::regclass, $2)", [qualified(name), last]);
  }

  async #addEntries(entries: AsyncGenerator<Entry>): Promise<void> {
    let next = await entries.next();
    while (!next.done) {
      const part = partOf(next.value);
      if (part.kind === "rows") {
        next = await this.#addTable(part.table, next.value, entries);
        continue;
      }
      if (part.kind === "mails")
        await addUnfinishedJobs(
          this.#client,
          this.#owner,
          mailQueue,
          parseMails(await textOf(next.value.body)),
        );
      if (part.kind === "file") await this.#addFile(part.key, next.value);
      next = await entries.next();
    }
  }

  /** Adds all entries of a table in one statement, since its rows may refer to each other. Returns the next entry. */
  async #addTable(name: string, first: Entry, entries: AsyncGenerator<Entry>) {
    const table = this.#manifest.tables.find((each) => each.name === name);
    if (!table) throw new BackupError(`The backup does not describe the table ${name}.`);
    let next: IteratorResult<Entry> = { value: first };
    async function* rows() {
      while (!next.done) {
        const part = partOf(next.value);
        if (part.kind !== "rows" || part.table !== name) return;
        yield* next.value.body;
        next = await entries.next();
      }
    }
    const copy = this.#client.query(copyFrom(`copy ${copied(table)} from stdin`));
    await pipeline(rows, copy);
    this.summary.rows += copy.rowCount;
    return next;
  }

  async #addFile(key: string, { body }: Entry): Promise<void> {
    await this.#checkStore();
    await this.#storage.keep(key, body);
    this.summary.files += 1;
  }

  /**
   * Checks, after the rows are added, that existing files in the store are theirs, from an interrupted restoration.
   * Files of another Wayfare would be deleted by this one the next night.
   */
  async #checkStore(): Promise<void> {
    if (this.#isStoreChecked) return;
    const { folders, recordedAmong } = storedFilesIn(drizzle(this.#client));
    for (const folder of folders)
      for await (const files of storedFiles(this.#storage.disk, folder)) {
        const recorded = await recordedAmong(files.map(({ key }) => key));
        const foreign = files.find(({ key }) => !recorded.has(key));
        if (foreign)
          throw new BackupError(
            `There are files already where files are kept (${foreign.key}). Restore into an empty folder or bucket.`,
          );
      }
    this.#isStoreChecked = true;
  }
}
