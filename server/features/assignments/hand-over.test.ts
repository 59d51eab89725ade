import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const handOver = (from: Person, to: Person | null, by = boss) =>
  by.caller.call("students.handOver", { fromAgentId: from.id, toAgentId: to?.id ?? null });
const notificationsOf = (id: string) =>
  w.services.database.db
    .select({ kind: notification.kind, about: notification.about })
    .from(notification)
    .where(eq(notification.userId, id));
const studentIdsOf = async ({ id }: Person) =>
  (await w.services.database.db.select({ id: user.id }).from(user).where(eq(user.assignedAgentId, id))).map(
    (row) => row.id,
  );
const agent = () => person(w, "agent", "approved");

async function studentsOf({ id }: Person, number: number): Promise<string[]> {
  const values = Array.from({ length: number }, () => {
    const studentId = randomUUID();
    const account = { role: "student", status: "active" } as const;
    return { id: studentId, name: "Bea", email: `${studentId}@example.org`, assignedAgentId: id, ...account };
  });
  await w.services.database.db.insert(user).values(values);
  return values.map((each) => each.id);
}

test("hands over all of an agent's students, and notifies them and both agents", async () => {
  const [from, to, bystander] = [await agent(), await agent(), await agent()];
  const [ids, theirs] = [await studentsOf(from, 3), await studentsOf(bystander, 1)];
  expect(await handOver(from, to)).toMatchObject({ status: 200, body: { students: 3 } });
  expect((await studentIdsOf(to)).toSorted()).toEqual(ids.toSorted());
  expect(await studentIdsOf(bystander)).toEqual(theirs);
  for (const id of ids) {
    expect(await notificationsOf(id)).toEqual([{ kind: "agentAssigned", about: { agent: "Ada Obi" } }]);
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, id));
    const detail = { agent: to.id, former: from.id };
    expect(entries).toMatchObject([{ action: "agent-assigned", actorId: boss.id, detail }]);
  }
  expect(await notificationsOf(to.id)).toEqual([
    { kind: "studentAssigned", about: { students: "3 students" } },
  ]);
  expect(await notificationsOf(from.id)).toEqual([
    { kind: "studentReassigned", about: { students: "3 students", agent: "Ada Obi" } },
  ]);
  expect(await handOver(from, to)).toMatchObject({ status: 200, body: { students: 0 } });
  expect(await notificationsOf(to.id)).toHaveLength(1);
});

test("the students of a disabled agent can be handed over, or left without an agent immediately", async () => {
  const [from, to] = [await agent(), await agent()];
  await studentsOf(from, 2);
  await boss.caller.call("students.setDisabled", { userId: from.id, disabled: true });
  expect(await studentIdsOf(from)).toHaveLength(2);
  expect((await handOver(from, to)).status).toBe(200);
  expect(await studentIdsOf(to)).toHaveLength(2);
  expect((await handOver(to, null)).status).toBe(200);
  expect(await studentIdsOf(to)).toEqual([]);
});

test("students can only be handed over to another agent, who must be approved", async () => {
  const from = await agent();
  const ids = await studentsOf(from, 1);
  const others = [await person(w, "agent", "disabled"), await person(w, "agent", "pending"), boss, from];
  for (const to of others) expect((await handOver(from, to)).code).toBe("failed-precondition");
  expect((await handOver(boss, from)).code).toBe("not-found");
  expect((await handOver(from, await agent(), from)).code).toBe("permission-denied");
  expect(await studentIdsOf(from)).toEqual(ids);
});

test("concurrent hand-overs in both directions, with single assignments, lose no student", async () => {
  const [one, two] = [await agent(), await agent()];
  const ids = [...(await studentsOf(one, 20)), ...(await studentsOf(two, 20))];
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, round) => {
      const [from, to] = round % 2 === 0 ? [one, two] : [two, one];
      const studentId = ids[round] ?? "";
      const expectedAgentId = (await storedUser(w, studentId))?.assignedAgentId ?? null;
      const single = { studentId, agentId: from.id, expectedAgentId };
      return await Promise.all([handOver(from, to), boss.caller.call("students.assign", single)]);
    }),
  );
  for (const [all, single] of answers) {
    expect(all.status).toBe(200);
    expect([200, 409]).toContain(single.status);
  }
  expect([...(await studentIdsOf(one)), ...(await studentIdsOf(two))].toSorted()).toEqual(ids.toSorted());
});
