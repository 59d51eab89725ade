import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { releaseOverdueStudents } from "#server/features/assignments/commands/move-students.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person, signIn, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";
import { user } from "./tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const set = (who: Person, disabled: boolean, by = boss, releaseStudents = false) =>
  by.caller.call("students.setDisabled", { userId: who.id, disabled, releaseStudents });
const disabledDaysAgo = (agent: Person, days: number) =>
  w.services.database.db
    .update(user)
    .set({ disabledAt: new Date(Date.now() - days * 24 * 3_600_000) })
    .where(eq(user.id, agent.id));
const agentOf = async (id: string | undefined) => (await storedUser(w, id ?? ""))?.assignedAgentId;
const notificationsOf = async (...ids: string[]) =>
  await w.services.database.db
    .select({ kind: notification.kind })
    .from(notification)
    .where(inArray(notification.userId, ids));
const login = async ({ email }: Person) =>
  (await new Caller(w.app).call("account.signIn", { email, password: goodPassword })).code;

/** Inserts students of an agent directly, because signing each up takes time. */
async function studentsOf(agent: Person, number: number): Promise<string[]> {
  const values = Array.from({ length: number }, (_, at) => ({
    id: `${agent.id.slice(0, 8)}-student-${at}`,
    name: `Student ${at}`,
    email: `${agent.id}-${at}@example.org`,
    role: "student" as const,
    status: "active" as const,
    assignedAgentId: agent.id,
    assignedAt: new Date(),
  }));
  await w.services.database.db.insert(user).values(values);
  return values.map(({ id }) => id);
}

async function queuedMails(ids: readonly string[]): Promise<number> {
  const { rows } = await w.services.database.pool.query<{ id: string }>(
    `select job.id from jobs.job
     join notification on notification.mail_id = (job.data->'data'->>'mailId')::uuid
     where job.data->>'mail' = 'notification' and notification.user_id = any($1)`,
    [ids],
  );
  return rows.length;
}

test("a disabled student is logged out immediately, and can log in again when enabled", async () => {
  const ada = await person(w, "student", "active");
  expect((await ada.caller.call("account.me")).body).toMatchObject({ viewer: { id: ada.id } });
  expect((await set(ada, true)).status).toBe(200);
  expect((await ada.caller.call("account.me")).body).toEqual({ viewer: null });
  expect(await login(ada)).toBe("auth/user-disabled");
  expect((await set(ada, true)).code).toBe("failed-precondition");
  expect((await set(ada, false)).status).toBe(200);
  expect(await login(ada)).toBeNull();
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, ada.id));
  const actionsOfBoss = entries.filter(({ actorId }) => actorId === boss.id).map(({ action }) => action);
  expect(actionsOfBoss).toEqual(["account-disabled", "account-enabled"]);
});

test("an agent who is enabled regains their former status", async () => {
  const then = new Date();
  for (const [status, dates] of [
    ["pending", { approvedAt: null }],
    ["approved", { approvedAt: then }],
    ["revoked", { approvedAt: then, revokedAt: then }],
  ] as const) {
    const agent = await person(w, "agent", status);
    await w.services.database.db.update(user).set(dates).where(eq(user.id, agent.id));
    expect((await set(agent, true)).status).toBe(200);
    expect(await storedUser(w, agent.id)).toMatchObject({ status: "disabled" });
    expect((await set(agent, false)).status).toBe(200);
    expect(await storedUser(w, agent.id)).toMatchObject({ status });
  }
});

test.each([
  ["revoked", (agent: Person) => boss.caller.call("agents.revoke", { id: agent.id })],
  ["disabled with their students released", (agent: Person) => set(agent, true, boss, true)],
])("an agent who is %s loses 200 students, who are notified, as are the admins", async (_how, leave) => {
  const other = await person(w, "admin", "active");
  const [agent, bystander] = [await person(w, "agent", "approved"), await person(w, "agent", "approved")];
  const [ids, theirs] = [await studentsOf(agent, 200), await studentsOf(bystander, 1)];
  expect((await leave(agent)).status).toBe(200);

  const { db } = w.services.database;
  const rows = await db
    .select({ id: user.id, agentId: user.assignedAgentId })
    .from(user)
    .where(inArray(user.id, [...ids, ...theirs]));
  expect(rows.filter(({ agentId }) => agentId !== null).map(({ id }) => id)).toEqual(theirs);
  const notified = await db
    .select({ userId: notification.userId, kind: notification.kind })
    .from(notification)
    .where(inArray(notification.userId, ids));
  expect(notified.map(({ userId }) => userId).toSorted()).toEqual(ids.toSorted());
  expect(new Set(notified.map(({ kind }) => kind))).toEqual(new Set(["agentLost"]));
  const ofAdmin = await db
    .select({ kind: notification.kind, about: notification.about })
    .from(notification)
    .where(eq(notification.userId, other.id));
  expect(ofAdmin).toEqual([{ kind: "studentsLeft", about: { agent: "Ada Obi", students: "200 students" } }]);
  const audited = await db
    .select({ id: audit.subjectId })
    .from(audit)
    .where(and(inArray(audit.subjectId, ids), eq(audit.action, "agent-unassigned")));
  expect(audited).toHaveLength(200);
  expect(await queuedMails(ids)).toBe(200);
});

test("a disabled agent keeps their students, gets no new ones, and can work again when enabled", async () => {
  const agent = await person(w, "agent", "approved");
  await w.services.database.db.update(user).set({ approvedAt: new Date() }).where(eq(user.id, agent.id));
  const [own = "", another = ""] = await studentsOf(agent, 2);
  expect((await set(agent, true)).status).toBe(200);
  expect(await agentOf(own)).toBe(agent.id);
  expect(await notificationsOf(own)).toEqual([]);
  expect(await storedUser(w, agent.id)).toMatchObject({ disabledAt: expect.any(Date), disabledBy: boss.id });
  const assign = (agentId: string | null, expectedAgentId: string | null) =>
    boss.caller.call("students.assign", { studentId: another, agentId, expectedAgentId });
  await assign(null, agent.id);
  expect((await assign(agent.id, null)).code).toBe("failed-precondition");
  await set(agent, false);
  expect(await storedUser(w, agent.id)).toMatchObject({ disabledAt: null, disabledBy: null });
  await signIn(w, agent.caller, agent.id);
  expect((await agent.caller.call("students.identity", { studentId: own })).status).toBe(200);
});

test("after 7 days the nightly job takes a disabled agent's students, who are notified once", async () => {
  const [late, recent, back] = [
    await person(w, "agent", "approved"),
    await person(w, "agent", "approved"),
    await person(w, "agent", "approved"),
  ];
  const [theirs, others, returned] = [
    await studentsOf(late, 2),
    await studentsOf(recent, 1),
    await studentsOf(back, 1),
  ];
  for (const agent of [late, recent, back]) await set(agent, true);
  await set(back, false);
  await disabledDaysAgo(late, 7.1);
  await disabledDaysAgo(recent, 6.9);
  // The job runs on two nodes concurrently, and again after a crash.
  await Promise.all([releaseOverdueStudents(w.services), releaseOverdueStudents(w.services)]);
  await releaseOverdueStudents(w.services);
  for (const id of theirs) expect(await agentOf(id)).toBeNull();
  expect(await agentOf(others[0])).toBe(recent.id);
  expect(await agentOf(returned[0])).toBe(back.id);
  expect(await notificationsOf(...theirs)).toEqual([{ kind: "agentLost" }, { kind: "agentLost" }]);
  expect(await notificationsOf(...others, ...returned)).toEqual([]);
  const entries = await w.services.database.db
    .select({ action: audit.action, actorId: audit.actorId })
    .from(audit)
    .where(inArray(audit.subjectId, theirs));
  expect(entries).toEqual(theirs.map(() => ({ action: "agent-unassigned", actorId: null })));
  // The other agent's students are due a day later.
  await releaseOverdueStudents(w.services, new Date(Date.now() + 24 * 3_600_000));
  expect(await agentOf(others[0])).toBeNull();
});

test("one of five concurrent requests succeeds, and the others get a conflict", async () => {
  const ada = await person(w, "student", "active");
  const answers = await Promise.all(Array.from({ length: 5 }, () => set(ada, true)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "failed-precondition")).toHaveLength(4);
});

test("admins and unknown ids are not found; agents lack the permission", async () => {
  const agent = await person(w, "agent", "approved");
  expect((await set(boss, true)).code).toBe("not-found");
  expect((await boss.caller.call("students.setDisabled", { userId: "x", disabled: true })).code).toBe(
    "not-found",
  );
  expect((await set(boss, true, agent)).code).toBe("permission-denied");
});

test("a disabled admin whose session is still cached can't disable anyone", async () => {
  const former = await person(w, "admin", "active");
  const ada = await person(w, "student", "active");
  await former.caller.call("agents.counts");
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, former.id));
  expect((await set(ada, true, former)).code).toBe("permission-denied");
  expect(await storedUser(w, ada.id)).toMatchObject({ status: "active" });
});
