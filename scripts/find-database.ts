import { existsSync } from "node:fs";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { runningPostgres, startPostgres } from "#server/platform/postgres/start.ts";
import { type DatabaseAccess, givenDatabase, prepareDatabase } from "#server/platform/prepare-database.ts";
import { createStorage, type Storage } from "#server/platform/storage.ts";

/** Does an operator's work. An error is printed in a line. */
export async function operate(work: (environment: Environment) => Promise<void>): Promise<void> {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    await work(readEnvironment(process.env));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
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

/** Works on Wayfare's database as it is: that of a running Wayfare, or its own started for the moment. */
export async function withDatabase(
  environment: Environment,
  work: (access: DatabaseAccess) => Promise<void>,
): Promise<void> {
  const given = givenDatabase(environment);
  if (given) return await work(given);
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

/** Does an operator's work on Wayfare's database, whose tables are brought up to date. */
export const onDatabase = (
  work: (access: DatabaseAccess, environment: Environment) => Promise<void>,
): Promise<void> =>
  operate((environment) =>
    withDatabase(environment, async (access) => {
      await prepareDatabase(access);
      await work(access, environment);
    }),
  );

/** The passphrase of a backup; null for one that is not encrypted. From the environment, which other users can't read. */
export function backupPassphrase(): string | null {
  const passphrase = process.env["BACKUP_PASSPHRASE"];
  if (passphrase === undefined) return null;
  // A file that was to hold it and didn't, most likely: nobody wants a backup in the clear then.
  if (passphrase.trim() === "") throw new Error("BACKUP_PASSPHRASE is empty: set it, or unset it.");
  return passphrase;
}
