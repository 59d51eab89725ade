import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isRoot, runningAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { ask, query } from "./client.ts";
import { orNullIfMissing } from "./files.ts";
import { environment } from "./initialise.ts";
import type { Location } from "./location.ts";
import { stopPostmaster } from "./postmaster.ts";
import { rolesOf } from "./program.ts";
import { until } from "./until.ts";

/** Milliseconds. Recovery after a crash replays up to about a gigabyte of changes, on a slow disk. */
export const longestRecovery = 120_000;

const megabyte = 1024 * 1024;
/** Most bytes of a log. */
const largestLog = 10_000_000;

/**
 * Returns the size of PostgreSQL's own memory: an eighth of the machine's or its container's, at most 4 GB. It is taken
 * page by page as needed. A page that is only in the system's memory costs 30 µs, and a search reads hundreds.
 */
function sharedBuffers(): string {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return `${Math.min(4096, Math.max(128, Math.floor(memory / 8 / megabyte)))}MB`;
}

const defaults = [
  "listen_addresses=",
  "port=5432",
  "unix_socket_permissions=0700",
  `shared_buffers=${sharedBuffers()}`,
  "max_connections=100",
  "timezone=UTC",
  "log_timezone=UTC",
  // Compiling a query costs more than the short queries of a web server gain by it.
  "jit=off",
  // In memory and on an SSD, a random page costs about as much as the next one. With the default of 4, for spinning
  // disks, one search for a name in five read all students.
  "random_page_cost=1.1",
];

/** Keeps the log from growing by the hour, and from holding people's data, which statements and details quote. */
const quietLog = [
  "logging_collector=off",
  "log_min_messages=warning",
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
  "log_statement=none",
  "log_parameter_max_length=0",
  "log_parameter_max_length_on_error=0",
  "log_checkpoints=off",
  "log_autovacuum_min_duration=-1",
];

/** PostgreSQL's message while children of a killed server still run: a long query keeps them from noticing. */
const leftovers = "pre-existing shared memory block";

/**
 * Starts a server on a cluster that has none; resolves when it answers queries. Waits for the remains of a killed one
 * as long as `isWanted`. Throws with the last lines of the log if it does not start. `settings` are `name=value`.
 */
export async function launch(
  location: Location,
  binaries: Binaries,
  settings: readonly string[],
  isWanted: () => boolean,
): Promise<void> {
  const deadline = performance.now() + longestRecovery;
  for (;;) {
    const failure = await tryToLaunch(location, binaries, settings);
    if (failure === null) break;
    if (!failure.includes(leftovers) || !isWanted() || performance.now() > deadline)
      throw new Error(`PostgreSQL did not start on ${location.cluster}:\n${failure}`);
    await setTimeout(200);
  }
  // Errors are sent to the client that caused them. In the log, a message could quote people's input.
  await query(location, `alter role ${rolesOf(location.program).owner} set log_min_messages = log`);
}

/** Returns null once the server answers queries, or the reason why it does not. */
async function tryToLaunch(
  location: Location,
  binaries: Binaries,
  settings: readonly string[],
): Promise<string | null> {
  const { server, offset } = await spawnServer(location, binaries, settings);
  const ended = () => server.exitCode !== null || server.signalCode !== null || server.pid === undefined;
  await until(async () => ended() || (await ask(location)) === "ready", longestRecovery);
  if (!ended() && (await ask(location)) === "ready") return null;
  if (!ended()) await stopPostmaster(location, binaries);
  return (await lastLines(location, offset)) || "it has ended, or does not answer";
}

type StartedServer = {
  server: ChildProcess;
  /** The start of its part of the log, in bytes. */
  offset: number;
};

async function spawnServer(
  location: Location,
  { postgres }: Binaries,
  settings: readonly string[],
): Promise<StartedServer> {
  const all = [...defaults, ...quietLog, `unix_socket_directories=${quoted(location.sockets)}`, ...settings];
  const flags = ["-D", location.cluster, ...all.flatMap((setting) => ["-c", setting])];
  await using log = await openLog(location);
  const { size } = await log.stat();
  const server = spawn(postgres, flags, {
    ...runningAs(location.account),
    env: environment,
    stdio: ["ignore", log.fd, log.fd],
    // Runs in its own session: Ctrl-C in the terminal must not end it before the program has finished its work.
    detached: true,
  });
  // A program that can not run has no process id, which the caller sees.
  server.on("error", () => {});
  server.unref();
  return { server, offset: size };
}

/** The setting is a list: quotes keep a comma in the path from splitting it. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

/** Opens the server's log to append to. A log over 10 MB is renamed first, in place of the previous one. */
async function openLog({ cluster, account }: Location): Promise<FileHandle> {
  const path = logPath(cluster);
  const stats = await orNullIfMissing(lstat(path));
  if (stats && stats.size > largestLog) await rename(path, `${path}.1`);
  // The folder is another user's when root starts the server: a link in it must not lead root elsewhere.
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  if (isRoot()) await log.chown(account.uid, account.gid);
  return log;
}

/** Returns the last lines that were written to the log after `offset` (bytes). */
async function lastLines({ cluster }: Location, offset: number): Promise<string> {
  const { O_NOFOLLOW, O_RDONLY } = constants;
  await using log = await open(logPath(cluster), O_NOFOLLOW | O_RDONLY);
  const { size } = await log.stat();
  const buffer = Buffer.alloc(Math.min(Math.max(size - offset, 0), 4096));
  await log.read(buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString().trim().split("\n").slice(-8).join("\n");
}

function logPath(cluster: string): string {
  return join(cluster, "server.log");
}
