import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

type Row = { id: string; role: string; status: string; lastLogin: string | null; since: string };
type Page = { accounts: Row[]; next: string | null };
const page = async (input: object = {}) => {
  const answer = await boss.caller.call("accounts.list", input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Page;
};
const idsFor = async (input: object) => (await page(input)).accounts.map(({ id }) => id);
async function all(input: object = {}) {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await page({ ...input, ...(cursor && { cursor }) });
    expect(answer.accounts.length).toBeLessThanOrEqual(50);
    rows.push(...answer.accounts);
    cursor = answer.next;
  } while (cursor !== null);
  return rows;
}

test("an account is listed with its role, status, sign-up time and last login", async () => {
  const kofi = await person(w, "agent", "approved");
  const ada = await person(w, "student", "active");
  await w.services.database.db.update(user).set({ assignedAgentId: kofi.id }).where(eq(user.id, ada.id));
  const login = await new Caller(w.app).call("account.signIn", { email: kofi.email, password: goodPassword });
  expect(login.status).toBe(200);
  const [row] = (await page({ search: kofi.email })).accounts;
  expect(row).toMatchObject({
    id: kofi.id,
    email: kofi.email,
    name: "Ada Obi",
    role: "agent",
    status: "approved",
    emailVerified: true,
    students: 1,
  });
  expect(Date.parse(row?.lastLogin ?? "")).toBeGreaterThanOrEqual(Date.parse(row?.since ?? ""));
});

test("the last login is still known once its session has ended, and null before the first", async () => {
  const ada = await person(w, "student", "active");
  const lastLogin = async () => (await page({ search: ada.email })).accounts[0]?.lastLogin;
  await ada.caller.call("account.signOut");
  expect(await lastLogin()).toBeNull();
  await ada.caller.call("account.signIn", { email: ada.email, password: goodPassword });
  await ada.caller.call("account.signOut");
  expect(await lastLogin()).not.toBeNull();
});

test("filters by role and status; a status that the role can't have finds nobody", async () => {
  const [gone, here] = [await person(w, "student", "disabled"), await person(w, "student", "active")];
  const pending = await person(w, "agent", "pending");
  const disabled = await idsFor({ status: "disabled" });
  expect(disabled).toContain(gone.id);
  expect(disabled).not.toContain(here.id);
  expect(await idsFor({ role: "agent", status: "pending" })).toEqual([pending.id]);
  expect(await idsFor({ role: "student", status: "pending" })).toEqual([]);
  expect(await idsFor({ role: "admin" })).toEqual([boss.id]);
});

test("pages of all accounts, newest first, neither repeat nor miss one; searches have pages too", async () => {
  const { db } = w.services.database;
  await db.execute(sql`
    insert into "user" (id, name, email, role, status, created_at)
    select 'many-' || number, 'Zoë Many', 'many-' || number || '@example.org',
      case number % 3 when 0 then 'agent' else 'student' end,
      case number % 3 when 0 then 'approved' else 'active' end,
      timestamptz '2026-01-01' + (number / 5) * interval '1 second'
    from generate_series(1, 180) number`);
  const everyone = await all();
  const [row] = (await db.execute<{ number: number }>(sql`select count(*)::int as number from "user"`)).rows;
  expect(everyone).toHaveLength(row?.number ?? 0);
  expect(new Set(everyone.map(({ id }) => id)).size).toBe(everyone.length);
  const moments = everyone.map(({ since }) => since);
  expect(moments).toEqual(moments.toSorted().toReversed());
  const matches = await all({ search: "zoe many" });
  expect(new Set(matches.map(({ id }) => id)).size).toBe(180);
});

test("a name is found without its apostrophe", async () => {
  await w.services.database.db.insert(user).values({
    id: "irish",
    name: "Siobhán O’Brien",
    email: "siobhan@example.org",
    role: "agent",
    status: "approved",
  });
  expect(await idsFor({ search: "obrien" })).toEqual(["irish"]);
});

test("a rare name behind many newer accounts is found", async () => {
  await w.services.database.db.execute(sql`
    insert into "user" (id, name, email, role, status, created_at)
    select 'new-' || number, 'Newer', 'newer-' || number || '@example.org', 'student', 'active', now()
    from generate_series(1, 700) number`);
  const [old] = await w.services.database.db
    .insert(user)
    .values({
      id: "rare",
      name: "Quetzal Xu",
      email: "rare@example.org",
      role: "student",
      status: "active",
      createdAt: new Date("2020-01-01"),
    })
    .returning({ id: user.id });
  expect(await idsFor({ search: "quetz" })).toEqual([old?.id]);
});

test("an admin logs an account out on every device", async () => {
  const ada = await person(w, "student", "active");
  const phone = new Caller(w.app);
  await phone.call("account.signIn", { email: ada.email, password: goodPassword });
  expect((await boss.caller.call("accounts.signOut", { userId: ada.id })).status).toBe(200);
  for (const caller of [ada.caller, phone])
    expect((await caller.call("account.me")).body).toEqual({ viewer: null });
  expect((await boss.caller.call("account.me")).body).toMatchObject({ viewer: { id: boss.id } });
  expect((await boss.caller.call("accounts.signOut", { userId: "nobody" })).code).toBe("not-found");
  const login = await phone.call("account.signIn", { email: ada.email, password: goodPassword });
  expect(login.status).toBe(200);
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, ada.id));
  expect(entries.filter(({ action }) => action === "sessions-ended")).toMatchObject([{ actorId: boss.id }]);
});

test("an admin's logout keeps API keys and the calendar's address unless it ends them too", async () => {
  const { id: userId, caller } = await person(w, "agent", "approved");
  const { key } = await caller.api.apiKeys.create({ name: "CRM", scopes: ["students:read"], days: 30 });
  const calendar = new URL((await caller.api.planner.makeCalendar()).url).pathname;
  const headers = { authorization: `Bearer ${key}` };
  const statuses = async () => [
    (await w.app.request("/api/v1/students", { headers })).status,
    (await caller.request(calendar, {})).status,
  ];
  expect((await boss.caller.call("accounts.signOut", { userId })).status).toBe(200);
  expect(await statuses()).toEqual([200, 200]);
  expect((await boss.caller.call("accounts.signOut", { userId, withKeys: true })).status).toBe(200);
  expect(await statuses()).toEqual([401, 404]);
});

test("an account's summary has its details, its agent and its number of students", async () => {
  const kofi = await person(w, "agent", "approved");
  const ada = await person(w, "student", "active");
  await w.services.database.db
    .update(user)
    .set({ assignedAgentId: kofi.id, phone: "+44 20 7946 0000", country: "NG" })
    .where(eq(user.id, ada.id));
  const { api } = boss.caller;
  expect(await api.accounts.summary({ userId: ada.id })).toMatchObject({
    id: ada.id,
    role: "student",
    phone: "+44 20 7946 0000",
    country: "NG",
    agent: { id: kofi.id, name: "Ada Obi" },
    students: 0,
  });
  expect(await api.accounts.summary({ userId: kofi.id })).toMatchObject({
    agency: "North Star",
    agent: null,
    students: 1,
  });
  expect((await boss.caller.call("accounts.summary", { userId: "nobody" })).code).toBe("not-found");
  expect((await kofi.caller.call("accounts.summary", { userId: ada.id })).code).toBe("permission-denied");
});
