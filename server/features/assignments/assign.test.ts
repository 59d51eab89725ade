import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { profile } from "#server/features/profile/tables.ts";
import { giveReason } from "#tests/support/documents.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
let kofi: Person;
let yaw: Person;
beforeAll(async () => {
  w = await wayfare();
  [boss, kofi, yaw] = await Promise.all([
    person(w, "admin", "active"),
    person(w, "agent", "approved"),
    person(w, "agent", "approved"),
  ]);
});
afterAll(() => w.stop());

const assign = (by: Person, student: Person, agent: Person | null, expected: Person | null = null) =>
  by.caller.call("students.assign", {
    studentId: student.id,
    agentId: agent?.id ?? null,
    expectedAgentId: expected?.id ?? null,
  });
const agentOf = async (student: Person) => (await storedUser(w, student.id))?.assignedAgentId;
const notificationsOf = async (who: Person) =>
  (
    await w.services.database.db
      .select({ kind: notification.kind, about: notification.about, path: notification.path })
      .from(notification)
      .where(eq(notification.userId, who.id))
  ).toSorted((a, b) => a.kind.localeCompare(b.kind));
const newStudent = () => person(w, "student", "active");

test("an agent takes an unassigned student: saved, audited, and the student is notified", async () => {
  const [ada, esi] = [await newStudent(), await person(w, "agent", "approved")];
  expect((await assign(esi, ada, esi)).status).toBe(200);
  expect(await storedUser(w, ada.id)).toMatchObject({
    assignedAgentId: esi.id,
    assignedAt: expect.any(Date),
  });
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, ada.id));
  expect(entries).toEqual([
    expect.objectContaining({
      action: "agent-assigned",
      actorId: esi.id,
      address: "203.0.113.7",
      detail: { agent: esi.id },
    }),
  ]);
  expect(await notificationsOf(ada)).toEqual([
    { kind: "agentAssigned", about: { agent: "Ada Obi" }, path: "/student-dashboard" },
  ]);
  expect(await notificationsOf(esi)).toEqual([]);
  await w.mail(ada.email, /is now your agent/);
});

test("an agent who is assigned a student by someone else gets a link to the student", async () => {
  const ada = await newStudent();
  const esi = await person(w, "agent", "approved");
  expect((await assign(kofi, ada, esi)).status).toBe(200);
  const path = `/manage-students?filter=mine&search=Ada+Obi&student=${ada.id}`;
  expect(await notificationsOf(esi)).toEqual([
    { kind: "studentAssigned", about: { student: "Ada Obi" }, path },
  ]);
});

test("an agent who loses a student is notified, unless they did it themselves", async () => {
  const [ada, esi] = [await newStudent(), await person(w, "agent", "approved")];
  const lost = {
    kind: "studentReassigned",
    about: { student: "Ada Obi", agent: "Ada Obi" },
    path: "/manage-students?filter=mine",
  };
  await assign(esi, ada, esi);
  await assign(boss, ada, yaw, esi);
  expect(await notificationsOf(esi)).toEqual([lost]);
  await assign(boss, ada, esi, yaw);
  await assign(boss, ada, null, esi);
  // Only the latest unread entry is left.
  const now = { ...lost, about: { student: "Ada Obi" } };
  expect(await notificationsOf(esi)).toEqual([now]);
  await assign(esi, ada, esi);
  await assign(esi, ada, kofi, esi);
  expect(await notificationsOf(esi)).toEqual([now]);
});

test("only the assigned agent and admins may pass on or unassign a student", async () => {
  const ada = await newStudent();
  await assign(kofi, ada, kofi);
  for (const target of [yaw, null])
    expect(await assign(yaw, ada, target, kofi)).toMatchObject({ status: 403, code: "permission-denied" });
  expect(await agentOf(ada)).toBe(kofi.id);
  expect((await assign(kofi, ada, yaw, kofi)).status).toBe(200);
  expect((await assign(boss, ada, kofi, yaw)).status).toBe(200);
  expect((await assign(kofi, ada, null, kofi)).status).toBe(200);
  expect(await storedUser(w, ada.id)).toMatchObject({ assignedAgentId: null, assignedAt: null });
  expect((await notificationsOf(ada)).map(({ kind }) => kind)).toEqual(["agentLost"]);
});

test("forty changes within some minutes send one notification and one mail", async () => {
  const ada = await newStudent();
  // An admin does this, because agents can only take on 10 students an hour.
  for (let times = 0; times < 20; times++) {
    expect((await assign(boss, ada, kofi)).status).toBe(200);
    expect((await assign(boss, ada, null, kofi)).status).toBe(200);
  }
  const entries = await w.services.database.db
    .select({ kind: notification.kind, mailId: notification.mailId })
    .from(notification)
    .where(eq(notification.userId, ada.id));
  expect(entries).toEqual([{ kind: "agentLost", mailId: expect.any(String) }]);
  await w.mail(ada.email, /can no longer help you/);
  expect(w.log.filter(({ to }) => to === ada.email)).toHaveLength(1);
});

test("assigning a student's current agent again changes nothing and notifies nobody", async () => {
  const ada = await newStudent();
  await assign(boss, ada, kofi);
  expect((await assign(kofi, ada, kofi, kofi)).status).toBe(200);
  expect(await notificationsOf(ada)).toHaveLength(1);
});

test("only approved agents can be assigned, and only to students", async () => {
  const ada = await newStudent();
  const [pending, revoked, disabled] = await Promise.all([
    person(w, "agent", "pending"),
    person(w, "agent", "revoked"),
    person(w, "agent", "disabled"),
  ]);
  for (const target of [pending, revoked, disabled, boss, ada])
    expect((await assign(boss, ada, target)).code).toBe("failed-precondition");
  expect((await assign(boss, yaw, kofi)).code).toBe("not-found");
  expect(await agentOf(ada)).toBeNull();
});

test("one of several agents who take a student concurrently succeeds; the others get a conflict", async () => {
  const ada = await newStudent();
  const agents = await Promise.all(Array.from({ length: 6 }, () => person(w, "agent", "approved")));
  const answers = await Promise.all(agents.map((agent) => assign(agent, ada, agent)));
  const winners = agents.filter((_agent, at) => answers[at]?.status === 200);
  expect(winners.map(({ id }) => id)).toEqual([await agentOf(ada)]);
  expect(answers.filter(({ code }) => code === "failed-precondition")).toHaveLength(5);
  expect(await notificationsOf(ada)).toHaveLength(1);
});

test("an agent who is revoked while students are assigned to them ends up with none", async () => {
  for (let round = 0; round < 6; round++) {
    const agent = await person(w, "agent", "approved");
    const students = await Promise.all(Array.from({ length: 6 }, newStudent));
    const [revocation, ...answers] = await Promise.all([
      boss.caller.call("agents.revoke", { id: agent.id }),
      ...students.map((student) => assign(kofi, student, agent)),
    ]);
    expect(revocation.status).toBe(200);
    for (const { status, code } of answers) expect([200, 409], code ?? "").toContain(status);
    const rows = await w.services.database.db
      .select({ id: user.id })
      .from(user)
      .where(eq(user.assignedAgentId, agent.id));
    expect(rows).toEqual([]);
  }
});

test("identity fields reach the assigned agent and admins, each view is audited, and access ends with the assignment", async () => {
  const ada = await newStudent();
  const identity = {
    idNumber: "GHA-123",
    passportNumber: "P99",
    addressLine1: "1 High Street",
    city: "Accra",
  };
  await w.services.database.db.insert(profile).values({
    userId: ada.id,
    middleName: "Ama",
    citizenship: "GH",
    gender: "female",
    addressLine2: "",
    state: "",
    postalCode: "",
    dateOfBirth: "2001-02-03",
    ...identity,
  });
  const look = (who: Person) => who.caller.call("students.identity", { studentId: ada.id });
  await assign(kofi, ada, kofi);
  expect((await look(kofi)).body).toEqual({
    ...identity,
    middleName: "Ama",
    citizenship: "GH",
    gender: "female",
    dateOfBirth: "2001-02-03",
    passportExpiry: "",
    addressLine2: "",
    state: "",
    postalCode: "",
  });
  await giveReason(boss, ada.id);
  expect((await look(boss)).status).toBe(200);
  // Forbidden and missing students get the same answer.
  const refused = await look(yaw);
  expect(refused).toMatchObject({ status: 404, code: "not-found" });
  expect((await yaw.caller.call("students.identity", { studentId: "nobody" })).body).toEqual(refused.body);
  expect((await look(ada)).code).toBe("permission-denied");

  await assign(kofi, ada, yaw, kofi);
  expect((await look(kofi)).code).toBe("not-found");
  expect((await look(yaw)).status).toBe(200);
  const looks = await w.services.database.db
    .select({ actorId: audit.actorId })
    .from(audit)
    .where(and(eq(audit.subjectId, ada.id), eq(audit.action, "identity-viewed")))
    .orderBy(audit.id);
  expect(looks.map(({ actorId }) => actorId)).toEqual([kofi.id, boss.id, yaw.id]);
});

test("an agent whose rights end while the session is still cached sees and assigns nothing", async () => {
  const former = await person(w, "agent", "approved");
  const ada = await newStudent();
  await assign(former, ada, former);
  await former.caller.call("students.list");
  // The database changes directly here, as if the event had not arrived yet.
  await w.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, former.id));
  expect((await former.caller.call("students.identity", { studentId: ada.id })).code).toBe("not-found");
  expect((await assign(former, ada, kofi, former)).code).toBe("permission-denied");
  expect(await agentOf(ada)).toBe(former.id);
});
