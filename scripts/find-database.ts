import { existsSync } from "node:fs";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { runningPostgres, startPostgres } from "#server/platform/postgres/start.ts";
import { type DatabaseAccess, givenDatabase, prepareDatabase } from "#server/platform/prepare-database.ts";
import { createStorage, type Storage } from "#server/platform/storage.ts";

/** The database of a running Wayfare, or its own started for the moment. */
async function findDatabase(
  environment: Environment,
): Promise<{ access: DatabaseAccess; stop(): Promise<void> }> {
  const given = givenDatabase(environment);
  if (given) return { access: given, stop: async () => {} };
  const running = await runningPostgres(environment.dataDir);
  if (running) return { access: { owner: running, application: running.application }, stop: async () => {} };
  // Standard output is the answer, which may go into a file.
  const owner = await startPostgres(environment.dataDir, { say: console.error });
  return { access: { owner, application: owner.application }, stop: owner.stop };
}

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

/** Where files are kept; an error that says what to check if it can't be used. */
export async function usableStorage(environment: Environment): Promise<Storage> {
  const storage = await createStorage(environment);
  const problem = await storage.problem();
  if (problem) throw new Error(problem.sentence);
  return storage;
}

/** Works on Wayfare's database as it is, whether or not Wayfare runs. */
export async function withDatabase(
  environment: Environment,
  work: (access: DatabaseAccess) => Promise<void>,
): Promise<void> {
  const { access, stop } = await findDatabase(environment);
  try {
    await work(access);
  } finally {
    await stop();
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
