import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { isRoot } from "./account.ts";
import { type ExampleProcess, example, rows, startExample, tidyUp, usedFolder } from "./example.ts";
import { isLocked } from "./lock.ts";
import { postmasterOf } from "./postmaster.ts";
import { type EmbeddedPostgres, runningPostgres, startPostgres } from "./start.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
tidyUp();
const quick = { settings: ["fsync=off"] };

type RunningExample = { folder: string; cluster: string; program: ExampleProcess; pid: number };

/** Starts a program in another process, with a row in its database. */
async function startKept({ graceSeconds }: { graceSeconds?: number } = {}): Promise<RunningExample> {
  const folder = await usedFolder();
  const cluster = join(folder, "postgres");
  const program = startExample(folder, undefined, graceSeconds);
  expect(await program.line()).toBe("started");
  const address = await runningPostgres(example, folder);
  if (address) await rows(address, "create table kept as select 7 as n");
  return { folder, cluster, program, pid: (await postmasterOf(cluster)) ?? 0 };
}

/** Whether a process runs. One that ended without being waited for keeps its id but has no command. */
function isRunning(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid.trim()}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

async function expectRow(server: EmbeddedPostgres): Promise<void> {
  expect(await rows(server, "select n from kept")).toEqual([{ n: 7 }]);
  await server.stop();
}

test("the server of a killed program is taken over, and stops with the new one", async () => {
  const { folder, cluster, program, pid } = await startKept();
  await program.kill();
  const server = await startPostgres(example, folder, quick);
  expect(server.attached).toBe(true);
  expect(await postmasterOf(cluster)).toBe(pid);
  await expectRow(server);
  expect(await postmasterOf(cluster)).toBeNull();
});

test("the server of a killed program without a successor stops in order", async () => {
  const { folder, cluster, program } = await startKept({ graceSeconds: 1 });
  await program.kill();
  await vi.waitUntil(async () => (await postmasterOf(cluster)) === null, 30_000);
  // An orderly end leaves no such file.
  expect(await readdir(cluster)).not.toContain("postmaster.pid");
  await expectRow(await startPostgres(example, folder, quick));
});

test("the watcher of a killed program leaves the server to the one that has taken it over", async () => {
  const { folder, cluster, program, pid } = await startKept({ graceSeconds: 5 });
  const watcher = await readFile(join(cluster, "watcher.pid"), "utf8");
  await program.kill();
  const server = await startPostgres(example, folder, quick);
  await vi.waitUntil(() => !isRunning(watcher), 30_000);
  expect(await postmasterOf(cluster)).toBe(pid);
  await expectRow(server);
});

test("a server that is stopped leaves no watcher behind", async () => {
  const folder = await usedFolder();
  const server = await startPostgres(example, folder, quick);
  const watcher = await readFile(join(folder, "postgres", "watcher.pid"), "utf8");
  expect(isRunning(watcher)).toBe(true);
  await server.stop();
  await vi.waitUntil(() => !isRunning(watcher), 30_000);
});

test("a killed server recovers, also while its children linger", async () => {
  const { folder, program, pid } = await startKept();
  const session = new Client({ ...(await runningPostgres(example, folder)) });
  session.on("error", () => {});
  await session.connect();
  // Busy computing, its process does not see that the server is gone.
  const computing = session.query("select count(*) from generate_series(1, 15000000)").catch(() => {});
  const address = await runningPostgres(example, folder);
  const active = "select 1 from pg_stat_activity where state = 'active' and query like '%15000000%'";
  await vi.waitUntil(
    async () => address && (await rows(address, `${active} and pid <> pg_backend_pid()`))[0],
  );
  await program.kill();
  process.kill(pid, "SIGKILL");
  const server = await startPostgres(example, folder, quick);
  expect(server.attached).toBe(false);
  await expectRow(server);
  await computing;
});

test("a server that is still starting is waited for", async () => {
  const { folder, cluster, program, pid } = await startKept();
  process.kill(pid, "SIGKILL");
  await program.kill();
  const second = startExample(folder);
  await vi.waitUntil(async () => {
    const postmaster = await postmasterOf(cluster);
    return postmaster !== null && postmaster !== pid;
  }, 10_000);
  await second.kill();
  const server = await startPostgres(example, folder, quick);
  expect(server.attached).toBe(true);
  await expectRow(server);
});

test("a server that shuts down is waited for", async () => {
  const { folder, program, pid } = await startKept();
  const session = new Client({ ...(await runningPostgres(example, folder)) });
  const broken = vi.fn();
  session.on("error", broken);
  await session.connect();
  await program.kill();
  // The smart shutdown takes no new connection, and waits for the session to end.
  process.kill(pid, "SIGTERM");
  const starting = startPostgres(example, folder, quick);
  await vi.waitUntil(() => isLocked(example, folder), 10_000);
  await session.end();
  const server = await starting;
  expect(broken).not.toHaveBeenCalled();
  expect(server.attached).toBe(false);
  await expectRow(server);
});

test("a process that has the id of an ended server is left alone", async () => {
  const folder = await usedFolder();
  const cluster = join(folder, "postgres");
  const first = await startPostgres(example, folder, quick);
  await rows(first, "create table kept as select 7 as n");
  const pidFile = await readFile(join(cluster, "postmaster.pid"), "utf8");
  await first.stop();
  const { uid, gid } = await stat(cluster);
  // The process has the same user and name, so that neither protects it from being signalled.
  const other = spawn("sleep", ["60"], { argv0: "postgres", ...(isRoot() ? { uid, gid } : {}) });
  await writeFile(join(cluster, "postmaster.pid"), pidFile.replace(/^\d+/, String(other.pid)));
  await expectRow(await startPostgres(example, folder, quick));
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  other.kill();
});

test("Ctrl-C in the terminal leaves the server to the program", async () => {
  const { folder, program, pid, cluster } = await startKept();
  process.kill(-Number(program.child.pid), "SIGINT");
  expect(await program.line()).toBe("interrupted");
  const address = await runningPostgres(example, folder);
  expect(address && (await rows(address, "select n from kept"))).toEqual([{ n: 7 }]);
  expect(await postmasterOf(cluster)).toBe(pid);
  // Its session is not that of the terminal: a closed terminal hangs up on the whole session.
  const session = Number((await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ")[3]);
  expect(session).toBe(pid);
  await program.stop();
  expect(await postmasterOf(cluster)).toBeNull();
});

test("a session that stays open does not hold up a stop", async () => {
  const folder = await usedFolder();
  const server = await startPostgres(example, folder, quick);
  const session = new Client({ ...server });
  session.on("error", () => {});
  await session.connect();
  const sleeping = session.query("select pg_sleep(60)").catch(() => "ended");
  await server.stop();
  expect(await sleeping).toBe("ended");
  expect(await postmasterOf(join(folder, "postgres"))).toBeNull();
});

test("a data folder that is moved while its server runs takes it along", async () => {
  const { folder, program } = await startKept();
  await program.kill();
  await rename(folder, `${folder}-moved`);
  const fresh = await startPostgres(example, folder, quick);
  expect(fresh.attached).toBe(false);
  await expect(rows(fresh, "select n from kept")).rejects.toThrow("does not exist");
  await fresh.stop();
  const moved = await startPostgres(example, `${folder}-moved`, quick);
  expect(moved.attached).toBe(true);
  await expectRow(moved);
});

test("a server is taken over only if it is this cluster's, whatever answers on the socket", async () => {
  const { folder, cluster, program, pid } = await startKept();
  await program.kill();
  // The short folder for the socket of a long path stays in place when the cluster moves.
  await rename(cluster, `${cluster}-moved`);
  const fresh = await startPostgres(example, folder, quick);
  expect(fresh.attached).toBe(false);
  await expect(rows(fresh, "select n from kept")).rejects.toThrow("does not exist");
  await fresh.stop();
  process.kill(pid, "SIGQUIT");
});
