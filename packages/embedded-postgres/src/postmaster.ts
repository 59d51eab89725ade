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

/** The file in which a server identifies itself: process id, folder and start time, one per line. */
const pidFile = "postmaster.pid";

/** Returns the lines that distinguish one run of a cluster's server from every other. */
export function identityIn(contents: string): string {
  return contents.split("\n").slice(0, 3).join("\n");
}

/** Returns the identity of the last server on this cluster, or null after an orderly end. */
export async function lastIdentity(cluster: string): Promise<string | null> {
  const contents = await orNullIfMissing(readFile(join(cluster, pidFile), "utf8"));
  return contents === null ? null : identityIn(contents);
}

/** Returns the process id of the last server on this cluster, or null after an orderly end. */
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
 * Stops a running server within 4 seconds: in order, otherwise immediately, from which the next start recovers. Returns
 * false if it is still stopping then, which takes PostgreSQL 5 seconds at most.
 */
export async function stopPostmaster(location: Location, binaries: Binaries): Promise<boolean> {
  return (await stop(location, binaries, "fast", 3)) || (await stop(location, binaries, "immediate", 1));
}

/**
 * Removes the files that claim that an ended server runs: their process id may be another program's, which would keep
 * PostgreSQL from starting. A server that runs after all keeps a second one out by its shared memory.
 */
export async function removeStaleFiles({ cluster, sockets }: Location): Promise<void> {
  const claims = [join(cluster, pidFile), join(sockets, socketName), join(sockets, `${socketName}.lock`)];
  await Promise.all(claims.map((path) => rm(path, { force: true })));
}

async function stop({ account, cluster }: Location, { pgCtl }: Binaries, mode: string, seconds: number) {
  const args = ["stop", "--pgdata", cluster, "--mode", mode, "--wait", "--timeout", String(seconds)];
  await run(pgCtl, args, { ...runningAs(account), env: environment }).catch(() => {});
  return (await postmasterOf(cluster)) === null;
}
