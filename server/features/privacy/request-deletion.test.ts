import { and, desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { bid, product, storedProduct } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { assignedStudent } from "#tests/support/documents.ts";
import { goodPassword, type Person, person, signIn, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { notification } from "../notifications/tables.ts";
import { eraseDueAccounts } from "./erase-account.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const day = 24 * 3_600_000;
const requestDeletion = (who: Person) => who.caller.call("account.requestDeletion");
const login = async (who: Person, password = goodPassword) =>
  (await new Caller(w.app).call("account.signIn", { email: who.email, password })).code;
const actionsOf = async ({ id }: Person) =>
  (
    await w.services.database.db.select().from(audit).where(eq(audit.subjectId, id)).orderBy(desc(audit.id))
  ).map(({ action }) => action);

test("the account is closed immediately: sessions end, items go off sale, and a mail gives the date of deletion", async () => {
  const student = await person(w, "student", "active");
  const elsewhere = new Caller(w.app);
  await signIn(w, elsewhere, student.id);
  expect((await elsewhere.call("notifications.list")).status).toBe(200);
  const item = await product(w, student);
  const bidder = await person(w, "student", "active");
  expect((await bid(bidder.caller, item, 500)).status).toBe(200);

  const answer = await requestDeletion(student);
  expect(answer.status).toBe(200);
  const account = await storedUser(w, student.id);
  expect(account).toMatchObject({ status: "leaving", disabledBy: student.id });
  expect(account?.deletionDueAt?.getTime()).toBe((account?.disabledAt?.getTime() ?? 0) + 7 * day);
  expect(student.caller.cookies.size).toBe(0);
  for (const caller of [student.caller, elsewhere])
    expect((await caller.call("notifications.list")).code).toBe("unauthenticated");
  expect(await storedProduct(w, item)).toMatchObject({ state: "removed", removedBy: "withdrawn" });
  const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const mail = await w.mail(student.email, /^Your account will be deleted on /);
  expect(mail.subject).toContain(dateFormat.format(account?.deletionDueAt ?? 0));
  expect(mail.link).toContain("/login");
  expect(await actionsOf(student)).toContain("deletion-asked");
  // The account is not due yet, so nothing tries to erase it.
  await eraseDueAccounts(w.services);
  expect(w.log.filter(({ msg }) => msg === "an account could not be erased")).toEqual([]);
  expect(await storedUser(w, student.id)).toBeDefined();
});

test("a login restores the account and sends a notification and a mail; a wrong password does not", async () => {
  const student = await person(w, "student", "active");
  await requestDeletion(student);
  expect(await login(student, "not this one")).toBe("auth/invalid-credential");
  expect(await storedUser(w, student.id)).toMatchObject({ status: "leaving" });
  expect(await login(student)).toBeNull();
  expect(await storedUser(w, student.id)).toMatchObject({
    status: "active",
    deletionDueAt: null,
    disabledAt: null,
    disabledBy: null,
  });
  expect(await actionsOf(student)).toContain("deletion-cancelled");
  await w.mail(student.email, /^Your account is kept$/);
  const condition = and(eq(notification.userId, student.id), eq(notification.kind, "accountKept"));
  expect(await w.services.database.db.select().from(notification).where(condition)).toHaveLength(1);
  await eraseDueAccounts(w.services);
  expect(await storedUser(w, student.id)).toBeDefined();
  // A later login does not notify again.
  expect(await login(student)).toBeNull();
  expect(await w.services.database.db.select().from(notification).where(condition)).toHaveLength(1);
});

test.each(["pending", "approved"] as const)(
  "a login restores the status of an agent who was %s",
  async (status) => {
    const agent = await person(w, "agent", status);
    if (status === "approved")
      await w.services.database.db.update(user).set({ approvedAt: new Date() }).where(eq(user.id, agent.id));
    await requestDeletion(agent);
    expect(await login(agent)).toBeNull();
    expect(await storedUser(w, agent.id)).toMatchObject({ status });
  },
);

test("an agent's students stay for the seven days", async () => {
  const { student, agent } = await assignedStudent(w);
  await w.services.database.db.update(user).set({ approvedAt: new Date() }).where(eq(user.id, agent.id));
  await requestDeletion(agent);
  await login(agent);
  expect(await storedUser(w, student.id)).toMatchObject({ assignedAgentId: agent.id });
});

describe("refused", () => {
  test.each(["requestDeletion", "dataLink"])("without a recent login: %s", async (procedure) => {
    const student = await person(w, "student", "active");
    await w.services.database.db
      .update(session)
      .set({ provedAt: new Date(Date.now() - 3_600_000) })
      .where(eq(session.userId, student.id));
    w.services.sessions.evict({ userId: student.id, ended: false });
    expect((await student.caller.call(`account.${procedure}`)).code).toBe("auth/requires-recent-login");
    expect(await storedUser(w, student.id)).toMatchObject({ status: "active" });
  });

  test("for an admin, because the configuration names admins", async () => {
    const boss = await person(w, "admin", "active");
    const answer = await requestDeletion(boss);
    expect(answer).toMatchObject({ code: "failed-precondition" });
    expect(answer.message).toContain("ADMIN_EMAILS");
    expect(await storedUser(w, boss.id)).toMatchObject({ status: "active", deletionDueAt: null });
  });

  test("a login of a student whom an admin disabled", async () => {
    const [boss, student] = [await person(w, "admin", "active"), await person(w, "student", "active")];
    await boss.caller.call("students.setDisabled", { userId: student.id, disabled: true });
    expect(await login(student)).toBe("auth/user-disabled");
  });
});
