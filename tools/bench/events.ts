import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { noRedis, Redis } from "#tests/fakes/redis.ts";
import { type Child, openChild } from "./child.ts";
import type { OpenOrder, Publish, PublishReport, ReceiveReport, Report, Transport } from "./event-node.ts";
import { type Figure, median } from "./measure.ts";

/** Number of nodes that receive every event. */
const listeners = 4;
/** Events a second to try, one after the other. */
const rates = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
const seconds = 2;
/** Milliseconds within which 99 of 100 events must arrive. */
const within = 100;
/** Events a second while commits are counted: as many as 20 busy nodes send. */
const besideCommits = 1_000;
/** Maximum announcements that one node sends in a second, however many bids it takes (`product-states.ts`). */
const perNode = 50;
const rounds = 3;

/** Opens a process that publishes and one that listens; each receives all events. */
async function openPair(
  transport: Transport,
): Promise<{ publisher: Child; receivers: Child; stop(): Promise<void> }> {
  const [publisher, receivers] = [openChild("event-node.ts"), openChild("event-node.ts")];
  await receivers.ask({ open: transport, nodes: listeners } satisfies OpenOrder);
  await publisher.ask({ open: transport, nodes: 1 } satisfies OpenOrder);
  return {
    publisher,
    receivers,
    async stop() {
      await Promise.all([publisher.stop(), receivers.stop()]);
    },
  };
}
type Pair = Awaited<ReturnType<typeof openPair>>;

async function run({ publisher, receivers }: Pair, rate: number, lasting = seconds) {
  const published = (await publisher.ask({ rate, seconds: lasting } satisfies Publish)) as PublishReport;
  const received = (await receivers.ask({ expected: published.sent } satisfies Report)) as ReceiveReport;
  await publisher.ask({ expected: 0 } satisfies Report);
  return { ...received, lost: published.sent - received.received };
}

/** Returns the highest rate at which every event arrives, 99 of 100 in time; a slow moment doesn't end the search. */
async function highestRate(transport: Transport): Promise<{ rate: number; p99: number }> {
  const pair = await openPair(transport);
  let best = { rate: 0, p99: 0 };
  await run(pair, 250);
  let failures = 0;
  for (const rate of rates) {
    for (let tries = 0; tries < 2 && best.rate < rate; tries++) {
      const { p99, lost } = await run(pair, rate);
      if (lost === 0 && p99 <= within) best = { rate, p99 };
    }
    failures = best.rate < rate ? failures + 1 : 0;
    if (failures === 2) break;
  }
  await pair.stop();
  return best;
}

/** Returns the commits a second of eight writers, each with a row that reaches the disk. */
async function commits(address: DatabaseAddress): Promise<number> {
  const clients = Array.from({ length: 8 }, () => new pg.Client(address));
  await Promise.all(clients.map((client) => client.connect()));
  const began = performance.now();
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - began < seconds * 1000) {
        await client.query({ name: "write", text: "insert into bench_write values (clock_timestamp())" });
        done++;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  return done / ((performance.now() - began) / 1000);
}

/** Repeats the measurement without events and with those of each transport in turn. */
async function commitsBeside(transports: readonly Transport[]): Promise<number[][]> {
  const pairs = await Promise.all(transports.map(openPair));
  const rates: number[][] = [[], ...transports.map(() => [])];
  const [{ address } = { address: {} as DatabaseAddress }] = transports;
  for (let round = 0; round < rounds; round++) {
    rates[0]?.push(await commits(address));
    for (const [at, pair] of pairs.entries()) {
      const events = run(pair, besideCommits, seconds);
      rates[at + 1]?.push(await commits(address));
      await events;
    }
  }
  await Promise.all(pairs.map((pair) => pair.stop()));
  return rates;
}

/** Measures the highest rate of each transport and of the bare minimum, and the commits that events cost. */
export async function events(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-bench-events-"));
  await chmod(folder, 0o755);
  const { host, port, user, database, stop } = await startPostgres(folder);
  const address = { host, port, user, database };
  const redis = noRedis ? null : await Redis.open();
  if (noRedis) console.log(`without Redis: ${noRedis}`);
  const transports = [
    { name: "NOTIFY", eventsUrl: null },
    ...(redis ? [{ name: "Redis", eventsUrl: redis.url }] : []),
  ];
  try {
    const owner = new pg.Client(address);
    await owner.connect();
    await owner.query("create table bench_write (at timestamptz)");
    await owner.end();
    const figures: Figure[] = [];
    for (const { name, eventsUrl } of transports) {
      const ours = await highestRate({ address, eventsUrl, bare: false });
      const bare = await highestRate({ address, eventsUrl, bare: true });
      const detail =
        `a second to ${listeners} nodes with p99 below ${within} ms (${ours.p99.toFixed(0)} ms), ` +
        `bare ${bare.rate}; ${Math.floor(ours.rate / perNode)} nodes at their busiest`;
      figures.push({
        name: `events over ${name}`,
        value: ours.rate,
        limit: `at least half of the bare rate`,
        holds: ours.rate >= bare.rate / 2,
        detail,
      });
    }
    const [alone = [], ...beside] = await commitsBeside(
      transports.map(({ eventsUrl }) => ({ address, eventsUrl, bare: false })),
    );
    for (const [at, { name }] of transports.entries()) {
      const value = median(beside[at] ?? []) / median(alone);
      const detail = `${median(beside[at] ?? []).toFixed(0)} a second, ${median(alone).toFixed(0)} without events`;
      const limit = "at least 0.5";
      figures.push({
        name: `commits beside ${besideCommits} by ${name}`,
        value,
        limit,
        holds: value >= 0.5,
        detail,
      });
    }
    return figures;
  } finally {
    await redis?.kill();
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}
