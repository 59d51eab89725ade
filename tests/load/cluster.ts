import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { EmbeddedPostgres } from "@wayfare/embedded-postgres";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { freePort, type Server, startServer } from "#tests/support/server-process.ts";
import { createTestData, sessionSecret, type TestData } from "./test-data.ts";

/** The reason to skip tests that need a balancer; "" if it is installed. */
export const noBalancer =
  spawnSync("haproxy", ["-v"]).status === 0 ? "" : "there is no haproxy (`apt install haproxy`)";

/** A node that can be killed and restarted on the same port. */
class ClusterNode {
  readonly url: string;
  readonly #variables: Record<string, string>;
  #server: Server | null = null;

  constructor(port: number, variables: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#variables = { ...variables, PORT: String(port) };
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.#variables);
  }

  /** Ends the process immediately, like a power cut. */
  async kill(): Promise<void> {
    await this.#server?.kill();
    this.#server = null;
  }

  /** Ends the process with SIGTERM, like an operator. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    // A paused process receives the signal only once it continues.
    if (server) process.kill(server.pid, "SIGCONT");
    await server?.stop();
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    if (this.#server) process.kill(this.#server.pid, signal);
  }

  get lines(): readonly string[] {
    return this.#server?.lines ?? [];
  }
}

export type Cluster = TestData & {
  url: string;
  balancerLines: readonly string[];
  nodes: readonly [ClusterNode, ClusterNode, ClusterNode];
  address: EmbeddedPostgres["application"];
  /** Environment variables of the nodes and of commands that run next to them. */
  variables: Record<string, string>;
  stop(): Promise<void>;
};

async function startBalancer(
  port: number,
  nodes: readonly ClusterNode[],
  lines: string[],
): Promise<ChildProcess> {
  const env: NodeJS.ProcessEnv = { PATH: process.env["PATH"], WAYFARE_BIND: `127.0.0.1:${port}` };
  for (const [at, { url }] of nodes.entries()) env[`WAYFARE_NODE_${at + 1}`] = new URL(url).host;
  const balancer = spawn("haproxy", ["-db", "-f", "deploy/haproxy.cfg"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  createInterface({ input: balancer.stderr }).on("line", (line) => lines.push(line));
  process.once("exit", () => balancer.kill());
  for (;;) {
    if (balancer.exitCode !== null) throw new Error(`haproxy ended:\n${lines.join("\n")}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) return balancer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts three processes behind HAProxy on one PostgreSQL and one store, as in deploy/haproxy.cfg. */
export async function openCluster(
  data: { bidders: number; lots: number },
  eventsUrl?: string,
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-nodes-"));
  await chmod(folder, 0o755);
  const postgres = await startPostgres(join(folder, "postgres"));
  const { application } = postgres;
  await prepareDatabase({ owner: postgres, application });
  const people = await createTestData(application, join(folder, "filling"), data);
  const port = await freePort();
  const as = ({ user, host, database }: typeof application) =>
    `postgres://${user}@localhost/${database}?host=${host}`;
  const variables = {
    DATABASE_URL: as(application),
    DATABASE_MIGRATION_URL: as(postgres),
    STORAGE_URL: `file://${folder}/files`,
    SESSION_SECRET: sessionSecret,
    BASE_URL: `http://127.0.0.1:${port}`,
    HOST: "127.0.0.1",
    TRUST_PROXY: "1",
    LOG_LEVEL: "warn",
    UNVERIFIED_BID_LIMIT: "100000000",
    ...(eventsUrl === undefined ? {} : { EVENTS_URL: eventsUrl }),
  };
  const node = async (at: number) =>
    new ClusterNode(await freePort(), { ...variables, DATA_DIR: join(folder, `node-${at}`) });
  const nodes: [ClusterNode, ClusterNode, ClusterNode] = [await node(1), await node(2), await node(3)];
  await Promise.all(nodes.map((each) => each.start()));
  const balancerLines: string[] = [];
  const balancer = await startBalancer(port, nodes, balancerLines);
  return {
    ...people,
    url: `http://127.0.0.1:${port}`,
    nodes,
    balancerLines,
    address: application,
    variables: { ...variables, DATA_DIR: join(folder, "command") },
    async stop() {
      balancer.kill();
      await once(balancer, "exit");
      await Promise.all(nodes.map((each) => each.stop()));
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
