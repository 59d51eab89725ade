import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readEnvironment } from "#server/platform/environment.ts";
import { pageConfiguration } from "#server/platform/page-configuration.ts";
import { buildPages } from "./build.ts";

/** The pages come from Vite, which reloads what changes; it passes /rpc and /live on to the server. */
const pagesPort = 5173;

if (existsSync(".env")) process.loadEnvFile(".env");
process.env["BASE_URL"] ??= `http://localhost:${pagesPort}`;
const environment = readEnvironment(process.env);
buildPages();

const env = {
  ...process.env,
  WAYFARE_SERVER_PORT: String(environment.port),
  VITE_CONFIGURATION: JSON.stringify(pageConfiguration(environment)),
};
const start = (command: string, ...words: string[]) => spawn(command, words, { stdio: "inherit", env });
const children: ChildProcess[] = [
  start("node", "--watch-path=server", "--watch-path=domain", "--watch-path=contract", "server/main.ts"),
  start("react-router", "dev", "--port", String(pagesPort), "--strictPort"),
];

function stop() {
  for (const child of children) child.kill("SIGTERM");
}
for (const child of children) child.once("exit", stop);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
