import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openProxy } from "#tests/fakes/proxy.ts";
import { freshDatabase, recorder, until } from "#tests/support/wayfare.ts";
import { openDatabase } from "./database.ts";
import { watchDatabase } from "./database-watch.ts";
import { isDatabaseFailure } from "./error-code.ts";

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

/** Opens a watched database behind a proxy that can cut its connections. */
async function openWatched() {
  const { host, user, database: name } = fresh.address;
  const proxy = await openProxy(() => ({ path: `${host}/.s.PGSQL.5432` }));
  const database = openDatabase({ host: "127.0.0.1", port: proxy.port, user, database: name }, () => {});
  const { log, lines } = recorder();
  const watch = watchDatabase(database, log, 300);
  onTestFinished(async () => {
    await watch.stop();
    await database.close();
    await proxy.stop();
  });
  const saw = (msg: string) => until(() => lines.find((line) => line.msg === msg));
  return { proxy, database, saw, answers: () => until(() => database.answers()) };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test("fails queries of a silent server, and new ones immediately, until it answers again", async () => {
  const { proxy, database, saw, answers } = await openWatched();
  await answers();
  proxy.be("swallow");
  const [inTransaction, alone] = await Promise.all([
    failureOf(database.transaction((tx) => tx.execute(sql`select 1`))),
    failureOf(database.pool.query("select 1")),
  ]);
  expect(isDatabaseFailure(inTransaction)).toBe(true);
  expect(isDatabaseFailure(alone)).toBe(true);
  await saw("PostgreSQL does not answer");
  const later = await failureOf(database.pool.query("select 1"));
  expect(later).toMatchObject({ message: "PostgreSQL does not answer" });
  expect(isDatabaseFailure(later)).toBe(true);
  proxy.be("forward");
  await saw("PostgreSQL answers again and takes writes");
  expect(await database.answers()).toBe(true);
});

test("a refused connection is a failure of the database", async () => {
  const { proxy, database, saw, answers } = await openWatched();
  await answers();
  proxy.be("refuse");
  await saw("PostgreSQL can't be connected to");
  expect(isDatabaseFailure(await failureOf(database.transaction(async () => {})))).toBe(true);
  expect(isDatabaseFailure(await failureOf(database.pipelines.connect()))).toBe(true);
  proxy.be("forward");
  await saw("PostgreSQL answers again and takes writes");
  await answers();
});

test("a stall of this process is not taken for silence", async () => {
  const database = openDatabase(fresh.address, () => {});
  const { log, lines } = recorder();
  const watch = watchDatabase(database, log, 300);
  onTestFinished(async () => {
    await watch.stop();
    await database.close();
  });
  const isWatching = `select 1 from pg_stat_activity where application_name = 'wayfare-watch'
    and datname = current_database() and state = 'idle'`;
  await until(async () => (await database.pool.query(isWatching)).rowCount === 1);
  for (let turn = 0; turn < 8; turn++) {
    await setImmediate();
    const begun = performance.now();
    while (performance.now() - begun < 400);
  }
  expect(lines).toEqual([]);
});

test("connections are closed when the server becomes read-only, and when it takes writes again", async () => {
  const { database, saw, answers } = await openWatched();
  await answers();
  const processOf = async () => (await database.pool.query("select pg_backend_pid() as pid")).rows[0].pid;
  const before = await processOf();
  const { user, database: name } = fresh.address;
  await asOwner(`alter role ${user} in database ${name} set default_transaction_read_only = on`);
  // Takes effect for new connections, as when a proxy switches to a standby.
  await asOwner(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wayfare-watch'
    and datname = current_database()`);
  await saw("PostgreSQL takes no writes");
  const meanwhile = await until(() => processOf().catch(() => false));
  expect(meanwhile).not.toBe(before);
  await asOwner(`alter role ${user} in database ${name} reset default_transaction_read_only`);
  await saw("PostgreSQL answers again and takes writes");
  expect(await until(() => processOf().catch(() => false))).not.toBe(meanwhile);
});

async function asOwner(statement: string): Promise<void> {
  const owner = openDatabase(fresh.owner, () => {});
  await owner.pool.query(statement);
  await owner.close();
}
