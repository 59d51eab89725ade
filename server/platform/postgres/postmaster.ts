import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { orNullIfMissing } from "./files.ts";
import { type Location, socketName } from "./location.ts";
import { until } from "./until.ts";

/** The server of a cluster says in this file who it is: process id, folder, time of its start, a line each. */
const pidFile = "postmaster.pid";

/** What distinguishes one run of a cluster's server from every other. */
export function identityIn(contents: string): string {
  return contents.split("\n").slice(0, 3).join("\n");
}

/** The identity of the last server on this cluster, or null after an orderly end. */
export async function lastIdentity(cluster: string): Promise<string | null> {
  const contents = await orNullIfMissing(readFile(join(cluster, pidFile), "utf8"));
  return contents === null ? null : identityIn(contents);
}

/** Process id of the server that runs on this cluster, or null. */
export async function postmasterOf(cluster: string): Promise<number | null> {
  const pid = Number((await lastIdentity(cluster))?.split("\n", 1)[0]);
  return pid > 1 && (await worksIn(cluster, pid)) ? pid : null;
}

/**
 * Ends a server within 4 seconds: in order, else at once, which the next start recovers from.
 * False if it is still ending then, which takes PostgreSQL 5 seconds at most.
 */
export async function stopPostmaster(cluster: string): Promise<boolean> {
  return (await signal(cluster, "SIGINT", 3000)) || (await signal(cluster, "SIGQUIT", 700));
}

/**
 * Waits until nothing of an ended server is left, and clears away where it claims to run: its process id may
 * be another program's by now, or not yet given free, which would keep PostgreSQL from starting.
 */
export async function clearAway({ cluster, sockets }: Location): Promise<void> {
  // The children of a killed server notice within a moment, unless a long query keeps them busy.
  const gone = async () => (await processesIn(cluster)).length === 0;
  if (!(await until(gone, 5000))) {
    for (const pid of await processesIn(cluster)) kill(pid, "SIGKILL");
    if (!(await until(gone, 5000)))
      throw new Error(`Processes of an earlier PostgreSQL still use ${cluster}.`);
  }
  const claims = [join(cluster, pidFile), join(sockets, socketName), join(sockets, `${socketName}.lock`)];
  await Promise.all(claims.map((path) => rm(path, { force: true })));
}

async function signal(cluster: string, name: NodeJS.Signals, within: number): Promise<boolean> {
  const pid = await postmasterOf(cluster);
  if (pid === null) return true;
  kill(pid, name);
  return until(async () => !(await worksIn(cluster, pid)), within);
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

async function processesIn(cluster: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 1);
  const ours = await Promise.all(pids.map((pid) => worksIn(cluster, pid)));
  return pids.filter((_, index) => ours[index]);
}

/**
 * Whether a process is PostgreSQL's on this cluster. Every process of PostgreSQL works in its cluster's
 * folder, which identifies it also after the folder was moved; the name excludes a shell that stands there.
 */
async function worksIn(cluster: string, pid: number): Promise<boolean> {
  try {
    const [folder, ours, command] = await Promise.all([
      stat(`/proc/${pid}/cwd`),
      stat(cluster),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    const program = basename(command.split(/[\0 ]/, 1)[0] ?? "").replace(/:$/, "");
    return program === "postgres" && folder.dev === ours.dev && folder.ino === ours.ino;
  } catch {
    // It has ended, or it is another user's and so not ours.
    return false;
  }
}
