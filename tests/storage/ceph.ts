import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "#tests/support/server-process.ts";
import type { S3Access } from "#tests/support/stores.ts";

const run = promisify(execFile);

/** Milliseconds within which each of its programs must answer. */
const maxStartTime = 240_000;

/** An S3 gateway of a cluster. */
type Gateway = {
  host: string;
  /** Stops answering while connections are still accepted, like a machine that hangs. */
  pause(): void;
  resume(): void;
  /** Ends all processes immediately, like a power cut. */
  kill(): Promise<void>;
  /** Restarts it at the same address. */
  start(): Promise<void>;
};

/** A Ceph with one monitor and one store in memory: the minimum for a real S3 server that checks signatures. */
export type Cluster = { gateway: Gateway; access: S3Access; stop(): Promise<void> };

const configuration = (folder: string, monitor: number, id: string) => `
[global]
fsid = ${id}
mon initial members = a
mon host = v1:127.0.0.1:${monitor}
ms bind msgr2 = false
public network = 127.0.0.0/8
keyring = ${folder}/keyring
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 0
run dir = ${folder}
admin socket =
log file = ${folder}/$name.log
mon data = ${folder}/mon
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
rgw data = ${folder}/rgw
rgw dynamic resharding = false
`;

async function until(isThere: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + maxStartTime;
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await setTimeout(100);
  }
}

/** The processes of this run, which end with it in any case. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

async function end(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

class CephFolder {
  readonly folder: string;
  readonly #config: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#config = join(folder, "ceph.conf");
  }

  /** Runs one of Ceph's programs to its end. */
  async run(program: string, ...words: string[]): Promise<string> {
    const deadline = performance.now() + maxStartTime;
    for (;;)
      try {
        return (await run(program, ["-c", this.#config, ...words], { timeout: maxStartTime })).stdout;
      } catch (error) {
        // A monitor that has just started sometimes refuses what it allows a moment later.
        if (!String(error).includes("EPERM") || performance.now() > deadline) throw error;
        await setTimeout(100);
      }
  }

  /** Starts one of Ceph's servers. */
  async start(program: string, ...words: string[]): Promise<ChildProcess> {
    const output = await open(join(this.folder, `${program}.out`), "a");
    const stdio = ["ignore", output.fd, output.fd] as const;
    const child = spawn(program, ["-c", this.#config, "-f", ...words], { stdio: [...stdio] });
    running.add(child);
    await once(child, "spawn");
    await output.close();
    return child;
  }
}

async function startMonitor(ceph: CephFolder): Promise<ChildProcess> {
  const { folder } = ceph;
  const port = await freePort();
  const id = randomUUID();
  const [keyring, map] = [join(folder, "keyring"), join(folder, "monmap")];
  await writeFile(join(folder, "ceph.conf"), configuration(folder, port, id));
  await run("ceph-authtool", [
    "--create-keyring",
    keyring,
    "--gen-key",
    "-n",
    "mon.",
    "--cap",
    "mon",
    "allow *",
  ]);
  const caps = ["--cap", "mon", "allow *", "--cap", "osd", "allow *"];
  await run("ceph-authtool", [keyring, "--gen-key", "-n", "client.admin", ...caps]);
  await run("monmaptool", ["--create", "--addv", "a", `[v1:127.0.0.1:${port}]`, "--fsid", id, map]);
  await ceph.run("ceph-mon", "--mkfs", "-i", "a", "--monmap", map, "--keyring", keyring);
  return await ceph.start("ceph-mon", "-i", "a");
}

async function startStore(ceph: CephFolder): Promise<ChildProcess> {
  const id = randomUUID();
  await ceph.run("ceph", "osd", "new", id);
  await ceph.run("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", id);
  const child = await ceph.start("ceph-osd", "-i", "0");
  await until(async () => (await ceph.run("ceph", "osd", "stat")).includes("1 up"), "ceph-osd");
  return child;
}

async function openGateway(ceph: CephFolder): Promise<Gateway> {
  const host = `127.0.0.1:${await freePort()}`;
  let child: ChildProcess | null = null;
  const start = async () => {
    child = await ceph.start("radosgw", "-n", "client.admin", `--rgw-frontends=beast endpoint=${host}`);
    const answers = () =>
      fetch(`http://${host}/`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, "radosgw");
  };
  await start();
  return {
    host,
    start,
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    kill: async () => {
      if (child) await end(child);
    },
  };
}

/** Returns how to install Ceph, or null if it is installed. */
async function missingCeph(): Promise<string | null> {
  for (const program of ["radosgw", "ceph-mon", "ceph-osd", "ceph"])
    if (
      await run(program, ["--version"]).then(
        () => false,
        () => true,
      )
    )
      return `There is no ${program} here. On Debian: apt install radosgw ceph-mon ceph-osd ceph-common`;
  return null;
}

export async function openCeph(): Promise<Cluster> {
  const missing = await missingCeph();
  if (missing !== null) throw new Error(missing);
  const ceph = new CephFolder(await mkdtemp(join(tmpdir(), "wayfare-ceph-")));
  for (const name of ["mon", "osd", "rgw"]) await mkdir(join(ceph.folder, name));
  const children: ChildProcess[] = [];
  try {
    children.push(await startMonitor(ceph), await startStore(ceph));
    const gateway = await openGateway(ceph);
    // The secret contains characters that must be escaped in a URL.
    const [key, secret] = [`key${randomBytes(8).toString("hex")}`, `${randomBytes(15).toString("base64")}/+`];
    const keys = [`--access-key=${key}`, `--secret-key=${secret}`];
    await ceph.run("radosgw-admin", "user", "create", "--uid=wayfare", "--display-name=Wayfare", ...keys);
    return {
      gateway,
      access: { host: gateway.host, key, secret },
      async stop() {
        await gateway.kill();
        for (const child of children.toReversed()) await end(child);
        await rm(ceph.folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    for (const child of children) await end(child);
    const output = await readFile(join(ceph.folder, "radosgw.out"), "utf8").catch(() => "");
    throw new Error(`Ceph did not start; its folder is ${ceph.folder}. ${output}`, { cause: error });
  }
}
