import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { RawStream } from "#tests/support/raw-stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import type { Guard } from "./guarded-topics.ts";
import { createLive, type Live } from "./live.ts";
import { type Holder, type OpenSink, socketSink } from "./live-watcher.ts";

/** Frequent heartbeats, so that a test sees some. */
const beatEvery = 20;
let w: Wayfare;
let live: Live;
let server: Server;
let holder: Holder;
let guard: Guard;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

/** Opens a stream over one channel for every request. */
beforeEach(async () => {
  live = createLive(w.services.bus, new Set(), beatEvery);
  holder = { visitor: "203.0.113.7" };
  guard = { topics: [], check: async () => new Map() };
  server = createServer((_request, response) => {
    const sink = socketSink(response, { "content-type": "text/event-stream" });
    if (sink) live.open(holder, new Map([["lot", "lot"]]), sink, guard);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  live.endAll();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const open = () => RawStream.open((server.address() as AddressInfo).port, "lot");
const connections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
const nothingLeft = () => live.count() === 0 && !live.isWatched("lot");
const member = (changes: object): Holder => ({
  userId: "ada",
  sessionId: "one",
  expiresAt: new Date(Date.now() + 60_000),
  stillSignedIn: async () => true,
  endEventData: async () => "{}",
  ...changes,
});

test("a reading client gets heartbeats; one that has not read since the last one is cut off", async () => {
  const reading = await open();
  const stuck = await open();
  stuck.socket.pause();
  while (live.count() === 2) {
    live.deliver("lot", JSON.stringify("x".repeat(50_000)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const before = reading.countHeartbeats();
  await until(() => reading.countHeartbeats() > before + 2);
  expect(live.count()).toBe(1);
  expect(reading.socket.destroyed).toBe(false);
  await until(async () => (await connections()) === 1);
  reading.socket.destroy();
  await until(nothingLeft);
});

test("a stream that the browser has left gets no heartbeat", async () => {
  let checks = 0;
  holder = member({ stillSignedIn: async () => ++checks > 0 });
  const leaving = await open();
  await until(() => checks > 1);
  leaving.socket.destroy();
  await until(nothingLeft);
  const before = checks;
  holder = { visitor: "203.0.113.7" };
  const staying = await open();
  await until(() => staying.countHeartbeats() > 3);
  expect(checks).toBe(before);
});

test.each([
  ["has ended", { stillSignedIn: async () => false }],
  ["has expired", { expiresAt: new Date(0) }],
])("the next heartbeat ends the stream of a session that %s", async (_how, changes) => {
  holder = member(changes);
  const stream = await open();
  await once(stream.socket, "close");
  expect(stream.text).toMatch(/event: signed-out\ndata: \{\}\n\n$/);
  expect(nothingLeft()).toBe(true);
});

test("keeps a session's stream open while the database is down", async () => {
  holder = member({ stillSignedIn: () => Promise.reject(new Error("no database")) });
  const stream = await open();
  await until(() => stream.countHeartbeats() > 0);
  expect(live.count()).toBe(1);
});

test("events that were sent before the end arrive before it", async () => {
  const stream = await open();
  live.deliver("lot", '"last"');
  live.endAll();
  await once(stream.socket, "close");
  expect(stream.events()).toEqual(['"last"']);
  expect(nothingLeft()).toBe(true);
});

test("merges different unread events for a slow browser into one that only says that something changed", async () => {
  // Its heartbeats are so rare that they don't cut the slow browser off.
  const patient = createLive(w.services.bus);
  const [slow, quick]: [string[], string[]] = [[], []];
  let hasRoom = false;
  let read = () => {};
  const sinkOf =
    (events: string[], isFree: () => boolean): OpenSink =>
    ({ drained }) => {
      if (events === slow) read = drained;
      const write = (bytes: Buffer) =>
        void events.push(
          ...bytes
            .toString()
            .matchAll(/data: (.*)/g)
            .map(([, data = ""]) => data),
        );
      return { hasRoom: isFree, write, end() {}, cut() {} };
    };
  patient.open(
    holder,
    new Map([["lot", "lot"]]),
    sinkOf(slow, () => hasRoom),
  );
  patient.open(
    holder,
    new Map([["lot", "lot"]]),
    sinkOf(quick, () => true),
  );
  const readAfter = async (...events: string[]) => {
    quick.length = 0;
    await w.services.bus.publish(
      "live",
      events.map((data) => `lot ${data}`),
    );
    await until(() => quick.length === events.length);
    hasRoom = true;
    read();
    hasRoom = false;
  };
  await readAfter('{"about":"documents"}');
  await readAfter('{"about":"documents"}', '{"about":"profile"}');
  expect(slow).toEqual(['{"about":"documents"}', "{}"]);
  patient.endAll();
});

test("a stream whose rights can't be checked says so and ends", async () => {
  guard = { topics: ["thread:1"], check: () => Promise.reject(new Error("no database")) };
  const stream = await open();
  await once(stream.socket, "close");
  expect(stream.text).toMatch(/event: thread:1\ndata: \{"refused":"unavailable"\}\n\n$/);
  expect(nothingLeft()).toBe(true);
});

test("ignores the result of a check during which the stream has ended", async () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Guard["check"]>>>();
  guard = { topics: ["thread:1"], check: () => promise };
  const stream = await open();
  stream.socket.destroy();
  await until(nothingLeft);
  resolve(new Map([["thread:1", { owner: "ada" }]]));
  await promise;
  expect(live.isWatched("thread:1")).toBe(false);
});
