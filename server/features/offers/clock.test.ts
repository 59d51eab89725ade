import { readdir, readFile } from "node:fs/promises";
import { afterEach, expect, test, vi } from "vitest";
import { conditionalOffer, inLondon } from "#tests/support/offers.ts";
import { freshDatabase, until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

afterEach(() => void vi.useRealTimers());

/** Returns the rows that change when an offer is accepted, declined or edited, with the transaction that wrote each. */
async function offerRows({ services: { database } }: Wayfare): Promise<unknown[]> {
  const { rows } = await database.pool.query(`
    select 'offer' as name, id, xmin::text from offer
    union all select 'condition', id, xmin::text from offer_condition
    union all select 'deposit', id, xmin::text from offer_deposit
    union all select 'application', id, xmin::text from application
    union all select 'step', id::text, xmin::text from application_step order by 1, 2`);
  return rows;
}

const daysAhead = 400;

/** Makes new connections to this database see a clock that is far ahead. */
async function clockAhead(w: Wayfare) {
  await w.asOwner("create schema clock");
  await w.asOwner("grant usage on schema clock to public");
  for (const clock of ["now", "clock_timestamp"])
    await w.asOwner(`create function clock.${clock}() returns timestamptz language sql
      as $$ select pg_catalog.${clock}() + interval '${daysAhead} days' $$`);
  return { ...w.address, options: "-c search_path=public,clock,pg_catalog" };
}

/** Runs every scheduled job once and returns the names of the jobs. */
async function runScheduledJobs({ services: { database } }: Wayfare): Promise<string[]> {
  const { rows: jobs } = await database.pool.query<{ id: string; name: string }>(
    "insert into jobs.job (name, keep_until) select name, 'infinity' from jobs.schedule returning id, name",
  );
  await until(async () => {
    const { rows } = await database.pool.query<{ state: string }>(
      "select state from jobs.job where id = any($1::uuid[])",
      [jobs.map(({ id }) => id)],
    );
    return rows.every(({ state }) => state === "completed");
  });
  return jobs.map(({ name }) => name).toSorted();
}

test("the passing of time changes nothing about an offer, however long its reply is overdue", async () => {
  const { address, drop } = await freshDatabase();
  const present = await wayfare({ on: address });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (const date of [tomorrow, "2020-08-12"]) await conditionalOffer(present, { replyBy: inLondon(date) });
  const before = await offerRows(present);
  expect(before.length).toBeGreaterThan(15);
  const on = await clockAhead(present);
  await present.stop();

  vi.setSystemTime(Date.now() + daysAhead * 86_400_000);
  const ahead = await wayfare({ on, variables: { RETAIN_WITHDRAWN_STUDENTS_DAYS: "60" } });
  expect(await runScheduledJobs(ahead)).toEqual(["offers-overdue", "reminders", "tidy-up", "watching"]);
  const { rows } = await ahead.services.database.pool.query("select distinct offer_id from offer_overdue");
  expect(rows).toHaveLength(2);
  expect(await offerRows(ahead)).toEqual(before);
  await ahead.stop();
  await drop();
});

/** Returns the text of the server's source files by name, without tests. */
async function sources(): Promise<Map<string, string>> {
  const names = (await readdir("server", { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  return new Map(
    await Promise.all(
      names.toSorted().map(async (name) => [name, await readFile(`server/${name}`, "utf8")] as const),
    ),
  );
}
const filesWith = (files: ReadonlyMap<string, string>, pattern: RegExp): string[] =>
  [...files].flatMap(([name, text]) => (pattern.test(text) ? [name] : []));

test("only the commands that procedures call write offers", async () => {
  const files = await sources();
  const writers = filesWith(
    files,
    /\.(insert|update|delete)\((offer|offerCondition|offerDeposit|offerTable)\)|(insert into|update|delete from) (offer|offer_condition|offer_deposit)\b/,
  );
  expect(writers).toEqual([
    "features/offers/commands/answer-offer.ts",
    "features/offers/commands/conditions.ts",
    "features/offers/commands/deposit.ts",
    "features/offers/commands/save-offer.ts",
    // Recomputes only the instants of deadlines, when a zone or its rules change.
    "features/offers/deadlines.ts",
    // Deletes the offers of an erased account.
    "features/privacy/tables-of-offers.ts",
  ]);
  const callers = filesWith(files, /commands\/(answer-offer|conditions|deposit|save-offer)\.ts"/);
  expect(callers).toEqual(["features/offers/procedures.ts"]);
});

test("only a step that a person takes moves an application, and so accepts or declines its offer", async () => {
  const files = await sources();
  expect(filesWith(files, /\.(update|delete)\(application\)|(update|delete from) application\b/)).toEqual([
    "features/applications/commands.ts",
    // Joining a programme to another one moves its applications.
    "features/applications/joined-programmes.ts",
    // A change of an offer counts as a step but keeps the state.
    "features/offers/commands/open-offer.ts",
    "features/privacy/tables-of-people.ts",
  ]);
  expect(filesWith(files, /\b(takeStep|moveApplication)\b/)).toEqual([
    "features/applications/commands.ts",
    "features/applications/procedures.ts",
    // A bulk action runs in the name of the person who started it.
    "features/bulk-runs/acts.ts",
    "features/offers/commands/answer-offer.ts",
    "features/offers/commands/save-offer.ts",
  ]);
});
