import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rateLimit, user, verification } from "#server/features/account/tables.ts";
import { auctionLogDay } from "#server/features/auctions/history/tables.ts";
import { lastCheck } from "#server/features/audit/nightly.ts";
import { prepareAdmins } from "#server/features/sign-in/commands/prepare-admins.ts";
import { Caller } from "#tests/support/caller.ts";
import { person, storedUser } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { session } from "./tables.ts";
import { tidyUp } from "./tidy-up.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const day = 24 * 60 * 60 * 1000;
const hasRows = async () => {
  const { db } = w.services.database;
  const tables = [
    await db.select().from(session),
    await db.select().from(verification),
    await db.select().from(rateLimit),
  ];
  return tables.map((rows) => rows.length > 0);
};

test("only expired rows are deleted", async () => {
  await person(w, "student", "active");
  await prepareAdmins(w.services);
  await new Caller(w.app).call("account.signIn", { email: "nobody@example.org", password: "wrong" });
  await tidyUp(w.services);
  expect(await hasRows()).toEqual([true, true, true]);
  await tidyUp(w.services, new Date(Date.now() + 60 * 60 * 1000));
  expect(await hasRows()).toEqual([true, true, false]);
  await tidyUp(w.services, new Date(Date.now() + 2 * day));
  expect(await hasRows()).toEqual([true, false, false]);
  await tidyUp(w.services, new Date(Date.now() + 31 * day));
  expect(await hasRows()).toEqual([false, false, false]);
});

test("the nightly job logs the heads of auctions, erases due accounts, tidies up and checks the audit log", async () => {
  const [due, recent] = [await person(w, "student", "active"), await person(w, "student", "active")];
  for (const { caller } of [due, recent]) await caller.call("account.requestDeletion");
  const { db, pool } = w.services.database;
  await db
    .update(user)
    .set({ deletionDueAt: new Date(0) })
    .where(eq(user.id, due.id));
  const { id } = await person(w, "student", "active");
  await db
    .update(session)
    .set({ expiresAt: new Date(0) })
    .where(eq(session.userId, id));
  await pool.query("insert into jobs.job (name, data, policy) values ('tidy-up', 'null', 'standard')");
  await until(async () => {
    const { rows } = await pool.query("select state from jobs.job where name = 'tidy-up'");
    return rows.every(({ state }) => state === "completed");
  });
  expect(await storedUser(w, due.id)).toBeUndefined();
  expect(await storedUser(w, recent.id)).toBeDefined();
  expect(await db.select().from(session).where(eq(session.userId, id))).toEqual([]);
  expect(await lastCheck(db)).toMatchObject({ problem: null });
  expect(await db.select().from(auctionLogDay)).toHaveLength(1);
});

test("the job is scheduled for every night", async () => {
  const { rows } = await w.services.database.pool.query(
    "select name, cron from jobs.schedule where name = 'tidy-up'",
  );
  expect(rows).toEqual([{ name: "tidy-up", cron: "23 3 * * *" }]);
});
