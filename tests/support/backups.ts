import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { checkAll } from "#server/backup/check.ts";
import { createBackup } from "#server/backup/create-backup.ts";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { verifyBackup } from "#server/backup/verify-backup.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import type { DatabaseAccess } from "#server/platform/prepare-database.ts";
import { createStorage, type Storage } from "#server/platform/storage.ts";
import { emptyStore } from "./stores.ts";
import type { Wayfare } from "./wayfare.ts";

/** A place for a Wayfare that is still empty: its database has no tables yet. */
export type Installation = {
  access: DatabaseAccess;
  environment: Environment;
  storage: Storage;
  remove(): Promise<void>;
};

export async function emptyPlace(variables: Record<string, string> = {}): Promise<Installation> {
  const { host, owner: user, application } = inject("postgres");
  const database = `t_${randomUUID().replaceAll("-", "")}`;
  const server = new pg.Client({ host, port: 5432, user, database: "postgres" });
  await server.connect();
  await server.query(`create database ${database}`);
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-data-"));
  const environment = readEnvironment({ DATA_DIR: dataDir, ...(await emptyStore()), ...variables });
  const owner = { host, port: 5432, user, database };
  return {
    access: { owner, application: { ...owner, user: application } },
    environment,
    storage: await createStorage(environment),
    async remove() {
      await server.query(`drop database ${database} with (force)`);
      await server.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the path of a backup that doesn't exist yet. */
export const newFile = async (): Promise<string> =>
  join(await mkdtemp(join(tmpdir(), "wayfare-backup-")), "wayfare.tar.zst");

export const ownerOf = ({ address }: Pick<Wayfare, "address">) => ({
  ...address,
  user: inject("postgres").owner,
});

type Changes = Partial<Parameters<typeof createBackup>[1]>;

/** Backs up a running server; `said` contains the lines that the operator would read. */
export async function backUp(w: Wayfare, changes: Changes = {}) {
  const file = await newFile();
  const lines: string[] = [];
  const summary = await createBackup(file, {
    owner: ownerOf(w),
    files: w.services.storage.disk,
    sessionSecret: null,
    passphrase: null,
    mayBeEmpty: true,
    say: (line) => void lines.push(line),
    ...changes,
  });
  return { file, said: lines, ...summary };
}

export async function restore(file: string, place: Installation, passphrase: string | null = null) {
  return await restoreBackup(file, await verifyBackup(file, passphrase), { ...place, passphrase });
}

/** Returns the problems that `npm run check` reports. */
export async function problemsOf(owner: DatabaseAccess["owner"], { disk }: Storage): Promise<string[]> {
  const problems: string[] = [];
  const { problems: count } = await checkAll(owner, disk, (problem) => void problems.push(problem));
  if (count !== problems.length) throw new Error("it counts other problems than it reports");
  return problems;
}

/** Returns every row of every table of the application, by table. */
export async function rowsOf(owner: DatabaseAccess["owner"]): Promise<Map<string, string[]>> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    const all = new Map<string, string[]>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from ${pg.escapeIdentifier(name)} t order by 1`,
      );
      all.set(
        name,
        rows.map(({ row }) => row),
      );
    }
    return all;
  } finally {
    await client.end();
  }
}
