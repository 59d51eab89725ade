import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "#tests/support/wayfare.ts";
import { type Database, openDatabase } from "./database.ts";
import { isDatabaseFailure } from "./error-code.ts";

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
const reported: { error: unknown; what: string }[] = [];
beforeAll(async () => {
  fresh = await freshDatabase();
  await asOwner((owner) => owner.db.execute(sql`create table slip (word text)`));
  await asOwner((owner) => owner.db.execute(sql`grant all on slip to public`));
  database = openDatabase(fresh.address, (error, what) => reported.push({ error, what }));
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

async function asOwner(work: (owner: Database) => Promise<unknown>) {
  const owner = openDatabase(fresh.owner, () => {});
  await work(owner);
  await owner.close();
}

const notes = async () => {
  const { rows } = await database.db.execute<{ word: string }>(sql`select word from slip`);
  return rows.map(({ word }) => word);
};

test("runs callbacks in order after the commit, before the transaction returns", async () => {
  const steps: unknown[] = [];
  const result = await database.transaction(async (tx) => {
    tx.afterCommit(async () => void steps.push(["first", await notes()]));
    tx.afterCommit(() => void steps.push("second"));
    await tx.execute(sql`insert into slip values ('committed')`);
    steps.push(["inside", await notes()]);
    return "result";
  });
  expect(result).toBe("result");
  expect(steps).toEqual([["inside", []], ["first", ["committed"]], "second"]);
});

test("callbacks of a transaction that fails never run, whether the work or the commit failed", async () => {
  const ran: string[] = [];
  const failing = database.transaction(async (tx) => {
    tx.afterCommit(() => void ran.push("after a failed work"));
    await tx.execute(sql`insert into slip values ('rolled back')`);
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  await asOwner((owner) =>
    owner.db.execute(
      sql`alter table slip add constraint at_commit unique (word) deferrable initially deferred`,
    ),
  );
  const twice = database.transaction(async (tx) => {
    tx.afterCommit(() => void ran.push("after a failed commit"));
    await tx.execute(sql`insert into slip values ('twice'), ('twice')`);
  });
  await expect(twice).rejects.toThrow();
  expect(ran).toEqual([]);
  expect(await notes()).toEqual(["committed"]);
});

test("a retried transaction runs only the callbacks of the attempt that committed", async () => {
  const ran: number[] = [];
  const attempt = (number: number) =>
    database.transaction(async (tx) => {
      tx.afterCommit(() => void ran.push(number));
      if (number === 1) await tx.execute(sql`select 1 / 0`);
    });
  await attempt(1).catch(() => attempt(2));
  expect(ran).toEqual([2]);
});

test("callbacks of a savepoint run after the outermost commit", async () => {
  const steps: string[] = [];
  await database.transaction(async (tx) => {
    await tx.transaction(async () => tx.afterCommit(() => void steps.push("callback")));
    steps.push("savepoint released");
  });
  expect(steps).toEqual(["savepoint released", "callback"]);
});

test("a callback that fails is reported, and fails neither the command nor the callbacks after it", async () => {
  const ran: string[] = [];
  const result = await database.transaction(async (tx) => {
    tx.afterCommit(() => Promise.reject(new Error("no luck")));
    tx.afterCommit(() => void ran.push("next"));
    return "done";
  });
  expect(result).toBe("done");
  expect(ran).toEqual(["next"]);
  expect(reported).toEqual([{ error: new Error("no luck"), what: "a callback after a commit failed" }]);
});

test("does not reuse a connection that turned out to be read-only", async () => {
  await database.pool.query("set session characteristics as transaction read only");
  const write = () =>
    database.transaction((tx) => tx.execute(sql`insert into slip values (${randomUUID()})`));
  const refused = await write().catch((error: unknown) => error);
  expect(isDatabaseFailure(refused)).toBe(true);
  await write();
});

test("counts a broken connection as a failure of the database, but not a wrong statement", async () => {
  const end = database.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`));
  expect(isDatabaseFailure(await end.catch((error: unknown) => error))).toBe(true);
  const wrong = database.transaction((tx) => tx.execute(sql`select 1 / 0`));
  expect(isDatabaseFailure(await wrong.catch((error: unknown) => error))).toBe(false);
  const bug = database.transaction(() => Promise.reject(new Error("a bug")));
  expect(isDatabaseFailure(await bug.catch((error: unknown) => error))).toBe(false);
});
