import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer as createVite } from "vite";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { prepareAdmins, waitingAdminLine } from "#server/features/sign-in/commands/prepare-admins.ts";
import { type Application, applicationOf, pageConfiguration, servePages } from "#server/pages.ts";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { announcements, createLog } from "#server/platform/log.ts";
import { configuredDatabase, prepareDatabase } from "#server/platform/prepare-database.ts";
import { startTracing, stopTracing } from "#server/platform/tracing.ts";
import { type Build, createRenderer } from "#server/rendering/render.ts";
import { localCalls } from "#server/rendering/render-thread.ts";

/** Runs one process: the server with Vite inside, which rebuilds the application whenever it changes. */
if (existsSync(".env")) process.loadEnvFile(".env");
const environment = readEnvironment(process.env);
const log = createLog(environment.logLevel, environment.logFormat);
const say = (line: string) => announcements(log).info(line);
await startTracing(environment.tracing, import.meta.resolve("#server/platform/open-telemetry.ts"));
const postgres = environment.databaseUrl
  ? null
  : await startPostgres(environment.dataDir, { say, keep: true });
const access = postgres
  ? { owner: postgres, application: postgres.application }
  : configuredDatabase(environment);
if (!access) throw new Error("There is no database.");
await prepareDatabase(access);
const { services, stop } = await compose(environment, access.application, log);
const vite = await createVite({ server: { middlewareMode: true }, appType: "custom" });
const app = createApp(services);
const calls = localCalls(services);
let application: Application | undefined;
servePages(app, services, async () => {
  const build = (await vite.ssrLoadModule("virtual:react-router/server-build")) as Build;
  if (application?.build !== build) {
    const render = createRenderer(build, pageConfiguration(services), null);
    application = applicationOf(build, (order) => render(order, calls));
  }
  return application;
});
const listener = getRequestListener(app.fetch);
const server = createServer((request, response) =>
  vite.middlewares(request, response, () => void listener(request, response)),
).listen(environment.port);

async function end(): Promise<void> {
  server.close();
  await vite.close();
  await stop();
  await stopTracing();
  await postgres?.stop();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
  process.once(signal, () => void end());
for (const admin of await prepareAdmins(services)) say(waitingAdminLine(admin));
say(`Wayfare is ready: ${environment.baseUrl}`);
