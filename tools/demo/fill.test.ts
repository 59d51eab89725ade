import { expect, test } from "vitest";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { refuseDemo } from "#server/features/account/demo-accounts.ts";
import { user } from "#server/features/account/tables.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { fillIn, rowsIn } from "#tests/support/demo.ts";
import { freshEmail, person } from "#tests/support/factories.ts";
import { until, wayfare } from "#tests/support/wayfare.ts";

const few = { students: 4, agents: 5, products: 3 };

test("a public Wayfare does not start with the demo in its database", async () => {
  const w = await wayfare();
  await person(w, "student", "active");
  const publicly = {
    ...w.services,
    environment: { ...w.services.environment, baseUrl: "https://way.example" },
  };
  await expect(refuseDemo(publicly)).resolves.toBeUndefined();
  await w.services.database.db.delete(user);
  await fillIn(w, few);
  await expect(refuseDemo(publicly)).rejects.toThrow("everyone knows its passwords");
  await expect(refuseDemo(w.services)).resolves.toBeUndefined();
  await w.stop();
});

test("an existing account keeps the demo out, and nothing is changed", async () => {
  const w = await wayfare();
  await person(w, "student", "active");
  const before = await rowsIn(w);
  expect(await fillIn(w)).toBe("inUse");
  expect(await rowsIn(w)).toEqual(before);
  await w.stop();
});

const waitingForLock = `
  select from pg_locks where not granted and relation = '"user"'::regclass
  and database = (select oid from pg_database where datname = current_database())`;

test("the demo stays out when a user signs up while its files are made", async () => {
  const w = await wayfare();
  const { database } = w.services;
  const { filling } = await database.transaction(async (tx) => {
    await createAccount(tx, { role: "student", status: "active", email: freshEmail() }, "hash");
    let isOver = false;
    const filling = fillIn(w, few).finally(() => {
      isOver = true;
    });
    // Making the files may take long, and PostgreSQL closes a connection whose transaction is idle for 30 seconds.
    await until(async () => isOver || (await tx.execute(waitingForLock)).rowCount === 1);
    return { filling };
  });
  expect(await filling).toBe("inUse");
  expect(await database.db.select().from(auctionProduct)).toEqual([]);
  await w.stop();
});

test("only one of two concurrent runs fills the database", async () => {
  const w = await wayfare();
  const outcomes = await Promise.all([fillIn(w, few), fillIn(w, few)]);
  expect(outcomes.toSorted()).toEqual(["filled", "there"]);
  expect(await w.services.database.db.$count(auctionProduct)).toBe(3);
  await w.stop();
});
