import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { type Server, startServer } from "#tests/support/server-process.ts";
import { bidInTurns, connections, serverBid, straight } from "./bid-in-turns.ts";
import { HttpConnection } from "./http-connection.ts";
import { type Figure, median } from "./measure.ts";
import { type Browser, folderOnDisk, newProducts, openBrowser } from "./server-fixture.ts";

const rounds = 3;
const products = 100;

/** Opens a PostgreSQL with nodes that are started on demand, and accounts to bid with. */
async function openNodes() {
  const folder = await folderOnDisk();
  // Four nodes have more connections than the 100 of a default installation.
  const postgres = await startPostgres(join(folder.path, "postgres"), { settings: ["max_connections=300"] });
  const { application } = postgres;
  await prepareDatabase({ owner: postgres, application });
  const as = ({ user, host, database }: typeof application) =>
    `postgres://${user}@localhost/${database}?host=${host}`;
  const servers: Server[] = [];
  async function start(): Promise<Server> {
    const server = await startServer({
      DATA_DIR: join(folder.path, `node-${servers.length}`),
      DATABASE_URL: as(application),
      DATABASE_MIGRATION_URL: as(postgres),
      STORAGE_URL: `file://${folder.path}/files`,
      SESSION_SECRET: "the same secret on every node here",
      LOG_LEVEL: "warn",
      UNVERIFIED_BID_LIMIT: "100000000",
    });
    servers.push(server);
    return server;
  }
  const first = await start();
  const people: Browser[] = [];
  for (let at = 0; at < connections; at++) people.push(await openBrowser(first));
  const pool = new pg.Pool({ ...application, max: 2 });
  const opened: HttpConnection[] = people.map(({ connection }) => connection);
  return {
    first,
    start,
    pool,
    /** Measures PostgreSQL directly. Its connections are closed again, because four nodes need them. */
    async direct(): Promise<number> {
      const clients = Array.from({ length: connections }, () => new pg.Client(application));
      await Promise.all(clients.map((client) => client.connect()));
      try {
        return await bidInTurns(straight(clients), await newProducts(pool, products));
      } finally {
        await Promise.all(clients.map((client) => client.end()));
      }
    },
    /** Connects this many bidders in total, distributed evenly among the nodes. */
    async bidders(nodes: readonly Server[], number: number): Promise<Browser[]> {
      const all: Browser[] = [];
      for (let at = 0; at < number; at++) {
        const connection = await HttpConnection.open((nodes[at % nodes.length] ?? first).url);
        opened.push(connection);
        all.push({ connection, cookie: people[Math.floor(at / nodes.length) % people.length]?.cookie ?? "" });
      }
      return all;
    },
    async stop() {
      for (const connection of opened) connection.close();
      await pool.end();
      await Promise.all(servers.map((server) => server.stop()));
      await postgres.stop();
      await folder.remove();
    },
  };
}

/** The share of one core for each node. */
const share = 0.25;

/**
 * Limits a process to this share of a core, by a separate control group (Linux, as root). Two nodes, PostgreSQL and the
 * bidders may need more cores than this machine has, so the nodes become the bottleneck. Returns how to undo it.
 */
async function limitProcessor(pid: number): Promise<() => Promise<void>> {
  const isUnified = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const group = `/sys/fs/cgroup/${isUnified ? "" : "cpu/"}wayfare-bench-${pid}`;
  const period = 10_000;
  const quota = period * share;
  await mkdir(group);
  if (isUnified) await writeFile(join(group, "cpu.max"), `${quota} ${period}`);
  else {
    await writeFile(join(group, "cpu.cfs_period_us"), String(period));
    await writeFile(join(group, "cpu.cfs_quota_us"), String(quota));
  }
  await writeFile(join(group, "cgroup.procs"), String(pid));
  return async () => {
    await writeFile(join(group, "../cgroup.procs"), String(pid));
    await rmdir(group);
  };
}

/**
 * Measures accepted bids a second of two nodes on 100 products, as a multiple of one node's. The second one is started
 * after the first was measured alone: an idle node would still send the emails of the other's bids.
 */
export async function nodes(): Promise<Figure[]> {
  const { first, start, pool, direct, bidders, stop } = await openNodes();
  const rateOf = async (browsers: readonly Browser[]) =>
    await bidInTurns(serverBid(first, browsers), await newProducts(pool, products), browsers.length);
  async function repeated(measure: () => Promise<number>): Promise<number> {
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) rates.push(await measure());
    return median(rates);
  }
  async function limited(servers: readonly Server[], measure: () => Promise<number>): Promise<number> {
    const undo = await Promise.all(servers.map(({ pid }) => limitProcessor(pid)));
    try {
      return await repeated(measure);
    } finally {
      for (const each of undo) await each();
    }
  }
  /** Calls the server first, since code that has run seldom is slow. */
  async function warmUp(browsers: readonly Browser[]): Promise<void> {
    for (let round = 0; round < rounds; round++) await rateOf(browsers);
  }
  const figure = (name: string, many: number, one: number, least: number, conditions: string): Figure => ({
    name,
    value: many / one,
    limit: least > 0 ? `at least ${least}` : "none on so few cores",
    holds: many / one >= least,
    detail: `${many.toFixed(0)} bids/s, one node ${one.toFixed(0)}; ${conditions}`,
  });

  try {
    // One node has as many bidders as each of two, and as many as both together; the higher rate counts.
    const few = await bidders([first], connections);
    const many = await bidders([first], 2 * connections);
    const best = async () => Math.max(await rateOf(few), await rateOf(many));
    const directRate = (await repeated(direct)).toFixed(0);
    await best();
    const one = await repeated(best);
    const oneLimited = await limited([first], best);

    const both = [first, await start()];
    const bothBidders = await bidders(both, 2 * connections);
    await warmUp(bothBidders);
    const two = await repeated(() => rateOf(bothBidders));
    const twoLimited = await limited(both, () => rateOf(bothBidders));
    const four = [...both, await start(), await start()];
    const fourBidders = await bidders(four, 4 * connections);
    await warmUp(fourBidders);
    const fourLimited = await limited(four, () => rateOf(fourBidders));

    // One node, PostgreSQL and the bidders fill fewer cores, so a second node has nothing left to run on.
    const cores = availableParallelism();
    const least = cores < 4 ? 0 : 1.6;
    const limit = `straight to PostgreSQL ${directRate}`;
    const small = `${limit}; each node has ${share} of a core`;
    return [
      figure("bids, two nodes ÷ one", two, one, least, `${limit}; ${cores} cores for all`),
      figure("bids, two small nodes ÷ one", twoLimited, oneLimited, 1.6, small),
      figure("bids, four small nodes ÷ one", fourLimited, oneLimited, 2, small),
    ];
  } finally {
    await stop();
  }
}
