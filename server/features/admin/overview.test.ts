import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closed, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
// The figures cover the whole installation, so each test starts its own.
beforeEach(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterEach(() => w.stop());

async function figures() {
  const answer = await boss.caller.call("overview.figures");
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as {
    agents: { number: number; since: string | null };
    documents: { number: number; since: string | null };
    students: { byState: { state: string; number: number }[]; withoutApplication: number; total: number };
    auctionsEndingSoon: number;
    failedMails: number;
    failedJobs: number;
  };
}
const hours = (number: number) => new Date(Date.now() + number * 3_600_000);

test("an empty Wayfare has nothing waiting", async () => {
  const overview = await figures();
  expect(overview).toMatchObject({
    agents: { number: 0, since: null },
    documents: { number: 0, since: null },
    auctionsEndingSoon: 0,
    failedMails: 0,
    failedJobs: 0,
    students: { total: 0, withoutApplication: 0 },
  });
  expect(overview.students.byState.every(({ number }) => number === 0)).toBe(true);
});

test("waiting work is counted with its oldest entry; decided work is not", async () => {
  const { db } = w.services.database;
  const [ada, ben] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const first = await person(w, "agent", "pending");
  await person(w, "agent", "pending");
  await person(w, "agent", "approved");
  await db.execute(sql`update "user" set created_at = '2026-01-02T03:04:05Z' where id = ${first.id}`);

  await db.execute(sql`
    insert into document (id, student_id, kind, storage_key, original_name, media_type, size, state, uploaded_at, replaced_at)
    values ('old', ${ada.id}, 'cv', 'k1', 'a', 'application/pdf', 1, 'uploaded', '2026-01-01', now()),
      ('cv', ${ada.id}, 'cv', 'k2', 'a', 'application/pdf', 1, 'uploaded', '2026-02-03T04:05:06Z', null),
      ('passport', ${ada.id}, 'passport', 'k3', 'a', 'application/pdf', 1, 'approved', '2026-01-01', null)`);
  const application = (id: string, student: string, state: string) => sql`
    insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info, state)
    values (${id}, ${student}, ${id}, 'Foundation', '{}', 'Spring Intake (January)', '', ${state})`;
  await db.execute(application("one", ada.id, "submitted"));
  await db.execute(application("two", ada.id, "submitted"));
  await db.execute(application("three", ada.id, "visa"));

  await product(w, ben, { endDate: hours(2) });
  await product(w, ben, { endDate: hours(25) });
  await db.execute(sql`
    insert into jobs.job (name, data, state, completed_on, policy)
    values ('mail', '{}', 'failed', now(), 'standard'), ('tidy-up', '{}', 'failed', now(), 'standard')`);

  const overview = await figures();
  expect(overview.agents).toEqual({ number: 2, since: "2026-01-02T03:04:05.000Z" });
  expect(overview.documents).toEqual({ number: 1, since: "2026-02-03T04:05:06.000Z", students: 1 });
  expect(overview).toMatchObject({ auctionsEndingSoon: 1, failedMails: 1, failedJobs: 1 });
  expect(overview.students).toMatchObject({ total: 2, withoutApplication: 1 });
  expect(overview.students.byState.filter(({ number }) => number > 0)).toEqual([
    { state: "submitted", number: 1 },
    { state: "visa", number: 1 },
  ]);
});

test("counts as many auctions ending soon as the list behind the figure shows", async () => {
  const seller = await person(w, "student", "active");
  for (const number of [1, 23, 26, 24 * 8]) await product(w, seller, { endDate: hours(number) });
  await product(w, seller, closed);
  const list = await boss.caller.api.auctions.list({ endsWithin: "24h" });
  expect((await figures()).auctionsEndingSoon).toBe(list.products.length);
  expect(list.products.length).toBeGreaterThanOrEqual(2);
});
