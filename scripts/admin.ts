import { existsSync } from "node:fs";
import { createAdminLink } from "#server/features/account/commands/prepare-admins.ts";
import { openDatabase } from "#server/platform/database.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { runningPostgres, startPostgres } from "#server/platform/postgres/start.ts";
import { type DatabaseAccess, givenDatabase, prepareDatabase } from "#server/platform/prepare-database.ts";

/** The database of a running Wayfare, or its own started for the moment. */
async function findDatabase(
  environment: Environment,
): Promise<{ access: DatabaseAccess; stop(): Promise<void> }> {
  const given = givenDatabase(environment);
  if (given) return { access: given, stop: async () => {} };
  const running = await runningPostgres(environment.dataDir);
  if (running) return { access: { owner: running, application: running.application }, stop: async () => {} };
  const owner = await startPostgres(environment.dataDir, { say: console.log });
  return { access: { owner, application: owner.application }, stop: owner.stop };
}

async function printLink(environment: Environment, access: DatabaseAccess, email: string): Promise<void> {
  await prepareDatabase(access);
  const database = openDatabase(access.application, () => {});
  try {
    const { link } = await createAdminLink({ environment, database }, email);
    console.log(`Set the admin password of ${email} (works once, for 24 hours): ${link}`);
  } finally {
    await database.close();
  }
}

async function main(email: string | undefined): Promise<void> {
  if (email === undefined) throw new Error("Whose link? Run: npm run admin -- EMAIL");
  if (existsSync(".env")) process.loadEnvFile(".env");
  const environment = readEnvironment(process.env);
  const { access, stop } = await findDatabase(environment);
  try {
    await printLink(environment, access, email);
  } finally {
    await stop();
  }
}

try {
  await main(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
