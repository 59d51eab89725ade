import { once } from "node:events";
import { createServer } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { openObserver } from "#tests/fakes/redis.ts";
import { freshDatabase, recorder, until } from "#tests/support/wayfare.ts";
import { type Bus, createBus } from "./bus.ts";
import { type Database, openDatabase } from "./database.ts";

/** A real Redis, if one is configured. */
const redisUrl = process.env["TEST_EVENTS_URL"];
const deadRedis = "redis://:well-hidden@127.0.0.1:1";
const transports: [string, string | null][] = [
  ["PostgreSQL", null],
  ["PostgreSQL in place of an unreachable Redis", deadRedis],
  ...(redisUrl ? [["Redis", redisUrl] satisfies [string, string]] : []),
];

type Node = { bus: Bus; database: Database; received: string[]; gaps: number; stop(): Promise<void> };
type FreshDatabase = Awaited<ReturnType<typeof freshDatabase>>;

async function openNode(
  { address }: FreshDatabase,
  eventsUrl: string | null,
  log = recorder().log,
): Promise<Node> {
  const database = openDatabase(address, () => {});
  const bus = await createBus(database, log, eventsUrl);
  const node: Node = {
    bus,
    database,
    received: [],
    gaps: 0,
    async stop() {
      await bus.stop();
      await database.close();
    },
  };
  bus.subscribe("news", (payload) => node.received.push(payload), { overRedis: true });
  bus.onGap(() => node.gaps++);
  const carrier = eventsUrl !== null && eventsUrl === redisUrl ? "redis" : "postgres";
  await until(() => bus.isTrusted() && bus.carrier() === carrier);
  return node;
}

/** Closes the event connections of a database's nodes. */
async function cutOff({ address }: FreshDatabase, eventsUrl: string | null): Promise<void> {
  if (eventsUrl !== null && eventsUrl === redisUrl) {
    const observer = await openObserver(eventsUrl);
    await observer.cutOff();
    return await observer.stop();
  }
  const operator = new pg.Client({ ...address, user: inject("postgres").owner });
  await operator.connect();
  await operator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'wayfare-events'",
  );
  await operator.end();
}

describe.each(transports)("over %s", (_name, eventsUrl) => {
  let fresh: FreshDatabase;
  let one: Node;
  let two: Node;
  beforeEach(async () => {
    fresh = await freshDatabase();
    [one, two] = await Promise.all([openNode(fresh, eventsUrl), openNode(fresh, eventsUrl)]);
  });
  afterEach(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await fresh.drop();
  });

  test("an event reaches every node, its sender included, unchanged and in order", async () => {
    const payloads = ["", "a b", "two\nlines", "Zoë 🎓", "x".repeat(7000)];
    await one.bus.publish("news", payloads);
    await one.bus.publish("news", ["last"]);
    for (const node of [one, two]) {
      await until(() => node.received.includes("last"));
      expect(node.received).toEqual([...payloads, "last"]);
    }
  });

  test("an event of a transaction arrives if and when it commits", async () => {
    await one.database
      .transaction(async (tx) => {
        await one.bus.publish("news", ["rolled back"], tx);
        throw new Error("no");
      })
      .catch(() => {});
    await one.database.transaction(async (tx) => {
      await one.bus.publish("news", ["committed"], tx);
      // The marker overtakes it, since the transaction is still open.
      await two.bus.publish("news", ["marker"]);
      await until(() => two.received.includes("marker"));
      expect(two.received).toEqual(["marker"]);
    });
    await until(() => two.received.includes("committed"));
    expect(two.received).toEqual(["marker", "committed"]);
  });

  test("only subscribers of a topic get its events, and one that throws harms no other", async () => {
    two.bus.subscribe("broken", () => {
      throw new Error("it can't be read");
    });
    await one.bus.publish("other", ["not for us"]);
    await one.bus.publish("broken", ["{"]);
    await one.bus.publish("news", ["for us"]);
    await until(() => two.received.length > 0);
    expect(two.received).toEqual(["for us"]);
  });

  test("nodes of another database get no events", async () => {
    const elsewhere = await freshDatabase();
    const stranger = await openNode(elsewhere, eventsUrl);
    await one.bus.publish("news", ["ours"]);
    await until(() => two.received.includes("ours"));
    await stranger.bus.publish("news", ["theirs"]);
    await until(() => stranger.received.length > 0);
    expect(stranger.received).toEqual(["theirs"]);
    await stranger.stop();
    await elsewhere.drop();
  });

  test("a broken connection is announced as a gap, and events arrive again", async () => {
    one.gaps = two.gaps = 0;
    await cutOff(fresh, eventsUrl);
    await until(() => one.gaps > 0 && two.gaps > 0);
    await until(() => one.bus.isTrusted() && two.bus.isTrusted());
    await one.bus.publish("news", ["again"]);
    await two.bus.publish("news", ["and back"]);
    for (const node of [one, two])
      await until(() => node.received.includes("again") && node.received.includes("and back"));
  });
});

describe("while Redis can't be used", () => {
  test.each([
    ["Redis refuses connections", async () => ({ url: deadRedis, stop: async () => {} })],
    [
      "Redis accepts connections but never answers",
      async () => {
        const silent = createServer(() => {}).listen(0, "127.0.0.1");
        await once(silent, "listening");
        const address = silent.address();
        const port = typeof address === "object" ? address?.port : 0;
        return { url: `redis://:well-hidden@127.0.0.1:${port}`, stop: async () => void silent.close() };
      },
    ],
  ])("when %s, a node starts and logs that once, without the password", async (_how, serve) => {
    const [fresh, { url, stop }, { lines, log }] = [await freshDatabase(), await serve(), recorder()];
    const [node, plain] = [await openNode(fresh, url, log), await openNode(fresh, null)];
    await plain.bus.publish("news", ["over PostgreSQL"]);
    await node.bus.publish("news", ["and back"]);
    await until(() => node.received.includes("over PostgreSQL") && plain.received.includes("and back"));
    expect(lines.map(({ msg }) => msg)).toEqual([
      "events travel over PostgreSQL until Redis (EVENTS_URL) answers",
    ]);
    expect(JSON.stringify(lines)).not.toContain("well-hidden");
    await Promise.all([node.stop(), plain.stop()]);
    await Promise.all([fresh.drop(), stop()]);
  });
});
