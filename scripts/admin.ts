import { existsSync } from "node:fs";
import { createAdminLink } from "#server/features/account/commands/prepare-admins.ts";
import { createIdentity, scryptPasswords } from "#server/features/account/identity.ts";
import { type DatabaseAddress, migrateDatabase, openDatabase } from "#server/platform/database.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { runningPostgres, startPostgres } from "#server/platform/postgres/start.ts";
import { keptSecret } from "#server/platform/session-secret.ts";

/** The database of a running Wayfare, or its own started for the moment. */
async function findDatabase({ databaseUrl, dataDir }: Environment) {
  if (databaseUrl) return { address: { connectionString: databaseUrl }, stop: async () => {} };
  const running = await runningPostgres(dataDir);
  if (running) return { address: running, stop: async () => {} };
  const { stop, host, port, user, database } = await startPostgres(dataDir, { say: console.log });
  return { address: { host, port, user, database }, stop };
}

async function printLink(environment: Environment, address: DatabaseAddress, email: string): Promise<void> {
  await migrateDatabase(address);
  const database = openDatabase(address, () => {});
  try {
    const { baseUrl } = environment;
    const secret = environment.sessionSecret ?? (await keptSecret(environment.dataDir));
    const identity = await createIdentity(database, { baseUrl, secret, passwords: scryptPasswords });
    const { link } = await createAdminLink({ environment, identity }, email);
    console.log(`Set the admin password of ${email} (works once, for 24 hours): ${link}`);
  } finally {
    await database.close();
  }
}

async function main(email: string | undefined): Promise<void> {
  if (email === undefined) throw new Error("Say whose: npm run admin -- EMAIL");
  if (existsSync(".env")) process.loadEnvFile(".env");
  const environment = readEnvironment(process.env);
  const { address, stop } = await findDatabase(environment);
  try {
    await printLink(environment, address, email);
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
