import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person, signIn } from "#tests/support/factories.ts";
import { openStream, Stream } from "#tests/support/stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { session } from "./tables.ts";

// The timeout is shorter than a stream's heartbeats, which would repair the fault that a test must detect.
vi.setConfig({ testTimeout: 20_000 });

/** Two nodes on one database. */
let one: Wayfare;
let two: Wayfare;
let boss: Person;
beforeAll(async () => {
  one = await wayfare();
  two = await wayfare({ on: one.address });
  boss = await person(one, "admin", "active");
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

/** Signs a person in, and returns a caller of the other node with that session. */
async function onTwo({ id }: Person): Promise<Caller> {
  const caller = new Caller(two.app);
  await signIn(one, caller, id);
  return caller;
}
const viewerOf = async (caller: Caller) => (await caller.api.account.me()).viewer;

describe("the token of a session", () => {
  test("is only in the cookie: the database has its hash", async () => {
    const ada = await person(one, "student", "active");
    const { rows } = await one.services.database.pool.query<{ row: string }>(
      "select session::text as row from session",
    );
    const token = one.services.signedCookies.readCookie(ada.caller.cookie);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(token ?? "?"))).toEqual([]);
  });

  test("still opens a session that an earlier version stored without hashing it", async () => {
    const w = await wayfare();
    const ada = await person(w, "student", "active");
    const { pool } = w.services.database;
    const token = w.services.signedCookies.readCookie(ada.caller.cookie);
    await pool.query("update session set token = $1", [token]);
    const migration = new URL("../../migrations/0014_session-hashes.sql", import.meta.url);
    await pool.query(await readFile(migration, "utf8"));
    expect(await viewerOf(ada.caller)).toMatchObject({ status: "active" });
    await w.stop();
  });
});

describe("a revoked agent", () => {
  test("loses access on the deciding node with the next request, and on the other when the event arrives", async () => {
    const agent = await person(one, "agent", "approved");
    const elsewhere = await onTwo(agent);
    expect(await viewerOf(agent.caller)).toMatchObject({ status: "approved" });
    expect(await viewerOf(elsewhere)).toMatchObject({ status: "approved" });
    expect((await boss.caller.call("agents.revoke", { id: agent.id })).status).toBe(200);
    expect(await viewerOf(agent.caller)).toBeNull();
    await until(async () => (await viewerOf(elsewhere)) === null);
  });

  test("sees the streams end on both nodes, and gets no new one", async () => {
    const agent = await person(one, "agent", "approved");
    const elsewhere = await onTwo(agent);
    const streams = [await openStream(agent.caller), await openStream(elsewhere)];
    await boss.caller.call("agents.revoke", { id: agent.id });
    for (const stream of streams) {
      expect(await stream.next()).toBe("signed-out");
      expect(await stream.next()).toBeNull();
    }
    expect(await Stream.open(agent.caller, "account")).toBe(401);
    expect(await Stream.open(elsewhere, "account")).toBe(401);
  });
});

test("an approved agent's stream continues, and says that the account changed", async () => {
  const agent = await person(one, "agent", "pending");
  const elsewhere = await onTwo(agent);
  const stream = await openStream(elsewhere);
  await boss.caller.call("agents.approve", { id: agent.id });
  expect(await stream.next()).toBe("account");
  expect(await viewerOf(elsewhere)).toMatchObject({ status: "approved" });
  await stream.leave();
});

test("admins are notified of changed lists, and others can't subscribe to them", async () => {
  const watching = await openStream(await onTwo(boss), "account,agents");
  const agent = await person(one, "agent", "pending");
  const curious = await openStream(agent.caller, "agents,account,nonsense");
  await boss.caller.call("agents.approve", { id: agent.id });
  expect(await watching.next()).toBe("agents");
  expect(await curious.next()).toBe("account");
  await boss.caller.call("agents.revoke", { id: agent.id });
  expect(await curious.next()).toBe("signed-out");
  await watching.leave();
});

test("sign-out ends that session's streams and no other's", async () => {
  const student = await person(one, "student", "active");
  const other = await onTwo(student);
  const [ending, staying] = [await openStream(student.caller), await openStream(other)];
  await student.caller.call("account.signOut");
  expect(await ending.next()).toBe("signed-out");
  expect(await viewerOf(other)).not.toBeNull();
  await staying.leave();
});

test("a session that was not used for 14 days has ended", async () => {
  const student = await person(one, "student", "active");
  const unused = async (days: number) => {
    const updatedAt = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    await one.services.database.db.update(session).set({ updatedAt }).where(eq(session.userId, student.id));
    one.services.sessions.evict({ userId: student.id, ended: false });
  };
  await unused(13.9);
  expect(await viewerOf(student.caller)).not.toBeNull();
  await unused(14.1);
  expect(await viewerOf(student.caller)).toBeNull();
});

test("a session lasts 30 days, even in the cache", async () => {
  const { id, caller } = await person(one, "student", "active");
  const { db } = one.services.database;
  const [row] = await db.select().from(session).where(eq(session.userId, id));
  expect(row?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 30 * 24 * 3_600_000);
  const expiresAt = new Date(Date.now() + 1000);
  await db.update(session).set({ expiresAt }).where(eq(session.userId, id));
  one.services.sessions.evict({ userId: id, ended: false });
  await viewerOf(caller);
  await until(() => Date.now() > expiresAt.getTime());
  expect(await viewerOf(caller)).toBeNull();
});

test("the last use is stored hourly, not with every request", async () => {
  const student = await person(one, "student", "active");
  const { db } = one.services.database;
  const lastUse = async () => {
    const [row] = await db.select().from(session).where(eq(session.userId, student.id));
    return row?.updatedAt.getTime() ?? 0;
  };
  const used = async (minutesAgo: number) => {
    const updatedAt = new Date(Date.now() - minutesAgo * 60 * 1000);
    await db.update(session).set({ updatedAt }).where(eq(session.userId, student.id));
    one.services.sessions.evict({ userId: student.id, ended: false });
    expect(await viewerOf(student.caller)).not.toBeNull();
    return (await lastUse()) - updatedAt.getTime();
  };
  expect(await used(59)).toBe(0);
  expect(await used(61)).toBeGreaterThan(60 * 60 * 1000);
});

test("an account has at most 20 sessions: another one closes the oldest, on every node", async () => {
  const student = await person(one, "student", "active");
  const elsewhere = new Caller(two.app);
  for (const [name, value] of student.caller.cookies) elsewhere.cookies.set(name, value);
  expect(await viewerOf(elsewhere)).not.toBeNull();
  const { database, sessions } = one.services;
  const later: Caller[] = [];
  for (let times = 0; times < 20; times++) {
    const cookie = await database.transaction((tx) => sessions.open(tx, student.id));
    const caller = new Caller(one.app);
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    caller.cookies.set(name, value);
    later.push(caller);
  }
  expect(await viewerOf(student.caller)).toBeNull();
  await until(async () => (await viewerOf(elsewhere)) === null);
  for (const caller of later) expect(await viewerOf(caller)).not.toBeNull();
});

test("a session that ended while it was being read is not cached", async () => {
  const student = await person(one, "student", "active");
  const { pool, db } = one.services.database;
  const query = pool.query.bind(pool);
  const held = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const slow = async (...rest: Parameters<typeof query>) => {
    pool.query = query;
    const answer: unknown = await Promise.resolve(query(...rest));
    read.resolve();
    await held.promise;
    return answer;
  };
  pool.query = slow as typeof pool.query;
  const checking = one.services.sessions.check(student.caller.cookie);
  await read.promise;
  await db.delete(session).where(eq(session.userId, student.id));
  one.services.sessions.evict({ userId: student.id, ended: true });
  held.resolve();
  expect(await checking).toBeNull();
  expect(await one.services.sessions.check(student.caller.cookie)).toBeNull();
});

test("a node whose event connection is down does not use its cache", async () => {
  const agent = await person(one, "agent", "approved");
  const elsewhere = await onTwo(agent);
  // The session is cached on the other node, and its pool has a connection ready.
  expect(await viewerOf(elsewhere)).toMatchObject({ status: "approved" });
  const stream = await openStream(elsewhere);
  const { host, owner: name } = inject("postgres");
  const operator = new pg.Client({ host, user: name, database: "postgres" });
  await operator.connect();
  const database = "database" in one.address ? one.address.database : "";
  await operator.query(`alter database ${database} allow_connections false`);
  await operator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'wayfare-events'",
    [database],
  );
  await until(() => !two.services.bus.isTrusted() && !one.services.bus.isTrusted());
  // A stream can't be kept up to date without events, so it ends, and the browser reconnects.
  expect(await stream.next()).toBeNull();
  expect(await viewerOf(elsewhere)).toMatchObject({ status: "approved" });
  await one.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, agent.id));
  expect(two.services.bus.isTrusted()).toBe(false);
  expect(await viewerOf(elsewhere)).toBeNull();
  await operator.query(`alter database ${database} allow_connections true`);
  await operator.end();
  await until(() => two.services.bus.isTrusted() && one.services.bus.isTrusted());
  expect(await viewerOf(await onTwo(boss))).not.toBeNull();
  // Sessions that were cached before the gap are not used after it.
  expect(await viewerOf(elsewhere)).toBeNull();
});

test("one account's streams are bounded: another one ends the oldest", async () => {
  const student = await person(one, "student", "active");
  const before = one.services.live.count();
  const oldest = await openStream(student.caller);
  const others = await Promise.all(Array.from({ length: 19 }, () => openStream(student.caller)));
  const last = await openStream(student.caller);
  expect(one.services.live.count()).toBe(before + 20);
  expect(await oldest.next()).toBeNull();
  await Promise.all([last, ...others].map((stream) => stream.leave()));
  await until(() => one.services.live.count() === before);
});
