import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { giveReason } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const noticesOf = async ({ id }: Person) =>
  (await w.services.database.db.select().from(notification).where(eq(notification.userId, id))).filter(
    ({ kind }) => kind === "agentPace",
  );

/** Creates students with names only, assigned to an agent or to nobody. */
async function addStudents(number: number, assignedAgentId: string | null): Promise<string[]> {
  const rows = Array.from({ length: number }, () => ({
    id: crypto.randomUUID(),
    name: "Efua Owusu",
    role: "student" as const,
    status: "active" as const,
    assignedAgentId,
    ...(assignedAgentId !== null && { assignedAt: new Date() }),
  }));
  await w.services.database.db
    .insert(user)
    .values(rows.map((row) => ({ ...row, email: `${row.id}@example.org` })));
  return rows.map(({ id }) => id);
}

test("an agent can view 30 identities an hour, even concurrently; admins are notified once", async () => {
  const agent = await person(w, "agent", "approved");
  const ids = await addStudents(40, agent.id);
  const look = (studentId: string) => agent.caller.call("students.identity", { studentId });
  const answers = await Promise.all(ids.map(look));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) {
    expect(answer.code).toBe("resource-exhausted");
    expect(answer.message).toContain("many students' details and files within the hour");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const notices = await noticesOf(boss);
  expect(notices.length).toBeGreaterThanOrEqual(1);
  // There are two if a clock hour ended in between.
  expect(notices.length).toBeLessThanOrEqual(2);
  expect(notices[0]?.about).toEqual({ agent: "Ada Obi", what: "opening students' details and files" });
  // Admins have no such limit, and refused calls do not count.
  await giveReason(boss, ...ids);
  for (const studentId of ids)
    expect((await boss.caller.call("students.identity", { studentId })).status).toBe(200);
});

test("a view that was refused anyway does not count", async () => {
  const agent = await person(w, "agent", "approved");
  const [own = ""] = await addStudents(1, agent.id);
  const others = await addStudents(35, null);
  for (const studentId of others)
    expect((await agent.caller.call("students.identity", { studentId })).code).toBe("not-found");
  expect((await agent.caller.call("students.identity", { studentId: own })).status).toBe(200);
});

test("an agent can take on 10 students an hour; assigning students to others is not limited", async () => {
  const agent = await person(w, "agent", "approved");
  const other = await person(w, "agent", "approved");
  const ids = await addStudents(14, null);
  const assign = (studentId: string, agentId: string) =>
    agent.caller.call("students.assign", { studentId, agentId, expectedAgentId: null });
  const answers = await Promise.all(ids.slice(0, 12).map((id) => assign(id, agent.id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ code }) => code === "resource-exhausted")).toHaveLength(2);
  for (const id of ids.slice(12)) expect((await assign(id, other.id)).status).toBe(200);
});
