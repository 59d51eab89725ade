import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { freshDatabase, recorder, until } from "#tests/support/wayfare.ts";
import { DatabaseSockets, openDatabase } from "./database.ts";
import { createJobs, type Queue } from "./jobs.ts";

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.address, () => {});
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const slow: Queue<{ name: string }, string> = { name: "slow", payload: z.object({ name: z.string() }) };

test("jobs that outlast the stop are not logged as errors, however they end, and run after the next start", async () => {
  const { lines, log } = recorder();
  const first = await createJobs(fresh.address, log);
  await first.define(slow);
  const began: string[] = [];
  const { promise: stopped, resolve: resolveStopped } = Promise.withResolvers<void>();
  await first.work(slow, async ({ name }) => {
    began.push(name);
    await stopped;
    if (name === "bad") throw new Error("the database is closed");
  });
  const both = ["good", "bad"].map((name) => ({ payload: { name }, afterSeconds: 0 }));
  await database.transaction((tx) => first.sendAll(slow, both, tx));
  await until(() => began.length === 2);
  await first.stop(1000);
  resolveStopped();

  const again: string[] = [];
  const second = await createJobs(fresh.address, log);
  await second.work(slow, async ({ name }) => void again.push(name));
  await until(() => again.length === 2);
  await second.stop(1000);
  expect(again.toSorted()).toEqual(["bad", "good"]);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
  expect(lines.map(({ msg }) => msg)).toContain("a job was cut short by the stop");
});

test("a queue does jobs of a higher priority first, and those of one priority in their order", async () => {
  const jobs = await createJobs(fresh.address, recorder().log);
  const queue: Queue<{ number: number }, string> = {
    name: "by-priority",
    payload: z.object({ number: z.number() }),
    workers: 1,
  };
  await jobs.define(queue);
  for (const [number, priority] of [
    [1, 0],
    [2, 0],
    [3, 1],
    [4, 1],
  ] as const)
    await database.transaction((tx) => jobs.sendAll(queue, [{ payload: { number }, priority }], tx));
  const done: number[] = [];
  await jobs.work(queue, async ({ number }) => void done.push(number));
  await until(() => done.length === 4);
  expect(done).toEqual([3, 4, 1, 2]);
  await jobs.stop(1000);
});

test("the queue listens again after its connections broke", async () => {
  const jobs = await createJobs(fresh.address, recorder().log);
  const queue: Queue<number[], string> = { name: "after-a-break", payload: z.array(z.number()) };
  await jobs.define(queue);
  const done: (number | undefined)[] = [];
  await jobs.work(queue, async ([number]) => void done.push(number));
  const connections = sql`from pg_stat_activity
    where datname = current_database() and application_name = 'wayfare-jobs'`;
  const broken = new Set<unknown>();
  const listener = async () => {
    const { rows } = await database.db.execute(sql`select pid ${connections} and query ilike 'listen %'`);
    return rows.map(({ pid }) => pid).find((pid) => !broken.has(pid));
  };
  for (const number of [1, 2]) {
    broken.add(await until(listener));
    await database.db.execute(sql`select pg_terminate_backend(pid) ${connections}`);
    await until(listener);
    await database.transaction((tx) => jobs.sendAll(queue, [{ payload: [number] }], tx));
    await until(() => done.includes(number));
  }
  await jobs.stop(1000);
});

test("logs each cause of an outage once, however often the queue meets it", async () => {
  const { lines, log } = recorder();
  const sockets = new DatabaseSockets();
  let tries = 0;
  const countingSockets = Object.assign(Object.create(sockets), {
    open: () => {
      tries += 1;
      return sockets.open();
    },
  });
  const jobs = await createJobs(fresh.address, log, countingSockets);
  await jobs.define(slow);
  await jobs.work(slow, async () => {});
  sockets.refuse("PostgreSQL can't be reached");
  const before = tries;
  await until(() => tries > before + 20);
  const failures = lines.filter(({ msg }) => msg === "the job queue failed");
  const causes = failures.map(({ err }) => err?.message);
  expect(causes).toContain("PostgreSQL can't be reached");
  expect(causes).toEqual([...new Set(causes)]);
  sockets.allow();
  await jobs.stop(0);
});
