import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refreshListing } from "#server/features/programmes/listing.ts";
import { migratedDatabase } from "#tests/support/migrations.ts";

const [leeds, nursing, zoology] = [randomUUID(), randomUUID(), randomUUID()];
let client: pg.Client;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ client, remove } = await migratedDatabase("0061_programme-listing", async (before) => {
    await before.query(
      "insert into institution (id, name, country, zone) values ($1, 'University of Leeds', 'GB', 'Europe/London')",
      [leeds],
    );
    for (const [id, title] of [
      [nursing, "Nursing"],
      [zoology, "Zoology"],
    ])
      await before.query(
        `insert into programme (id, institution_id, slug, title, level, field, award, mode, language, url, checked_on, source,
          country)
        values ($1, $2, $3, $3, 'Postgraduate', 'health', 'MSc', 'fullTime', 'en', 'https://leeds.example', current_date,
          'leeds.example', 'GB')`,
        [id, leeds, title],
      );
    await before.query(`update programme set title_key = lower(title), search = '''/GB'' ''nurs''', judged_for = '2027-09-01',
      starts = '{2027-09,2028-01}', apply_by = '2027-06-30', tuition = 900, tuition_currency = 'GBP', tuition_rand = 20000`);
    await before.query("update programme set removed_at = now(), stale = true where id = $1", [zoology]);
  }));
});
afterAll(() => remove());

const listingOf = async (id: string) =>
  (
    await client.query<Record<string, unknown>>(
      `select apply_by = '2027-06-30' as "isApplyByKept", judged_for::text, removed, stale, facets, title_key, starts,
        search::text, tuition, tuition_currency, tuition_rand
      from programme_listing where id = $1`,
      [id],
    )
  ).rows[0];
const listing = {
  isApplyByKept: true,
  judged_for: "2027-09-01",
  removed: false,
  stale: false,
  facets: "GB/Postgraduate/health/en/fullTime",
  title_key: "nursing",
  starts: "2027-09 2028-01",
  search: "'/GB' 'nurs'",
  tuition: "900",
  tuition_currency: "GBP",
  tuition_rand: "20000",
};

test("lists show every programme as before, and still know which were removed from the catalogue", async () => {
  expect(await listingOf(nursing)).toEqual(listing);
  expect(await listingOf(zoology)).toEqual({ ...listing, title_key: "zoology", removed: true, stale: true });
});

test("a change by a node of the previous version is listed, and replaced by a change of this version", async () => {
  await client.query("update programme set title_key = 'midwifery', tuition = null where id = $1", [nursing]);
  expect(await listingOf(nursing)).toEqual({ ...listing, title_key: "midwifery", tuition: null });
  await client.query("update programme set removed_at = now() where id = $1", [nursing]);
  expect(await listingOf(nursing)).toMatchObject({ title_key: "midwifery", removed: true });
  await refreshListing(drizzle(client), sql`id = ${nursing}`);
  expect(await listingOf(nursing)).toMatchObject({ title_key: "nursing", removed: true, starts: "" });
});
