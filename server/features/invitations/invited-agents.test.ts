import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const invite = ({ caller }: Person, email: string, more: object = {}) =>
  caller.call("invitations.sendToAgent", {
    firstName: "Kwame",
    lastName: "Boateng",
    email,
    message: "",
    agency: "Gold Coast Studies",
    country: "Ghana",
    ...more,
  });
const claim = (caller: Caller, token: string) =>
  caller.call("invitations.claim", {
    token,
    firstName: "Kwame",
    lastName: "Boateng",
    phone: "",
    password: goodPassword,
    confirmPassword: goodPassword,
  });
async function tokenFor(email: string): Promise<string> {
  const mail = await until(() => w.log.findLast(({ to, link }) => to === email && link?.includes("token=")));
  return new URL(mail.link ?? "").searchParams.get("token") ?? "";
}
const accountOf = async (email: string) =>
  (await w.services.database.db.select().from(user).where(eq(user.email, email)))[0];

test("an invited agent is approved by the inviter as soon as they accept, with the agency of the invitation", async () => {
  const email = freshEmail("kwame");
  expect((await invite(boss, email)).status).toBe(200);
  const token = await tokenFor(email);
  const invited = new Caller(w.app);
  expect(await invited.api.invitations.look({ token })).toMatchObject({
    role: "agent",
    agency: "Gold Coast Studies",
    country: "Ghana",
    account: "new",
  });
  expect((await claim(invited, token)).status).toBe(200);
  const account = await accountOf(email);
  expect(account).toMatchObject({
    role: "agent",
    status: "approved",
    agency: "Gold Coast Studies",
    approvedBy: boss.id,
    emailVerified: true,
  });
  // The session that was opened by accepting works as an approved agent's.
  expect((await invited.call("students.list", {})).status).toBe(200);
  const approvals = await w.services.database.db
    .select({ actorId: audit.actorId })
    .from(audit)
    .where(and(eq(audit.action, "agent-approved"), eq(audit.subjectId, account?.id ?? "")));
  expect(approvals).toEqual([{ actorId: boss.id }]);
  const notifications = await w.services.database.db
    .select()
    .from(notification)
    .where(and(eq(notification.kind, "agentApplied"), eq(notification.userId, boss.id)));
  expect(notifications, "nobody is asked to approve them").toEqual([]);
  expect((await claim(new Caller(w.app), token)).code).toBe("auth/invalid-action-code");
});

test("only admins can invite agents, and an invitation needs an agency and a country", async () => {
  const agent = await person(w, "agent", "approved");
  expect((await invite(agent, freshEmail())).code).toBe("permission-denied");
  for (const field of ["agency", "country", "firstName"])
    expect((await invite(boss, freshEmail(), { [field]: " " })).code).toBe("form/incomplete");
});

test("a pending agent accepts with their own account", async () => {
  const pending = await person(w, "agent", "pending");
  await w.services.database.db.update(user).set({ emailVerified: false }).where(eq(user.id, pending.id));
  await invite(boss, pending.email);
  const token = await tokenFor(pending.email);
  expect((await new Caller(w.app).api.invitations.look({ token })).account).toBe("yours");
  const other = await person(w, "agent", "pending");
  expect((await other.caller.call("invitations.accept", { token })).code).toBe("permission-denied");
  expect((await pending.caller.call("invitations.accept", { token })).status).toBe(200);
  expect(await accountOf(pending.email)).toMatchObject({
    status: "approved",
    emailVerified: true,
    approvedBy: boss.id,
  });
});

test("accounts that can't become agents get no mail, and look to the inviter like an address that never answers", async () => {
  const people = [
    await person(w, "student", "active"),
    await person(w, "agent", "approved"),
    await person(w, "agent", "revoked"),
    boss,
  ];
  const nobody = freshEmail("nobody");
  for (const { email } of people) expect((await invite(boss, email)).status).toBe(200);
  expect((await invite(boss, nobody)).status).toBe(200);
  await tokenFor(nobody);
  for (const { email } of people) expect(w.log.filter(({ to }) => to === email)).toEqual([]);
  const { invitations } = await boss.caller.api.invitations.list({});
  const emails = new Set([nobody, ...people.map(({ email }) => email)]);
  const rows = invitations
    .filter(({ email }) => emails.has(email))
    .map(({ role, agency, state, endedAt }) => ({ role, agency, state, endedAt }));
  expect(rows).toHaveLength(5);
  expect(new Set(rows.map((each) => JSON.stringify(each))).size).toBe(1);
});

test("the invitation of a former admin creates no agent", async () => {
  const former = await person(w, "admin", "active");
  const email = freshEmail("late");
  await invite(former, email);
  const token = await tokenFor(email);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, former.id));
  expect((await claim(new Caller(w.app), token)).code).toBe("auth/invalid-action-code");
  expect(await accountOf(email)).toBeUndefined();
});
