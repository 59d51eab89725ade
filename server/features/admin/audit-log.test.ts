import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditEntry } from "#contract/audit.ts";
import { audit } from "#server/features/audit/tables.ts";
import { eraseByEmail } from "#server/features/privacy/erase-account.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

/** A filter's times are strings, as the protocol carries dates. */
type Filter = { from?: string; before?: string; [field: string]: unknown };
async function page({ from, before, ...input }: Filter = {}) {
  const dates = Object.entries({ from, before }).flatMap(([key, at]) => (at ? [[key, at] as const] : []));
  const body = {
    json: { ...input, ...Object.fromEntries(dates) },
    meta: dates.map(([key]) => [1, key]),
  };
  const answer = await boss.caller.call("audit.list", {}, { body: JSON.stringify(body) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { entries: (Omit<AuditEntry, "at"> & { at: string })[]; next: string | null };
}
const record = (...entries: (typeof audit.$inferInsert)[]) =>
  w.services.database.db.insert(audit).values(entries);

test("entries are listed with the actor, the subject and the address", async () => {
  const ada = await person(w, "student", "active");
  await boss.caller.call("students.setDisabled", { userId: ada.id, disabled: true });
  const { entries } = await page({ subject: ` ${ada.email.toUpperCase()} ` });
  expect(entries).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(String),
      action: "account-disabled",
      actor: { kind: "account", id: boss.id, email: boss.email },
      subject: { id: ada.id, email: ada.email },
      address: "203.0.113.7",
      detail: {},
    },
  ]);
});

test("an erased account is found by its id, and its erasure by the operator", async () => {
  const ada = await person(w, "student", "disabled");
  await record({ action: "sign-in", actorId: ada.id, subjectId: ada.id, address: "198.51.100.1" });
  expect(await eraseByEmail(w.services, ada.email)).toBe("erased");
  expect((await page({ actor: ada.id })).entries).toMatchObject([
    { action: "sign-in", actor: { kind: "account", id: ada.id, email: null } },
  ]);
  expect((await page({ actor: ada.email })).entries).toEqual([]);
  const [erasing, ...more] = (await page({ actor: "Operator" })).entries;
  expect(more).toEqual([]);
  expect(erasing).toMatchObject({
    action: "account-erased",
    actor: { kind: "operator" },
    subject: { id: ada.id },
  });
});

test("a denied agent is found by their email address", async () => {
  const kofi = await person(w, "agent", "pending");
  await boss.caller.call("agents.deny", { id: kofi.id });
  const { entries } = await page({ subject: kofi.email, action: "agent-denied" });
  expect(entries).toMatchObject([
    { subject: { id: kofi.id, email: kofi.email }, actor: { email: boss.email } },
  ]);
});

test("combines filters by action, actor and period, which excludes its end", async () => {
  const [ada, ben] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const at = (day: number) => new Date(Date.UTC(2025, 0, day));
  for (const day of [1, 2, 3])
    await record(
      { action: "sign-in", actorId: ada.id, at: at(day) },
      { action: "sign-out", actorId: ada.id, at: at(day) },
      { action: "sign-in", actorId: ben.id, at: at(day) },
    );
  const days = async (filter: Filter) => (await page(filter)).entries.map((entry) => entry.at.slice(0, 10));
  const ofAda = { actor: ada.email, action: "sign-in" };
  expect(await days(ofAda)).toEqual(["2025-01-03", "2025-01-02", "2025-01-01"]);
  expect(await days({ ...ofAda, from: at(2).toISOString() })).toEqual(["2025-01-03", "2025-01-02"]);
  expect(await days({ ...ofAda, from: at(2).toISOString(), before: at(3).toISOString() })).toEqual([
    "2025-01-02",
  ]);
  expect((await page({ action: "sign-in", before: at(4).toISOString() })).entries).toHaveLength(6);
});

test("distinguishes a visitor from the server as actor", async () => {
  await record(
    { action: "sign-in-failed", address: "198.51.100.9", detail: { refusal: "auth/invalid-credential" } },
    { action: "auction-settled", detail: { product: "p" } },
  );
  const [settled, failed] = (await page()).entries;
  expect(settled).toMatchObject({ actor: { kind: "server" }, detail: { product: "p" } });
  expect(failed).toMatchObject({ actor: { kind: "visitor" }, subject: null });
});

test("pages neither repeat nor miss entries that share a moment, or differ by a microsecond", async () => {
  const ada = await person(w, "student", "active");
  await w.services.database.db.execute(sql`
    insert into audit (action, actor_id, at)
    select 'sign-in', ${ada.id}, timestamptz '2024-05-05' + (number / 3) * interval '1 microsecond'
    from generate_series(1, 120) number`);
  const ids: number[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await page({ actor: ada.id, ...(cursor && { cursor }) });
    expect(answer.entries.length).toBeLessThanOrEqual(50);
    ids.push(...answer.entries.map(({ id }) => id));
    cursor = answer.next;
  } while (cursor !== null);
  expect(ids).toHaveLength(120);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
});

test("each filter uses an index in a large log", async () => {
  const { db } = w.services.database;
  await db.execute(sql`insert into audit (action, actor_id, subject_id, at)
    select 'sign-in', 'somebody-' || number % 500, 'somebody-' || number % 500, now() - number * interval '1 second'
    from generate_series(1, 20000) number`);
  await w.asOwner("analyze audit");
  const plan = async (condition: string) => {
    const explained = await db.execute<{ "QUERY PLAN": string }>(
      sql.raw(`explain select * from audit where ${condition} order by at desc, id desc limit 51`),
    );
    return explained.rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  for (const condition of [
    "true",
    "action = 'job-retried'",
    "actor_id = 'somebody-7'",
    "subject_id = 'somebody-7'",
    "at < now() - interval '1 hour'",
  ])
    expect(await plan(condition), condition).not.toContain("Seq Scan");
});
