import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { submit } from "#tests/support/applications.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { adminCommand } from "../../admin/command-line.ts";
import { carryOutRetention } from "./carry-out.ts";

const day = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);
const inDays = (days: number) => daysAgo(-days);

let w: Wayfare;
let boss: Person;
const variables = {
  RETAIN_DENIED_AGENTS_DAYS: "100",
  RETAIN_WITHDRAWN_STUDENTS_DAYS: "365",
  RETAIN_NOTIFICATIONS_DAYS: "200",
  RETAIN_AUDIT_DAYS: "400",
};
beforeEach(async () => {
  w = await wayfare({ variables });
  boss = await person(w, "admin", "active");
});
afterEach(() => w.stop());

async function unusedStudent(days: number): Promise<Person> {
  const student = await person(w, "student", "active");
  await w.services.database.db
    .update(user)
    .set({ lastLoginAt: daysAgo(days) })
    .where(eq(user.id, student.id));
  return student;
}
const setApplicationState = (who: Person, state: "withdrawn" | "submitted") =>
  w.services.database.db.update(application).set({ state }).where(eq(application.studentId, who.id));
const dueOf = async ({ id }: Person) => (await storedUser(w, id))?.deletionDueAt;
const login = ({ email }: Person) =>
  new Caller(w.app).call("account.signIn", { email, password: goodPassword });
const rules = async () => {
  const { rules } = await boss.caller.api.retention.rules();
  return Object.fromEntries(rules.map(({ rule, ...rest }) => [rule, rest]));
};
const list = async (rule: string, cursor?: string) => {
  const { body, status } = await boss.caller.call("retention.list", { rule, cursor });
  expect(status).toBe(200);
  return body as { entries: { id: string; at: string; who: string }[]; next: string | null };
};

test("an inactive student is warned 14 days before, and erased without a login", async () => {
  const [gone, back] = [await unusedStudent(400), await unusedStudent(400)];
  const soon = await unusedStudent(355);
  const used = await unusedStudent(340);
  await submit(gone);
  await setApplicationState(gone, "withdrawn");
  await carryOutRetention(w.services);
  for (const student of [gone, back, soon]) {
    const due = await dueOf(student);
    expect(due?.getTime()).toBeGreaterThan(inDays(14).getTime() - day / 2);
    const mail = await w.mail(student.email, /still need your Wayfare account/);
    expect(mail.link).toContain("/login");
  }
  expect(await dueOf(used)).toBeNull();
  // A second run changes nothing.
  await carryOutRetention(w.services);
  const announcement = and(eq(audit.subjectId, gone.id), eq(audit.action, "deletion-announced"));
  expect(await w.services.database.db.select().from(audit).where(announcement)).toHaveLength(1);
  expect(await storedUser(w, gone.id)).toBeDefined();

  expect((await login(back)).status).toBe(200);
  expect(await dueOf(back)).toBeNull();
  await w.asOwner(
    `update "user" set deletion_due_at = deletion_due_at - interval '15 days' where id <> '${soon.id}'`,
  );
  await carryOutRetention(w.services);
  expect(await storedUser(w, gone.id)).toBeUndefined();
  expect(await storedUser(w, soon.id)).toBeDefined();
  for (const student of [back, used])
    expect(await storedUser(w, student.id)).toMatchObject({ status: "active" });
});

test("a student with an open application, an agent, an admin and a disabled account are kept", async () => {
  const applying = await unusedStudent(4000);
  await submit(applying);
  const others = [await person(w, "agent", "approved"), await person(w, "student", "disabled"), boss];
  await w.services.database.db.update(user).set({ lastLoginAt: daysAgo(4000) });
  for (const now of [new Date(), inDays(15), inDays(1000)]) await carryOutRetention(w.services, now);
  for (const { id } of [applying, ...others])
    expect(await storedUser(w, id)).toMatchObject({ deletionDueAt: null });
});

test("a warned student is kept when an application is reopened in the meantime", async () => {
  const student = await unusedStudent(400);
  await submit(student);
  await setApplicationState(student, "withdrawn");
  await carryOutRetention(w.services);
  expect(await dueOf(student)).toBeInstanceOf(Date);
  await setApplicationState(student, "submitted");
  await carryOutRetention(w.services, inDays(20));
  expect(await dueOf(student)).toBeNull();
});

test("denied agents' addresses and notifications are deleted after their period, and not before", async () => {
  const { db } = w.services.database;
  const denied = (id: string, days: number) => ({
    id,
    email: `${id}@example.org`,
    password: "",
    deniedBy: boss.id,
    deniedAt: daysAgo(days),
  });
  await db.insert(deniedAgent).values([denied("old", 101), denied("young", 99)]);
  const entry = (eventKey: string, days: number) => ({
    userId: boss.id,
    kind: "auctionLost" as const,
    eventKey,
    about: {},
    path: "/",
    createdAt: daysAgo(days),
  });
  await db.insert(notification).values(Array.from({ length: 1201 }, (_, at) => entry(`old ${at}`, 201)));
  await db.insert(notification).values(entry("young", 199));
  await db.insert(audit).values({ action: "sign-in", at: daysAgo(380) });
  expect(await rules()).toEqual({
    deletionAsked: { days: null, due: 0, soon: 0 },
    withdrawnStudents: { days: 365, due: 0, soon: 0 },
    deniedAgents: { days: 100, due: 1, soon: 2 },
    notifications: { days: 200, due: 1201, soon: 1202 },
    auditLog: { days: 400, due: 0, soon: 1 },
  });
  const { entries } = await list("notifications");
  expect(entries).toMatchObject([{ id: boss.id, who: boss.email, count: 1202 }]);
  await carryOutRetention(w.services);
  expect((await db.select().from(deniedAgent)).map(({ id }) => id)).toEqual(["young"]);
  expect((await db.select().from(notification)).map(({ eventKey }) => eventKey)).toEqual(["young"]);
});

test("the admin pages and the command line show in advance who will be removed and when", async () => {
  const leaver = await person(w, "student", "active");
  await leaver.caller.call("account.requestDeletion");
  const warnedStudent = await unusedStudent(400);
  await carryOutRetention(w.services);
  const unwarnedStudent = await unusedStudent(380);
  await unusedStudent(320);
  expect(await rules()).toMatchObject({
    deletionAsked: { due: 0, soon: 1 },
    withdrawnStudents: { due: 0, soon: 2 },
  });
  expect((await list("deletionAsked")).entries).toMatchObject([{ id: leaver.id, who: leaver.email }]);
  const students = (await list("withdrawnStudents")).entries;
  expect(students.map(({ who }) => who)).toEqual([warnedStudent.email, unwarnedStudent.email]);
  expect(students.map(({ at }) => Date.parse(at))[0]).toBe((await dueOf(warnedStudent))?.getTime());

  const number = adminRowsPerPage + 3;
  await w.services.database.db.insert(deniedAgent).values(
    Array.from({ length: number }, (_, at) => ({
      id: `d${at}`,
      email: `d${at}@example.org`,
      password: "",
      deniedBy: boss.id,
      // Two of them share each timestamp.
      deniedAt: daysAgo(99 - Math.floor(at / 2) * 0.1),
    })),
  );
  const first = await list("deniedAgents");
  const second = await list("deniedAgents", first.next ?? "");
  expect(second.next).toBeNull();
  const all = [...first.entries, ...second.entries];
  expect(new Set(all.map(({ id }) => id)).size).toBe(number);
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());

  let output = "";
  const write = (text: string) => void (output += text);
  await adminCommand(w.services, ["retention"], write);
  expect(output).toMatch(/deletionAsked +always +0 tonight +1 within 30 days\n/);
  expect(output).toMatch(/withdrawnStudents +after 365 days +0 tonight +2 within 30 days\n/);
  output = "";
  await adminCommand(w.services, ["retention", "deniedAgents"], write);
  expect(output.trim().split("\n")).toHaveLength(number);
  await expect(adminCommand(w.services, ["retention", "nothing"], write)).rejects.toThrow(/no rule/);
});

test("data without a configured period is kept, and warnings of a disabled period are withdrawn", async () => {
  const student = await unusedStudent(4000);
  await carryOutRetention(w.services);
  expect(await dueOf(student)).toBeInstanceOf(Date);
  const off = {
    ...w.services,
    environment: {
      ...w.environment,
      retention: { deniedAgents: null, withdrawnStudents: null, notifications: null },
    },
  };
  await w.services.database.db
    .insert(deniedAgent)
    .values({ id: "d", email: "d@e.org", password: "", deniedBy: "x", deniedAt: daysAgo(9000) });
  await carryOutRetention(off, inDays(100));
  expect(await storedUser(w, student.id)).toMatchObject({ deletionDueAt: null });
  expect(await w.services.database.db.select().from(deniedAgent)).toHaveLength(1);
});
