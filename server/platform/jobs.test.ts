import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { freshDatabase, recorder, until } from "#tests/wayfare.ts";
import { openDatabase } from "./database.ts";
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

const slow: Queue<{ name: string }> = { name: "slow", payload: z.object({ name: z.string() }) };

test("jobs that outlast the stop, whether they end well or not, are no errors and are done after the next start", async () => {
  const { lines, log } = recorder();
  const first = await createJobs(fresh.address, log);
  await first.define(slow);
  const began: string[] = [];
  const { promise: stopped, resolve: tellStopped } = Promise.withResolvers<void>();
  await first.work(slow, async ({ name }) => {
    began.push(name);
    await stopped;
    if (name === "bad") throw new Error("the database is closed");
  });
  const both = ["good", "bad"].map((name) => ({ payload: { name }, afterSeconds: 0 }));
  await database.transaction((tx) => first.sendAll(slow, both, tx));
  await until(() => began.length === 2);
  await first.stop(1000);
  tellStopped();

  const again: string[] = [];
  const second = await createJobs(fresh.address, log);
  await second.work(slow, async ({ name }) => void again.push(name));
  await until(() => again.length === 2);
  await second.stop(1000);
  expect(again.toSorted()).toEqual(["bad", "good"]);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
  expect(lines.map(({ msg }) => msg)).toContain("a job was cut short by the stop");
});
