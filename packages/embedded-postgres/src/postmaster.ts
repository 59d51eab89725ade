import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runningAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { errorCode } from "./error-code.ts";
import { orNullIfMissing } from "./files.ts";
import { environment } from "./initialise.ts";
import { type Location, socketName } from "./location.ts";

const run = promisify(execFile);

/** The server of a cluster says in this file who it is: process id, folder, time of its start, a line each. */
const pidFile = "postmaster.pid";

/** Returns the lines that distinguish one run of a cluster's server from every other. */
export function identityIn(contents: string): string {
  return contents.split("\n").slice(0, 3).join("\n");
}

/** The identity of the last server on this cluster, or null after an orderly end. */
export async function lastIdentity(cluster: string): Promise<string | null> {
  const contents = await orNullIfMissing(readFile(join(cluster, pidFile), "utf8"));
  return contents === null ? null : identityIn(contents);
}

/** Process id of the last server on this cluster, or null after an orderly end. */
export async function postmasterOf(cluster: string): Promise<number | null> {
  return Number((await lastIdentity(cluster))?.split("\n", 1)[0]) || null;
}

/**
 * Whether the last server on this cluster may still be running. Its process id may be another program's by now:
 * only a server that answers on the socket is sure to be one.
 */
export async function mayRun(cluster: string): Promise<boolean> {
  const pid = await postmasterOf(cluster);
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Ends a server that runs, within 4 seconds: in order, else at once, which the next start recovers from.
 * False if it is still ending then, which takes PostgreSQL 5 seconds at most.
 */
export async function stopPostmaster(location: Location, binaries: Binaries): Promise<boolean> {
  return (await stop(location, binaries, "fast", 3)) || (await stop(location, binaries, "immediate", 1));
}

/**
 * Clears away what says that an ended server runs: its process id may be another program's, which would keep
 * PostgreSQL from starting. One that runs after all keeps a second one out by its shared memory.
 */
export async function clearAway({ cluster, sockets }: Location): Promise<void> {
  const claims = [join(cluster, pidFile), join(sockets, socketName), join(sockets, `${socketName}.lock`)];
  await Promise.all(claims.map((path) => rm(path, { force: true })));
}

async function stop({ account, cluster }: Location, { pgCtl }: Binaries, mode: string, seconds: number) {
  const words = ["stop", "--pgdata", cluster, "--mode", mode, "--wait", "--timeout", String(seconds)];
  await run(pgCtl, words, { ...runningAs(account), env: environment }).catch(() => {});
  return (await postmasterOf(cluster)) === null;
}
