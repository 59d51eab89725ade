import { desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { goodPassword, type Person, person, signIn, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { adminCommand, isAdminCommand } from "./command-line.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

async function run(name: string, ...words: string[]): Promise<string[]> {
  const output: string[] = [];
  if (!isAdminCommand(name)) throw new Error(`${name} is no command`);
  await adminCommand(w.services, [name, ...words], (text) => void output.push(text));
  const lines = output.join("").split(/\r?\n/);
  expect(lines.pop(), "the last line ends").toBe("");
  return lines;
}
const lastEntry = async () => {
  const { db } = w.services.database;
  return (await db.select().from(audit).orderBy(desc(audit.id)).limit(1))[0];
};
const isSignedIn = async ({ caller }: Person) =>
  JSON.stringify((await caller.call("account.me")).body) !== '{"viewer":null}';

test("an account is disabled and enabled by the operator, and its sessions end", async () => {
  const ada = await person(w, "student", "active");
  expect(await run("disable", ada.email.toUpperCase())).toEqual([`${ada.email.toUpperCase()} is disabled.`]);
  expect(await isSignedIn(ada)).toBe(false);
  expect(await lastEntry()).toMatchObject({
    action: "account-disabled",
    actorId: null,
    subjectId: ada.id,
    detail: { by: "operator" },
  });
  await expect(run("disable", ada.email)).rejects.toThrow("is disabled already");
  await run("enable", ada.email);
  expect((await storedUser(w, ada.id))?.status).toBe("active");
});

test("a lost second factor is removed by the operator, and its sessions end", async () => {
  const ada = await person(w, "student", "active");
  await expect(run("remove-second-factor", ada.email)).rejects.toThrow("has no two-step login");
  const { recoveryCodes } = await authenticatorOf(ada);
  expect(await run("remove-second-factor", ada.email)).toEqual([
    `${ada.email} logs in with the password alone.`,
  ]);
  expect(await isSignedIn(ada)).toBe(false);
  expect(await lastEntry()).toMatchObject({
    action: "second-factor-removed",
    actorId: null,
    subjectId: ada.id,
    detail: { by: "operator" },
  });
  const credentials = { email: ada.email, password: goodPassword };
  expect((await ada.caller.call("account.signIn", credentials)).status).toBe(200);
  await authenticatorOf(ada);
  const again = await ada.caller.call("account.signIn", { ...credentials, code: recoveryCodes[0] });
  expect(again.code).toBe("auth/invalid-verification-code");
  await expect(run("remove-second-factor", "nobody@example.org")).rejects.toThrow("Nobody has the email");
});

test("disable --release-students takes an agent's students away immediately", async () => {
  const kofi = await person(w, "agent", "approved");
  const ada = await person(w, "student", "active");
  await w.services.database.db.update(user).set({ assignedAgentId: kofi.id }).where(eq(user.id, ada.id));
  await run("disable", kofi.email, "--release-students");
  expect((await storedUser(w, ada.id))?.assignedAgentId).toBeNull();
});

test("an account is logged out by the operator, on every node, and can log in again", async () => {
  const [ada, kofi] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  expect(await run("log-out", ada.email)).toEqual([
    `${ada.email} is logged out everywhere; 0 API keys still valid: --keys ends keys too.`,
  ]);
  expect(await isSignedIn(ada)).toBe(false);
  expect(await isSignedIn(kofi)).toBe(true);
  expect(await lastEntry()).toMatchObject({
    action: "sessions-ended",
    actorId: null,
    subjectId: ada.id,
    detail: { by: "operator" },
  });
  await signIn(w, ada.caller, ada.id);
  expect(await isSignedIn(ada)).toBe(true);
  await expect(run("log-out", "nobody@example.org")).rejects.toThrow("Nobody has the email address");
  await expect(run("log-out")).rejects.toThrow("Whose account?");
  await expect(run("log-out", "--everyone", ada.email)).rejects.toThrow("One account or everyone?");
  expect(await isSignedIn(ada)).toBe(true);
});

test("API keys and calendars survive a logout without --keys, of one account and of everyone", async () => {
  const agents = [await person(w, "agent", "approved"), await person(w, "agent", "approved")] as const;
  const grantAccess = async ({ caller }: Person) => {
    const input = { name: "CRM", scopes: ["students:read"], days: 30 };
    const { body } = await caller.call("apiKeys.create", input);
    const { key } = z.object({ key: z.string() }).parse(body);
    const calendar = new URL((await caller.api.planner.makeCalendar()).url).pathname;
    return async () => [
      (await w.app.request("/api/v1/students", { headers: { authorization: `Bearer ${key}` } })).status,
      (await caller.request(calendar, {})).status,
    ];
  };
  const [first, second] = [await grantAccess(agents[0]), await grantAccess(agents[1])];
  const statuses = { work: [200, 200], ended: [401, 404] };
  expect([await first(), await second()]).toEqual([statuses.work, statuses.work]);
  await run("log-out", agents[0].email);
  await run("log-out", "--everyone");
  expect([await first(), await second()]).toEqual([statuses.work, statuses.work]);
  expect(await run("log-out", agents[0].email, "--keys")).toEqual([
    `${agents[0].email} is logged out everywhere; 1 API key ended.`,
  ]);
  expect([await first(), await second()]).toEqual([statuses.ended, statuses.work]);
  await run("log-out", "--everyone", "--keys");
  expect([await first(), await second()]).toEqual([statuses.ended, statuses.ended]);
});

test("log-out --everyone logs out more accounts than one batch holds", async () => {
  const ada = await person(w, "student", "active");
  const { db } = w.services.database;
  await db.execute(sql`
    insert into "user" (id, name, email, role, status)
    select 'many-' || n, 'Many', 'many-' || n || '@example.org', 'student', 'active' from generate_series(1, 450) n`);
  await db.execute(sql`
    insert into session (id, token, user_id, expires_at)
    select 'many-' || n, 'many-' || n, 'many-' || n, now() + interval '1 day' from generate_series(1, 450) n`);
  const accounts = (await db.selectDistinct({ userId: session.userId }).from(session)).length;
  expect(await run("log-out", "--everyone")).toEqual([
    `${accounts} accounts logged out everywhere; 0 API keys still valid: --keys ends keys too.`,
  ]);
  expect(await db.select().from(session)).toEqual([]);
  expect(await isSignedIn(ada)).toBe(false);
});

test("an unknown address and an admin's are refused", async () => {
  const boss = await person(w, "admin", "active");
  await expect(run("disable", "nobody@example.org")).rejects.toThrow("Nobody has the email address");
  await expect(run("disable", boss.email)).rejects.toThrow("take it off ADMIN_EMAILS");
  expect(await isSignedIn(boss)).toBe(true);
});

test("users are listed, and exported as CSV and JSON lines, which the audit log records", async () => {
  const kofi = await person(w, "agent", "pending");
  await w.services.database.db.update(user).set({ name: "=1+1, Kofi" }).where(eq(user.id, kofi.id));
  expect(await run("users", "--role", "agent", "--status", "pending")).toEqual([
    expect.stringMatching(new RegExp(`^${kofi.email} +agent +pending +=1\\+1, Kofi$`)),
  ]);
  expect(await run("users", kofi.email.slice(0, 20))).toHaveLength(1);
  const [header, ...lines] = await run("export");
  expect(header).toBe(
    "Email,Name,Role,Status,Verified,Since (UTC),Last login (UTC),Students,Erased on (UTC),Id",
  );
  expect(lines.find((line) => line.includes(kofi.id))).toContain(
    `${kofi.email},"'=1+1, Kofi",agent,pending,yes,`,
  );
  expect(await lastEntry()).toMatchObject({ action: "accounts-exported", detail: { by: "operator" } });
  const objects = (await run("export", "--json")).map((line): { id?: string } => JSON.parse(line));
  expect(objects.map(({ id }) => id)).toContain(kofi.id);
  expect(objects).toHaveLength(lines.length);
});

test("a failed job is listed and retried", async () => {
  const id = "11111111-2222-4333-8444-555555555555";
  await w.services.database.db.execute(sql`
    insert into jobs.job (id, name, data, state, completed_on, policy, output, start_after)
    values (${id}, 'tidy-up', 'null', 'failed', now(), 'standard', '{"error":"ECONNREFUSED"}', now() + interval '1 day')`);
  expect(await run("jobs")).toEqual([
    expect.stringMatching(new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\dT[\\d:]+Z  tidy-up  1 try  ECONNREFUSED$`)),
  ]);
  await run("jobs", "retry", id);
  expect(await run("jobs")).toEqual(["none"]);
  expect(await lastEntry()).toMatchObject({
    action: "job-retried",
    detail: { by: "operator", queue: "tidy-up", job: id },
  });
  await expect(run("jobs", "retry", id)).rejects.toThrow("No failed job");
  await expect(run("jobs", "retry", "7")).rejects.toThrow("is no job's id");
});

test("the audit log is listed and exported with the same filters as on screen", async () => {
  const ada = await person(w, "student", "active");
  await w.services.database.db.insert(audit).values([
    { action: "sign-in", actorId: ada.id, at: new Date("2025-03-04T23:59:59Z") },
    { action: "sign-in", actorId: ada.id, at: new Date("2025-03-05T00:00:00Z") },
    {
      action: "sign-out",
      actorId: ada.id,
      at: new Date("2025-03-04T12:00:00Z"),
      detail: { note: "a\u001b[2Jb" },
    },
  ]);
  const ofDay = ["--actor", ada.email, "--from", "2025-03-04", "--to", "2025-03-04"];
  const lines = await run("audit", ...ofDay);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`^2025-03-04T23:59:59Z  sign-in +${ada.email}`));
  expect(lines[1]).toContain("note=a [2Jb");
  const [, ...rows] = await run("audit", "--csv", "--action", "sign-in", ...ofDay);
  expect(rows).toHaveLength(1);
  expect(await lastEntry()).toMatchObject({
    action: "audit-exported",
    detail: { by: "operator", action: "sign-in", actor: ada.id, from: "2025-03-04T00:00:00.000Z" },
  });
});

test.each([
  ["users", "--role", "king"],
  ["users", "--status", "gone"],
  ["disable"],
  ["remove-second-factor"],
  ["audit", "--from", "tomorrow"],
  ["audit", "--action", "nothing"],
  ["jobs", "burn"],
  ["export", "--xml"],
])("an invalid command is refused, naming the list of commands: %s %s %s", async (name, ...words) => {
  await expect(run(name, ...words.filter(Boolean))).rejects.toThrow("`npm run admin` lists the commands.");
});
