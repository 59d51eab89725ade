import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { createClient } from "@redis/client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Bus, createBus } from "#server/platform/bus.ts";
import { type Database, openDatabase } from "#server/platform/database.ts";
import { openObserver, Redis } from "#tests/fakes/redis.ts";
import { freshDatabase, recorder, until } from "#tests/support/wayfare.ts";

/**
 * A node under test. These tests cover faults of an existing Redis; server/platform/bus.test.ts covers the guarantees
 * of every carrier of events.
 */
type Node = {
  bus: Bus;
  database: Database;
  received: string[];
  gaps: number;
  log: ReturnType<typeof recorder>["lines"];
  stop(): Promise<void>;
};

let redis: Redis;
let observer: Awaited<ReturnType<typeof openObserver>>;
let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let running: Node[];

beforeAll(async () => {
  redis = await Redis.open();
});
afterAll(() => redis.kill());
beforeEach(async () => {
  fresh = await freshDatabase();
  observer = await openObserver(redis.url);
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((node) => node.stop()));
  await observer.stop();
  await fresh.drop();
});

async function openNode(url = redis.url): Promise<Node> {
  const database = openDatabase(fresh.address, () => {});
  const { log, lines } = recorder();
  const bus = await createBus(database, log, url);
  const node: Node = {
    bus,
    database,
    received: [],
    gaps: 0,
    log: lines,
    async stop() {
      await bus.stop();
      await database.close();
    },
  };
  bus.subscribe("news", (payload) => node.received.push(payload), { overRedis: true });
  bus.onGap(() => node.gaps++);
  running.push(node);
  await until(() => bus.isTrusted());
  return node;
}

let messages = 0;
/**
 * Publishes from each node in turn until one of its messages has travelled this way. Every message arrives everywhere.
 */
async function publishUntil(way: "redis" | "postgres", nodes: readonly Node[]): Promise<void> {
  for (const from of nodes)
    await until(async () => {
      const message = `message ${++messages}`;
      await from.bus.publish("news", [message]);
      await until(() => nodes.every(({ received }) => received.includes(message)));
      return observer.received.includes(`news ${message}`) === (way === "redis");
    });
}

/** Opens a relay to Redis that can be cut for one node. */
async function openRelay() {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const onward = connect(Number(new URL(redis.url).port), "127.0.0.1");
    for (const each of [socket, onward]) {
      open.add(each);
      each
        .on("error", () => {})
        .on("close", () => {
          socket.destroy();
          onward.destroy();
          open.delete(each);
        });
    }
    socket.pipe(onward).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(redis.url);
  url.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

test("events without a transaction go over Redis alone, transactional ones never", async () => {
  const [one, two] = [await openNode(), await openNode()];
  await publishUntil("redis", [one, two]);
  observer.received.length = two.received.length = 0;
  await one.bus.publish("news", ["free"]);
  await until(() => two.received.includes("free"));
  await one.database.transaction((tx) => one.bus.publish("news", ["bound"], tx));
  await until(() => two.received.includes("bound"));
  await one.bus.publish("news", ["last"]);
  await until(() => observer.received.includes("news last"));
  expect(observer.received).toEqual(["news free", "news last"]);
  await until(() => two.received.includes("last"));
  expect(two.received).toEqual(["free", "bound", "last"]);
});

test("a node that is cut off from Redis still gets every event, and reconnects", async () => {
  const relay = await openRelay();
  const [one, two] = [await openNode(relay.url), await openNode()];
  await publishUntil("redis", [one, two]);
  one.gaps = two.gaps = 0;
  relay.cut();
  await until(() => one.gaps > 0 && one.bus.isTrusted());
  await publishUntil("postgres", [one, two]);
  // The node missed nothing.
  expect(two.gaps).toBe(0);
  relay.mend();
  await publishUntil("redis", [one, two]);
  expect(one.log.map(({ msg }) => msg)).toEqual([
    "events travel over Redis",
    "events travel over PostgreSQL until Redis (EVENTS_URL) answers",
    "events travel over Redis",
  ]);
  relay.close();
});

test("PostgreSQL replaces a Redis that is killed until it is back", async () => {
  const nodes = [await openNode(), await openNode()];
  await redis.kill();
  await until(() => nodes.every(({ gaps, bus }) => gaps > 0 && bus.isTrusted()));
  await nodes[0]?.bus.publish("news", ["without it"]);
  await until(() => nodes.every(({ received }) => received.includes("without it")));
  await redis.start();
  await observer.stop();
  observer = await openObserver(redis.url);
  await publishUntil("redis", nodes);
});

test("a Redis that hangs is dropped: events published meanwhile arrive, and later it is used again", async () => {
  const nodes = [await openNode(), await openNode()];
  redis.pause();
  await Promise.all(nodes.map(({ bus }, at) => bus.publish("news", [`into the void ${at}`])));
  await until(() => nodes.every(({ gaps, bus }) => gaps > 0 && bus.isTrusted()));
  for (const { received } of nodes)
    await until(() => received.includes("into the void 0") && received.includes("into the void 1"));
  redis.resume();
  await publishUntil("redis", nodes);
});

test("with a wrong Redis password events go over PostgreSQL, and the password is not logged", async () => {
  const wrong = new URL(redis.url);
  wrong.password = "not-this-one";
  const [one, two] = [await openNode(wrong.href), await openNode()];
  await publishUntil("postgres", [one, two]);
  expect(one.log.map(({ err }) => err?.message ?? "").join()).toContain("WRONGPASS");
  expect(JSON.stringify(one.log)).not.toContain("not-this-one");
});

test("a client that writes to Redis can't forge events of a topic that doesn't travel there", async () => {
  const [one, two] = [await openNode(), await openNode()];
  await publishUntil("redis", [one, two]);
  const accounts: string[] = [];
  one.bus.subscribe("account", (payload) => accounts.push(payload));
  const stranger = createClient({ url: redis.url });
  await stranger.connect();
  const [channel = ""] = await stranger.pubSubChannels("wayfare:*");
  for (const forged of ["account forged", "redis-absence forged", "unknown forged", " forged", "forged"])
    await stranger.publish(channel, forged);
  await stranger.publish(channel, "news forged");
  stranger.destroy();
  await until(() => one.received.includes("forged"));
  expect(accounts).toEqual([]);
  expect([one.bus.carrier(), two.bus.carrier()]).toEqual(["redis", "redis"]);
  // Such a topic's genuine events go over PostgreSQL.
  await two.bus.publish("account", ["true"]);
  await until(() => accounts.length > 0);
  expect(accounts).toEqual(["true"]);
  expect(observer.received).not.toContain("account true");
});
