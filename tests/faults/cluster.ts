import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { DatabaseAccess } from "#server/platform/prepare-database.ts";
import { freePort } from "#tests/support/server-process.ts";

/** Debian's folder for the programs of its PostgreSQL. */
const programs = "/usr/lib/postgresql/15/bin";

const isRoot = process.getuid?.() === 0;
/** Returns an id of the postgres user, because PostgreSQL refuses to run as root. */
const idOf = (option: "-u" | "-g"): number =>
  Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
const account = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
const run = (program: string, ...words: string[]) =>
  execFileSync(join(programs, program), words, { ...account, stdio: "pipe", env: { LC_ALL: "C.UTF-8" } });

/** Creates a folder that PostgreSQL can write to. */
async function clusterFolder(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(path, account.uid, account.gid);
  return path;
}

const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
  "max_wal_size=64MB",
  "min_wal_size=32MB",
  "shared_buffers=64MB",
  "wal_level=replica",
  "wal_log_hints=on",
  "log_min_messages=warning",
];

/** Debian's PostgreSQL in a separate process, on a local port, into which faults are injected. */
export class Cluster {
  readonly folder: string;
  readonly port: number;
  readonly #settings: readonly string[];
  #process: ChildProcess | null = null;
  #keeping: Promise<void> | null = null;
  #isKept = false;
  readonly log: string[] = [];

  private constructor(folder: string, port: number, more: readonly string[]) {
    this.folder = folder;
    this.port = port;
    this.#settings = [...settings, `port=${port}`, ...more];
  }

  /** Creates a cluster with Wayfare's two roles and an empty database. */
  static async create(path: string, more: readonly string[] = []): Promise<Cluster> {
    const cluster = new Cluster(await clusterFolder(path), await freePort(), more);
    run("initdb", "--username=wayfare", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-D", path);
    await cluster.start();
    await cluster.ask("create role wayfare_app login", "postgres");
    await cluster.ask("create database wayfare", "postgres");
    return cluster;
  }

  /** Creates a synchronous standby of a primary. */
  static async standbyOf(primary: Cluster, path: string, more: readonly string[] = []): Promise<Cluster> {
    const standby = new Cluster(await clusterFolder(path), await freePort(), more);
    const from = `host=127.0.0.1 port=${primary.port} user=wayfare application_name=standby`;
    run("pg_basebackup", "--dbname", from, "--pgdata", path, "--write-recovery-conf", "--checkpoint=fast");
    await standby.start();
    return standby;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Returns the URLs for the owner of the tables and for the application. `port` belongs to the proxy in front. */
  access(port = this.port): { owner: string; application: string } {
    const as = (role: string) => `postgres://${role}@127.0.0.1:${port}/wayfare`;
    return { owner: as("wayfare"), application: as("wayfare_app") };
  }

  addresses(): DatabaseAccess {
    const { owner, application } = this.access();
    return { owner: { connectionString: owner }, application: { connectionString: application } };
  }

  async ask<Row extends object>(text: string, database = "wayfare"): Promise<Row[]> {
    const client = new pg.Client({ host: "127.0.0.1", port: this.port, user: "wayfare", database });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts it, and restarts it whenever it ends, as a service manager does; resolves when it accepts connections. */
  async start(): Promise<void> {
    this.#isKept = true;
    this.#keeping = this.#keep();
    await this.untilReady();
  }

  async #keep(): Promise<void> {
    while (this.#isKept) {
      const flags = this.#settings.flatMap((setting) => ["-c", setting]);
      const child = spawn(join(programs, "postgres"), ["-D", this.folder, ...flags], {
        ...account,
        stdio: ["ignore", "pipe", "pipe"],
        env: { LC_ALL: "C.UTF-8", TZ: "UTC" },
      });
      this.#process = child;
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => void this.log.push(chunk.toString()));
      await once(child, "exit");
      if (this.#isKept) await setTimeout(300);
    }
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const failure = await this.ask("select 1", "postgres").then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) return;
      if (performance.now() > deadline)
        throw new Error(`PostgreSQL did not start:\n${this.log.join("")}`, { cause: failure });
      await setTimeout(100);
    }
  }

  /** Stops it without a restart: `SIGINT` is fast, `SIGQUIT` immediate, and `SIGKILL` like a power cut. */
  async stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL" = "SIGINT"): Promise<void> {
    this.#isKept = false;
    this.#process?.kill(signal);
    await this.#keeping;
    await this.#untilAllEnded();
  }

  /** Waits for the children of a killed process, which notice its death themselves. */
  async #untilAllEnded(): Promise<void> {
    for (let tries = 0; tries < 300 && this.processes().length > 0; tries++) await setTimeout(20);
  }

  /** Returns all of its processes, with their children. */
  processes(): number[] {
    const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
    const rows = lines.map((line) => line.trim().split(/\s+/));
    const isOurs = ([pid, parent]: string[]) => Number(pid) === this.pid || Number(parent) === this.pid;
    return this.pid === 0 ? [] : rows.filter(isOurs).map(([pid]) => Number(pid));
  }

  /** Pauses all of its processes, as when its machine is paused. */
  pause(): void {
    for (const pid of this.processes()) process.kill(pid, "SIGSTOP");
  }

  resume(): void {
    for (const pid of this.processes()) process.kill(pid, "SIGCONT");
  }

  async set(line: string): Promise<void> {
    const path = join(this.folder, "postgresql.auto.conf");
    await writeFile(path, `${await readFile(path, "utf8")}${line}\n`);
    await this.ask("select pg_reload_conf()", "postgres");
  }

  async promote(): Promise<void> {
    await this.ask("select pg_promote()", "postgres");
  }

  async remove(): Promise<void> {
    await this.stop("SIGQUIT");
    await rm(this.folder, { recursive: true, force: true });
  }
}
