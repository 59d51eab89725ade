import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, until } from "#tests/wayfare.ts";
import { listen } from "./listen.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let operator: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  operator = new pg.Client(database.address);
  await operator.connect();
});
afterAll(async () => {
  await operator.end();
  await database.drop();
});

const notify = (payload: string) => operator.query("select pg_notify('a channel', $1)", [payload]);
const breakConnection = () =>
  operator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wayfare-jobs-events'",
  );

test("what is announced arrives, also after the connection was broken, which is reported", async () => {
  const heard: string[] = [];
  let opened = 0;
  const listening = await listen(
    database.address,
    "a channel",
    (payload) => heard.push(payload),
    () => opened++,
  );
  await notify("one");
  await until(() => heard.includes("one"));
  for (const times of [2, 3]) {
    await breakConnection();
    await until(() => opened === times);
    await notify(`after ${times}`);
    await until(() => heard.includes(`after ${times}`));
  }
  expect(heard).toEqual(["one", "after 2", "after 3"]);
  await listening.close();
});

test("what can't be opened at first is refused", async () => {
  const nowhere = { ...database.address, database: "nowhere" };
  await expect(
    listen(
      nowhere,
      "a channel",
      () => {},
      () => {},
    ),
  ).rejects.toThrow("does not exist");
});
