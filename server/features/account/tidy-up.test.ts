import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { prepareAdmins } from "./commands/prepare-admins.ts";
import { tidyUp } from "./commands/tidy-up.ts";
import { rateLimit, session, verification } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const day = 24 * 60 * 60 * 1000;
const left = async () => {
  const { db } = w.services.database;
  const tables = [
    await db.select().from(session),
    await db.select().from(verification),
    await db.select().from(rateLimit),
  ];
  return tables.map((rows) => rows.length > 0);
};

test("only what has run out is deleted", async () => {
  await person(w, "student", "active");
  await prepareAdmins(w.services);
  await new Caller(w.app).call("account.signIn", { email: "nobody@example.org", password: "wrong" });
  await tidyUp(w.services);
  expect(await left()).toEqual([true, true, true]);
  await tidyUp(w.services, new Date(Date.now() + 60 * 60 * 1000));
  expect(await left()).toEqual([true, true, false]);
  await tidyUp(w.services, new Date(Date.now() + 2 * day));
  expect(await left()).toEqual([true, false, false]);
  await tidyUp(w.services, new Date(Date.now() + 31 * day));
  expect(await left()).toEqual([false, false, false]);
});

test("it is planned for every night", async () => {
  const { rows } = await w.services.database.pool.query("select name, cron from jobs.schedule");
  expect(rows).toEqual([{ name: "tidy-up", cron: "23 3 * * *" }]);
});
