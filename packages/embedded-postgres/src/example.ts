import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdtemp, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterEach } from "vitest";
import { binariesFor } from "./binaries.ts";
import { initialise } from "./initialise.ts";
import { newLocation, openDataFolder } from "./location.ts";
import { mayRun, postmasterOf } from "./postmaster.ts";
import type { Program } from "./program.ts";
import { until } from "./until.ts";

export const example: Program = {
  name: "Example",
  otherFolder: "choose another one",
  otherServer: "use a server of your own",
};

/** A separate process that runs PostgreSQL; its data folders are removed. */
export type ExampleProcess = {
  child: ChildProcess;
  /** Waits for the next line that it prints. */
  line(): Promise<string>;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

const run = promisify(execFile);
const start = new URL("start.ts", import.meta.url).href;
const leftovers: { folders: string[]; processes: ChildProcess[] } = { folders: [], processes: [] };

/** Prints "started" or "attached", or why it did not start; stops when asked to, and ignores Ctrl-C. */
const exampleCode = `
  import { startPostgres } from ${JSON.stringify(start)};
  process.on("SIGINT", () => console.log("interrupted"));
  try {
    const graceSeconds = Number(process.env.GRACE_SECONDS ?? 120);
    const server = await startPostgres(${JSON.stringify(example)}, process.argv[1], { settings: ["fsync=off"], graceSeconds });
    console.log(server.attached ? "attached" : "started");
    process.stdin.once("data", async () => { await server.stop(); process.exit(); });
  } catch (error) {
    console.log(error.message);
  }`;

type Account = { uid: number; gid: number };

/** `graceSeconds` is the number of seconds that its server outlives it. */
export function startExample(dataDir: string, account?: Account, graceSeconds?: number): ExampleProcess {
  return startProcess(
    exampleCode,
    dataDir,
    account,
    graceSeconds === undefined ? {} : { GRACE_SECONDS: String(graceSeconds) },
  );
}

/** Runs code that gets its argument as `process.argv[1]`, in a process group of its own. */
export function startProcess(code: string, argument: string, account?: Account, variables = {}) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code, argument], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
    cwd: "/",
    env: { ...process.env, ...variables },
    ...account,
  });
  leftovers.processes.push(child);
  return controls(child, createInterface({ input: child.stdout }));
}

function controls(child: ChildProcess, output: Interface): ExampleProcess {
  const lines = output[Symbol.asyncIterator]();
  const ended = once(child, "exit");
  return {
    child,
    line: async () => String((await lines.next()).value),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    stop: async () => {
      child.stdin?.write("stop\n");
      await ended;
    },
  };
}

/** Creates a folder for data, which the user `postgres` can reach when the tests run as root. */
export async function dataFolder(name = "data"): Promise<string> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "embedded-postgres-")));
  await chmod(parent, 0o755);
  leftovers.folders.push(join(parent, name));
  return join(parent, name);
}

let template: Promise<string> | null = null;

/**
 * Creates a data folder with a database, as an earlier start leaves it. Copying is faster than creating each one. The
 * original is removed with the run's temporary folder.
 */
export async function usedFolder(): Promise<string> {
  template ??= createTemplate();
  const folder = await dataFolder();
  await openDataFolder(folder);
  await run("cp", ["--archive", "--sparse=always", await template, join(folder, "postgres")]);
  return folder;
}

async function createTemplate(): Promise<string> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "embedded-postgres-")));
  const folder = await openDataFolder(join(parent, "template"));
  await chmod(parent, 0o755);
  const location = await newLocation(example, folder);
  await initialise(location, await binariesFor(location));
  return location.cluster;
}

/** Call this once in a file: after each test it stops the processes and removes the folders. */
export function tidyUp(): void {
  afterEach(cleanUp);
}

async function cleanUp(): Promise<void> {
  for (const child of leftovers.processes.splice(0)) child.kill("SIGKILL");
  await Promise.all(leftovers.folders.splice(0).map(removeWithServer));
}

export async function rows(address: { host: string; user: string; database: string }, statement: string) {
  const client = new Client(address);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function removeWithServer(folder: string): Promise<void> {
  const cluster = join(folder, "postgres");
  const pid = await postmasterOf(cluster);
  if (pid !== null && (await mayRun(cluster))) process.kill(pid, "SIGQUIT");
  await until(async () => !(await mayRun(cluster)), 5000);
  const inside = await lstat(cluster).catch(() => null);
  if (inside?.isSymbolicLink()) await rm(dirname(await readlink(cluster)), { recursive: true, force: true });
  await rm(dirname(folder), { recursive: true, force: true, maxRetries: 5 });
}
