import { once } from "node:events";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { prepareAdmins } from "#server/features/account/commands/prepare-admins.ts";
import { auctionSights } from "#server/features/auctions/first-sight.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { type Environment, EnvironmentError, readEnvironment } from "#server/platform/environment.ts";
import { loadFirstSight } from "#server/platform/first-sight-code.ts";
import { createLog } from "#server/platform/log.ts";
import { pageConfiguration } from "#server/platform/page-configuration.ts";
import { servePages } from "#server/platform/pages.ts";
import { startPostgres } from "#server/platform/postgres/start.ts";

const build = fileURLToPath(new URL("../build", import.meta.url));
/** Milliseconds after which open connections are cut, so that everything ends well within 5 s. */
const drainFor = 1000;
/** Milliseconds that a request may take to arrive: 20 MB over a slow phone's line do not fit into Node's five minutes. */
const requestMayTake = 20 * 60 * 1000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** The database to use, and how to let go of it. */
async function findDatabase(
  environment: Environment,
): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> {
  if (environment.databaseUrl)
    return { address: { connectionString: environment.databaseUrl }, stop: async () => {} };
  const { stop, host, port, user, database } = await startPostgres(environment.dataDir, {
    say,
    keep: true,
  });
  return { address: { host, port, user, database }, stop };
}

async function listen(app: ReturnType<typeof createApp>, { port, host }: Environment): Promise<Server> {
  const server = serve({
    fetch: app.fetch,
    port,
    serverOptions: { requestTimeout: requestMayTake },
    ...(host !== null && { hostname: host }),
  });
  try {
    await once(server, "listening");
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "EADDRINUSE") throw error;
    throw new EnvironmentError(
      `PORT ${port} is in use by another program: stop it, or set PORT to another one.`,
    );
  }
  return server as Server;
}

/** Takes no new requests, lets the open ones finish for a moment, cuts what is left. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), drainFor);
  await closed;
  clearTimeout(cut);
}

async function main(): Promise<void> {
  const stopped = stopSignal();
  const environment = readEnvironment(process.env);
  const log = createLog(environment.logLevel);
  const database = await findDatabase(environment);
  try {
    const { services, stop } = await compose(environment, database.address, log);
    const app = createApp(services);
    const sights = auctionSights(services, await loadFirstSight(build));
    const samples = servePages(app, build, pageConfiguration(environment), sights);
    const links = await prepareAdmins(services);
    const server = await listen(app, environment);
    for (const { email, link } of links)
      say(`Set the admin password of ${email} (works once, for 24 hours): ${link}`);
    if (samples.length > 0 && environment.baseUrl.startsWith("https:"))
      say(`Sample words are still shown to visitors: replace them in web/content/ (${samples.join(", ")}).`);
    say(`Wayfare is ready: ${environment.baseUrl}`);
    await stopped;
    services.live.endAll();
    await drain(server);
    await stop();
  } finally {
    await database.stop();
  }
}

/** Resolves with the first signal to stop, also one that comes during the start; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const expected = error instanceof EnvironmentError;
  process.stderr.write(
    `${error instanceof Error && !expected ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
