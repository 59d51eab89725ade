import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "#server/platform/postgres/start.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { dataFolder, startServer } from "#tests/server-process.ts";
import { connections, rate, straight, throughTheServer } from "./bids.ts";
import { HttpConnection } from "./http-connection.ts";
import { type Figure, median } from "./measure.ts";
import { type Browser, newProducts, openBrowser } from "./server-fixture.ts";

const rounds = 3;
const products = 100;

/** Two nodes on one PostgreSQL, and as many people as there are connections; all of them are known to both nodes. */
async function openNodes() {
  const folder = await dataFolder();
  const postgres = await startPostgres(join(folder.path, "postgres"));
  const { application } = postgres;
  await prepareDatabase({ owner: postgres, application });
  const as = ({ user, host, database }: typeof application) =>
    `postgres://${user}@localhost/${database}?host=${host}`;
  const start = (name: string) =>
    startServer({
      DATA_DIR: join(folder.path, name),
      DATABASE_URL: as(application),
      DATABASE_MIGRATION_URL: as(postgres),
      STORAGE_URL: `file://${folder.path}/files`,
      SESSION_SECRET: "the same secret on every node here",
      LOG_LEVEL: "warn",
      UNVERIFIED_BID_LIMIT: "100000000",
    });
  const servers = [await start("one"), await start("two")] as const;
  const people: Browser[] = [];
  for (let at = 0; at < connections; at++) people.push(await openBrowser(servers[0]));
  const clients = Array.from({ length: connections }, () => new pg.Client(application));
  await Promise.all(clients.map((client) => client.connect()));
  const pool = new pg.Pool({ ...application, max: 2 });
  return {
    servers,
    people,
    clients,
    pool,
    async stop() {
      for (const { connection } of people) connection.close();
      await Promise.all(clients.map((client) => client.end()));
      await pool.end();
      await Promise.all(servers.map((server) => server.stop()));
      await postgres.stop();
      await folder.remove();
    },
  };
}

/** Of one core, for each node. */
const share = 0.15;

/**
 * Gives a process so much of one core, by a control group of its own (Linux, as root). Two nodes, PostgreSQL and whoever
 * bids need more cores than this machine may have; so the nodes are what decides. Returns how to undo it.
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

/** Accepted bids a second that two nodes come to on 100 products, as a multiple of one node's. */
export async function nodes(): Promise<Figure[]> {
  const { servers, people, clients, pool, stop } = await openNodes();
  const [first, second] = servers;
  const halves: Browser[] = [];
  for (const [at, { connection, cookie }] of people.entries())
    halves.push({
      connection: at % 2 === 0 ? connection : await HttpConnection.open(second.url),
      cookie,
    });
  const rateOf = async (bidders: readonly Browser[]) =>
    await rate(throughTheServer(first, bidders), await newProducts(pool, products));

  async function compare(name: string, conditions: string): Promise<Figure> {
    const [one, two, direct]: [number[], number[], number[]] = [[], [], []];
    await rateOf(halves);
    for (let round = 0; round < rounds; round++) {
      direct.push(await rate(straight(clients), await newProducts(pool, products)));
      one.push(await rateOf(people));
      two.push(await rateOf(halves));
    }
    const value = median(two) / median(one);
    const rates = [median(two), median(one), median(direct)].map((each) => each.toFixed(0));
    return {
      name,
      value,
      limit: "at least 1.6",
      holds: value >= 1.6,
      detail: `${rates[0]} bids/s, one node ${rates[1]}, straight to PostgreSQL ${rates[2]}; ${conditions}`,
    };
  }

  try {
    const figures = [await compare("bids, two nodes ÷ one", `${availableParallelism()} cores for all`)];
    const undo = await Promise.all(servers.map(({ pid }) => limitProcessor(pid)));
    try {
      figures.push(await compare("bids, two small nodes ÷ one", `each node has ${share} of a core`));
    } finally {
      for (const each of undo) await each();
    }
    return figures;
  } finally {
    for (const [at, { connection }] of halves.entries()) if (at % 2 === 1) connection.close();
    await stop();
  }
}
