import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { RawStream } from "#tests/support/raw-stream.ts";
import { openStream, Stream } from "#tests/support/stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let server: Server;
let port: number;
/** The server's ends of its connections. */
const sockets = new Set<Socket>();
beforeAll(async () => {
  w = await wayfare();
  server = serve({ fetch: w.app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  server.on(
    "connection",
    (socket) => sockets.add(socket).size && socket.once("close", () => sockets.delete(socket)),
  );
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await w.stop();
});

const lot = () => `product:${randomUUID()}`;
const visitor = (address?: string) => new Caller(w.app, address);
const open = (topics: string, headers?: string) => RawStream.open(port, topics, headers);
const nothingLeft = () => w.services.live.count() === 0 && sockets.size === 0;

describe("a visitor", () => {
  test("watches products, and nothing that belongs to an account", async () => {
    const { live } = w.services;
    const [topic, ada] = [lot(), await person(w, "student", "active")];
    const stream = await openStream(visitor(), `account,agents,dashboard,notifications,${topic}`);
    for (const channel of ["agents", `account:${ada.id}`, "account:", "account:undefined", topic])
      live.deliver(channel, "{}");
    expect(await stream.next()).toBe(topic);
    await stream.leave();
    for (const topics of ["", "account", "account,agents,dashboard,notifications", "product:1", "nonsense"])
      expect(await Stream.open(visitor(), topics)).toBe(401);
  });

  test("receives what another node publishes", async () => {
    const other = await wayfare({ on: w.address });
    const topic = lot();
    const stream = await openStream(visitor(), topic);
    await other.services.live.publish(topic, "{}");
    expect(await stream.next()).toBe(topic);
    await stream.leave();
    await other.stop();
  });

  test("is refused beyond 500 streams of an address; members and other addresses are not", async () => {
    const topic = lot();
    const streams = await Promise.all(Array.from({ length: 500 }, () => openStream(visitor(), topic)));
    expect(await Stream.open(visitor(), topic)).toBe(429);
    const elsewhere = await openStream(visitor("203.0.113.8"), topic);
    const ada = await person(w, "student", "active");
    const member = await openStream(ada.caller, topic);
    await streams.pop()?.leave();
    streams.push(await openStream(visitor(), topic), elsewhere, member);
    await Promise.all(streams.map((stream) => stream.leave()));
    await until(nothingLeft);
    expect(w.services.live.isWatched(topic)).toBe(false);
  });

  test("leaves no stream after a HEAD request", async () => {
    expect((await visitor().request(`/live?topics=${lot()}`, { method: "HEAD" })).status).toBe(405);
    expect(w.services.live.count()).toBe(0);
  });
});

describe("over a connection", () => {
  test("the answer is plain HTTP/1.1, ended by its connection, with all headers of the app", async () => {
    const [topic, inside] = [lot(), await visitor().request(`/live?topics=${lot()}`, {})];
    await inside.body?.cancel();
    expect(inside.headers.get("cache-control")).toBe("no-store, no-transform");
    const answer = await fetch(`http://127.0.0.1:${port}/live?topics=${topic}`);
    const own = /^[\w-]{36}$/;
    for (const [name, value] of inside.headers)
      expect([name, answer.headers.get(name)]).toEqual([
        name,
        name === "x-request-id" ? expect.stringMatching(own) : value,
      ]);
    expect(answer.headers.get("connection")).toBe("close");
    expect(answer.headers.has("transfer-encoding") || answer.headers.has("content-length")).toBe(false);
    w.services.live.deliver(topic, '{"at":1}');
    w.services.live.endAll();
    expect(await answer.text()).toBe(`retry: 1000\n\nevent: ${topic}\ndata: {"at":1}\n\n`);
    await until(nothingLeft);
  });

  test("tells a member who signs out, and ends the stream", async () => {
    const ada = await person(w, "student", "active");
    const stream = await open("account", `cookie: ${ada.caller.cookie}\r\n`);
    // It may close before the call is answered.
    const closed = once(stream.socket, "close");
    await ada.caller.call("account.signOut");
    await closed;
    expect(stream.text).toMatch(/event: signed-out\ndata: \{\}\n\n$/);
    await until(nothingLeft);
  });

  test.each([
    ["disabled", "auth/user-disabled", "student", "active", "students.setDisabled"],
    ["revoked", "account/revoked", "agent", "approved", "agents.revoke"],
    ["denied", "account/denied", "agent", "pending", "agents.deny"],
  ] as const)(
    "tells a user who is %s meanwhile the reason, and ends the stream",
    async (_how, code, role, status, command) => {
      const [boss, member] = [await person(w, "admin", "active"), await person(w, role, status)];
      const stream = await open("account", `cookie: ${member.caller.cookie}\r\n`);
      const input = { id: member.id, userId: member.id, disabled: true };
      // It may close before the call is answered.
      const closed = once(stream.socket, "close");
      expect((await boss.caller.call(command, input)).status).toBe(200);
      await closed;
      expect(stream.text).toContain(`event: signed-out\ndata: ${JSON.stringify({ code })}\n\n`);
      await until(nothingLeft);
    },
  );

  test("a watcher that stops reading costs bounded memory, and gets the latest state when it reads again", async () => {
    const [first, second] = [lot(), lot()];
    const stream = await open(`${first},${second}`);
    const [serverEnd] = sockets;
    stream.socket.pause();
    const filler = "x".repeat(4_000);
    const deliveries = 5_000;
    let most = 0;
    for (let at = 1; at <= deliveries; at++) {
      for (const topic of [first, second])
        w.services.live.deliver(topic, JSON.stringify({ topic, at, filler }));
      most = Math.max(most, serverEnd?.writableLength ?? Infinity);
      // The system reads bytes between the turns of the loop.
      if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(most).toBeLessThan(24 * 1024);
    stream.socket.resume();
    const numbersOf = (topic: string): number[] =>
      stream
        .events()
        .map((data): { topic: string; at: number } => JSON.parse(data))
        .flatMap((event) => (event.topic === topic ? [event.at] : []));
    await until(() => [first, second].every((topic) => numbersOf(topic).at(-1) === deliveries));
    for (const topic of [first, second]) {
      const before = numbersOf(topic).slice(0, -1);
      // The browser got everything that was sent before it stopped reading, without a gap; then only the latest.
      expect(before).toEqual(before.map((_, at) => at + 1));
      expect(before.length).toBeLessThan(deliveries - 1);
    }
    w.services.live.deliver(first, JSON.stringify({ topic: first, at: deliveries + 1, filler }));
    await until(() => numbersOf(first).at(-1) === deliveries + 1);
    stream.socket.destroy();
    await until(nothingLeft);
  });
});

describe("1,000 watchers that come and go leave nothing behind", () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

  test("over connections, some in the middle of an event", async () => {
    const topic = lot();
    const before = timers();
    const cookie = `cookie: ${(await person(w, "student", "active")).caller.cookie}\r\n`;
    for (let wave = 0; wave < 4; wave++) {
      const streams = await Promise.all(
        Array.from({ length: 250 }, (_, at) => open(topic, at % 25 === 0 ? cookie : "")),
      );
      expect(w.services.live.count()).toBe(250);
      for (const [at, { socket }] of streams.entries()) if (at % 2 === 0) socket.pause();
      w.services.live.deliver(topic, JSON.stringify("x".repeat(30_000)));
      for (const { socket } of streams) socket.destroy();
      await until(nothingLeft);
    }
    expect(w.services.live.isWatched(topic)).toBe(false);
    await until(() => timers() <= before);
  });

  test("as a function", async () => {
    const topic = lot();
    const before = timers();
    for (const address of ["203.0.113.7", "203.0.113.8"]) {
      const streams = await Promise.all(
        Array.from({ length: 500 }, () => openStream(visitor(address), topic)),
      );
      w.services.live.deliver(topic, "{}");
      await Promise.all(streams.map((stream) => stream.leave()));
    }
    await until(nothingLeft);
    expect(w.services.live.isWatched(topic)).toBe(false);
    await until(() => timers() <= before);
  });
});
