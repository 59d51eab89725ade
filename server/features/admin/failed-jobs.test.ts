import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { audit } from "#server/features/audit/tables.ts";
import type { Queue } from "#server/platform/jobs.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const queue: Queue<{ email: string }, string> = { name: "letters", payload: z.object({ email: z.string() }) };
const refusal = Object.assign(new Error("no mailbox for secret@example.org"), { code: "EENVELOPE" });

let w: Wayfare;
let boss: Person;
let fails = true;
const done: string[] = [];
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  await w.services.jobs.define(queue);
  await w.services.jobs.work(queue, async ({ email }) => {
    if (fails) throw refusal;
    done.push(email);
  });
});
afterEach(() => {
  fails = true;
});
afterAll(() => w.stop());

type JobRow = { id: string; queue: string; tries: number; error: string | null };
type Page = { jobs: JobRow[]; next: string | null };
const page = async (cursor?: string | null) =>
  (await boss.caller.call("jobs.failed", cursor ? { cursor } : {})).body as Page;
const retry = (id: string, by = boss) => by.caller.call("jobs.retry", { id });

const retriesLogged = () =>
  w.services.database.db.select().from(audit).where(eq(audit.action, "job-retried")).orderBy(audit.id);

/** Creates a job that was tried once and has failed permanently. */
async function failedJob(email: string): Promise<JobRow> {
  const before = new Set((await page()).jobs.map(({ id }) => id));
  await w.services.database.transaction(async (tx) => {
    await w.services.jobs.sendAll(queue, [{ payload: { email } }], tx);
    await tx.execute(
      sql`update jobs.job set retry_limit = 0 where name = ${queue.name} and state = 'created'`,
    );
  });
  return await until(async () => (await page()).jobs.find(({ id }) => !before.has(id)));
}

test("a failed job is listed with queue, time, tries and kind of failure, but without its payload", async () => {
  const job = await failedJob("secret@example.org");
  expect(job).toEqual({
    id: expect.any(String),
    queue: "letters",
    mail: null,
    createdAt: expect.any(String),
    failedAt: expect.any(String),
    tries: 1,
    error: "EENVELOPE",
  });
  expect(JSON.stringify(await page())).not.toContain("secret");
});

test("a retried job is done, and the audit log names the admin who retried it", async () => {
  const job = await failedJob("ada@example.org");
  const before = (await retriesLogged()).length;
  fails = false;
  expect((await retry(job.id)).status).toBe(200);
  await until(() => done.includes("ada@example.org"));
  expect((await page()).jobs.map(({ id }) => id)).not.toContain(job.id);
  expect((await retry(job.id)).code).toBe("failed-precondition");
  expect((await retriesLogged()).slice(before)).toMatchObject([
    { actorId: boss.id, subjectId: null, address: "203.0.113.7", detail: { queue: "letters", job: job.id } },
  ]);
});

test("concurrent retries by two admins run the job once", async () => {
  const job = await failedJob("both@example.org");
  fails = false;
  const other = await person(w, "admin", "active");
  const answers = await Promise.all([retry(job.id), retry(job.id, other)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  await until(() => done.includes("both@example.org"));
  expect(done.filter((email) => email === "both@example.org")).toHaveLength(1);
});

test("pages of failed jobs neither repeat nor miss one", async () => {
  await w.services.database.db.execute(sql`
    insert into jobs.job (name, data, state, completed_on, policy)
    select 'letters', '{}', 'failed', timestamptz '2026-01-01' + number / 7 * interval '1 microsecond', 'standard'
    from generate_series(1, 120) number`);
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await page(cursor);
    expect(answer.jobs.length).toBeLessThanOrEqual(50);
    ids.push(...answer.jobs.map(({ id }) => id));
    cursor = answer.next;
  } while (cursor !== null);
  expect(ids.length).toBeGreaterThanOrEqual(120);
  expect(new Set(ids).size).toBe(ids.length);
});
