import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UnusableFolder } from "@wayfare/embedded-postgres";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { refuseDemo } from "#server/features/account/demo-accounts.ts";
import { checkSecrets } from "#server/features/account/secret-fingerprints.ts";
import { hasSamples } from "#server/features/programmes/catalogue/samples.ts";
import { prepareAdmins, waitingAdminLine } from "#server/features/sign-in/commands/prepare-admins.ts";
import { serveMetrics } from "#server/metrics.ts";
import { serveBuild } from "#server/pages.ts";
import { checkServer } from "#server/platform/check-server.ts";
import { createLimitedServer } from "#server/platform/connections.ts";
import { delayRefusals } from "#server/platform/delay-refusals.ts";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { type Environment, logFormatOf, readEnvironment } from "#server/platform/environment.ts";
import { listen } from "#server/platform/listen.ts";
import { announcements, createLog, type Log } from "#server/platform/log.ts";
import { OperatorError } from "#server/platform/operator-error.ts";
import {
  configuredDatabase,
  type DatabaseAccess,
  prepareDatabase,
} from "#server/platform/prepare-database.ts";
import { productionWarnings } from "#server/platform/production-warnings.ts";
import { startTracing, stopTracing } from "#server/platform/tracing.ts";
import { waitForDatabase } from "#server/platform/wait-for-database.ts";
import type { Services } from "#server/services.ts";

const build = fileURLToPath(new URL("../build", import.meta.url));
/** Milliseconds after which open connections are cut, so that everything ends well within 5 s. */
const drainFor = 1000;
/** Milliseconds after which the rest of the stop is given up, so that PostgreSQL still stops in order. */
const stopWithin = 3500;

/** Returns the database to use, and a function that releases it; null if Wayfare must stop before it is found. */
async function findDatabase(
  environment: Environment,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<{ access: DatabaseAccess; stop(): Promise<void> } | null> {
  const access = configuredDatabase(environment);
  if (access === null) {
    const owner = await startPostgres(environment.dataDir, { say, keep: true });
    return { access: { owner, application: owner.application }, stop: owner.stop };
  }
  const { databaseUrl, databaseMigrationUrl } = environment;
  const urls = { DATABASE_URL: databaseUrl, DATABASE_MIGRATION_URL: databaseMigrationUrl };
  for (const [variable, url] of Object.entries(urls)) {
    if (url === null) continue;
    if (!(await waitForDatabase(variable, url, { say, stop }))) return null;
    await checkServer(variable, { connectionString: url });
  }
  return { access, stop: async () => {} };
}

/** Throws if the store refuses us. One that can't be reached may come back, and only files need it. */
async function checkStorage({ storage }: Services, log: Log): Promise<void> {
  const problem = await storage.problem();
  if (problem?.kind === "refused") throw new OperatorError(problem.sentence);
  if (problem) log.warn(problem.sentence);
}

/** Stops accepting requests, lets the open ones finish for a moment, and cuts the rest. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await Promise.race([closed, setTimeout(drainFor, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

/** Listens once everything is ready. Returns a function that drains the server. */
async function serve(services: Services, atStart: Log, ownsTables: boolean): Promise<() => Promise<void>> {
  await checkStorage(services, atStart);
  await checkSecrets(services);
  await refuseDemo(services);
  const { environment } = services;
  const app = createApp(services, delayRefusals());
  const samples = await serveBuild(app, build, services);
  const waiting = await prepareAdmins(services);
  const { port, host, metricsPort, metricsHost } = environment;
  if (metricsPort !== null) {
    const metrics = await listen(serveMetrics(services), {
      variable: "METRICS_PORT",
      port: metricsPort,
      host: metricsHost,
    });
    metrics.unref();
  }
  const server = await listen(createLimitedServer(app.fetch, environment), { variable: "PORT", port, host });
  for (const admin of waiting) atStart.info(waitingAdminLine(admin));
  const surroundings = { ownsTables, samples, sampleProgrammes: await hasSamples(services.database.db) };
  for (const warning of productionWarnings(environment, surroundings)) atStart.warn(warning);
  atStart.info(`Wayfare is ready: ${environment.baseUrl}`);
  return () => drain(server);
}

/** Limits the wait, since a database that does not answer must not delay the stop. */
const withinStop = (ended: Promise<unknown>) =>
  Promise.race([ended, setTimeout(stopWithin, undefined, { ref: false })]);

async function run(environment: Environment, log: Log, stopping: AbortSignal): Promise<void> {
  const stopped = once(stopping, "abort");
  const atStart = announcements(log);
  const say = (line: string) => atStart.info(line);
  await startTracing(environment.tracing, pathToFileURL(join(build, "tracing/open-telemetry.js")).href);
  const database = await findDatabase(environment, say, stopping);
  if (database === null) return;
  try {
    const { ownsTables } = await prepareDatabase(database.access);
    const { services, stop } = await compose(environment, database.access.application, log);
    let close = async () => {};
    try {
      close = await serve(services, atStart, ownsTables);
      if (!stopping.aborted) await stopped;
    } finally {
      services.live.endAll();
      await withinStop(close().then(stop).then(stopTracing));
    }
  } finally {
    await database.stop();
  }
}

/**
 * Returns a signal that is aborted by the first signal to stop, also during the start. Further ones change nothing: a
 * terminal and npm may each send the same.
 */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)
    process.on(signal, () => controller.abort());
  return controller.signal;
}

// Writing to a closed terminal fails, which must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Logs a failure, without a stack trace if a person can fix it. */
function fail(log: Log, error: unknown): void {
  if (error instanceof OperatorError || error instanceof UnusableFolder) log.fatal(error.message);
  else log.fatal({ err: error }, messageOf(error));
}

/** Runs Wayfare, and returns the exit code. */
async function main(): Promise<0 | 1> {
  const stopping = stopSignal();
  let log = createLog("info", logFormatOf(process.env));
  try {
    const environment = readEnvironment(process.env);
    log = createLog(environment.logLevel, environment.logFormat);
    await run(environment, log, stopping);
    return 0;
  } catch (error) {
    fail(announcements(log), error);
    return 1;
  }
}

process.exit(await main());
