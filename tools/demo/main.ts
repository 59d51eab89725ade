import { existsSync } from "node:fs";
import { buildPages } from "#scripts/build.ts";
import { onDatabase } from "#scripts/find-database.ts";
import { tagger } from "#server/features/auctions/catalogue/read-product.ts";
import { argonPasswords } from "#server/features/sign-in/passwords/passwords.ts";
import { openDatabase } from "#server/platform/database.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { createLog } from "#server/platform/log.ts";
import type { DatabaseAccess } from "#server/platform/prepare-database.ts";
import { loadOrCreateSecret } from "#server/platform/session-secret.ts";
import { createStorage } from "#server/platform/storage.ts";
import { type FillOutcome, fill } from "./fill.ts";
import { demoAdmins, objection } from "./objection.ts";
import { leads, password } from "./people.ts";

const inUse =
  "Somebody has an account here, so the demo stays out: nothing was changed. Give it a place of its own, such as DATA_DIR=demo-data npm run demo.";

/** Detects a running Wayfare by its connections for jobs. */
const runningWayfare = `
  select exists (select from pg_stat_activity
                 where datname = current_database() and application_name = 'wayfare-jobs') as "isRunning"`;

type Outcome = { filling: FillOutcome; isRunning: boolean };

async function fillHere({ application }: DatabaseAccess, environment: Environment): Promise<Outcome> {
  const log = createLog(environment.logLevel, environment.logFormat);
  const database = openDatabase(application, (err, what) => log.warn({ err }, what));
  try {
    const { rows } = await database.pool.query<{ isRunning: boolean }>(runningWayfare);
    const storage = await createStorage(environment);
    const parts = { database, storage, passwords: argonPasswords, log };
    const secret = environment.sessionSecret ?? (await loadOrCreateSecret(environment.dataDir));
    const tagOf = tagger(createKeys(readSecrets(secret)));
    const filling = await fill(parts, { adminEmails: demoAdmins(environment), tagOf, say: console.log });
    return { filling, isRunning: rows[0]?.isRunning === true };
  } finally {
    await database.close();
  }
}

function logIns(environment: Environment): string {
  const [admin = ""] = demoAdmins(environment);
  const rows = [
    [admin, "an admin"],
    [leads.agent, "an agent with many students"],
    [leads.waitingAgent, "an agent who waits for approval"],
    [leads.student, "a student"],
    [leads.bidder, "a student who buys and sells"],
  ] as const;
  const widest = Math.max(...rows.map(([email]) => email.length));
  return [
    `Log in with the password "${password}" as`,
    ...rows.map(([email, who]) => `  ${email.padEnd(widest)}  ${who}`),
    "Whoever reaches this Wayfare can do so: keep it to yourself, and real data out of it.",
  ].join("\n");
}

const messages: Record<Exclude<FillOutcome, "inUse">, string> = {
  filled: "The demo is there.",
  there: "The demo is there already; for a fresh one, delete its data first.",
};

/** `npm run demo`: fills the database, and starts Wayfare unless it is already running on it. */
async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const environment = readEnvironment(process.env);
  const wrong = objection(environment);
  if (wrong !== null) throw new Error(wrong);
  buildPages();
  let mayStart = false;
  await onDatabase(async (access) => {
    const { filling, isRunning } = await fillHere(access, environment);
    if (filling === "inUse") throw new Error(inUse);
    console.log(`${messages[filling]}\n\n${logIns(environment)}\n`);
    if (isRunning) console.log(`Wayfare runs already: ${environment.baseUrl}`);
    mayStart = !isRunning;
  });
  if (mayStart) await import("#server/main.ts");
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
