import { getTableName, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { tablesOfPeople } from "./tables-of-people.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("lists every table, with its part in the download and its handling on erasure", async () => {
  const { rows } = await w.services.database.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  expect(tablesOfPeople.map(({ table }) => getTableName(table)).toSorted()).toEqual(
    rows.map(({ name }) => name).toSorted(),
  );
  // Each table has either `download` or `omittedBecause`, so that an empty entry can't hide a forgotten table.
  for (const { table, download, omittedBecause = "" } of tablesOfPeople)
    expect([getTableName(table), download !== undefined]).toEqual([
      getTableName(table),
      omittedBecause === "",
    ]);
});

test("the database deletes the rows of cascading tables with the account's row", async () => {
  const { rows } = await w.services.database.db.execute<{ name: string }>(
    sql`select distinct conrelid::regclass::text as name from pg_constraint
        where contype = 'f' and confdeltype = 'c' and confrelid = '"user"'::regclass`,
  );
  const cascading = tablesOfPeople.filter(({ erase }) => erase === "cascade");
  expect(cascading.map(({ table }) => getTableName(table)).toSorted()).toEqual(
    rows
      .map(({ name }) => name)
      .filter((name) => name !== "notification")
      .toSorted(),
  );
});
