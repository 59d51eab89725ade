import { existsSync } from "node:fs";
import { hasCluster, runningPostgres, startPostgres } from "#server/platform/embedded-postgres.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { explained } from "#server/platform/operator-error.ts";
import {
  configuredDatabase,
  type DatabaseAccess,
  hasTables,
  prepareDatabase,
} from "#server/platform/prepare-database.ts";
import { readSecret } from "#server/platform/session-secret.ts";
import { createStorage, type Storage } from "#server/platform/storage.ts";

/** Runs an operator's command. An error is printed in a line. */
export async function operate(work: (environment: Environment) => Promise<void>): Promise<void> {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    await work(readEnvironment(process.env));
  } catch (error) {
    console.error(explained(error));
    process.exitCode = 1;
  }
}

/** Opens the file store. Rejects with an error that says what to check. */
export async function usableStorage(environment: Environment): Promise<Storage> {
  const storage = await createStorage(environment);
  const problem = await storage.problem();
  if (problem) throw new Error(problem.sentence);
  return storage;
}

/** Works on the existing database: a running Wayfare's, or its own, created if needed and started temporarily. */
export async function withDatabase(
  environment: Environment,
  work: (access: DatabaseAccess) => Promise<void>,
): Promise<void> {
  const access = configuredDatabase(environment);
  if (access) return await work(access);
  const running = await runningPostgres(environment.dataDir);
  if (running) return await work({ owner: running, application: running.application });
  // Standard output is the answer, which may go into a file.
  const owner = await startPostgres(environment.dataDir, { say: console.error });
  try {
    await work({ owner, application: owner.application });
  } finally {
    await owner.stop();
  }
}

/** The end of the refusals of commands that found no database. */
const sameVariables =
  "Give the command the variables that Wayfare runs with, as `wayfare` does under systemd (docs/operations/install.md). Nothing was changed.";

/** Works on the database only if Wayfare has used it before, and creates none. */
export async function withExistingDatabase(
  environment: Environment,
  work: (access: DatabaseAccess) => Promise<void>,
): Promise<void> {
  const { databaseUrl, dataDir } = environment;
  if (databaseUrl === null && !(await hasCluster(dataDir)))
    throw new Error(`There is no database in the data folder ${dataDir}. ${sameVariables}`);
  await withDatabase(environment, async (access) => {
    if (!(await hasTables(access.owner)))
      throw new Error(`There is no Wayfare in this database. ${sameVariables}`);
    await work(access);
  });
}

type Work = (access: DatabaseAccess, environment: Environment) => Promise<void>;

const prepared =
  (work: Work, environment: Environment) =>
  async (access: DatabaseAccess): Promise<void> => {
    await prepareDatabase(access);
    await work(access, environment);
  };

/** Runs an operator's command on Wayfare's database, whose tables are created or migrated. */
export const onDatabase = (work: Work): Promise<void> =>
  operate((environment) => withDatabase(environment, prepared(work, environment)));

/** Runs the command only if Wayfare has run before, and creates neither a database nor a session secret. */
export const onExistingDatabase = (work: Work): Promise<void> =>
  operate(async (environment) => {
    const { sessionSecret, dataDir } = environment;
    if (sessionSecret === null && (await readSecret(dataDir)) === null)
      throw new Error(`There is no session secret in the data folder ${dataDir}. ${sameVariables}`);
    await withExistingDatabase(environment, prepared(work, environment));
  });

/** Returns the passphrase of a backup, or null without one, from the environment, which other users can't read. */
export function backupPassphrase(): string | null {
  const passphrase = process.env["BACKUP_PASSPHRASE"];
  if (passphrase === undefined) return null;
  // Most likely the file with the passphrase was empty, so a backup in the clear is not intended.
  if (passphrase.trim() === "") throw new Error("BACKUP_PASSPHRASE is empty: set it, or unset it.");
  return passphrase;
}
