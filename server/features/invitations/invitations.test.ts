import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user, verification } from "#server/features/account/tables.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { assign } from "#tests/support/documents.ts";
import { freshEmail, goodPassword, type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { notification } from "../notifications/tables.ts";
import { tidyInvitations } from "./commands.ts";
import { invitation } from "./tables.ts";

let w: Wayfare;
let other: Wayfare;
let kofi: Person;
beforeAll(async () => {
  w = await wayfare();
  other = await wayfare({ on: w.address });
  kofi = await person(w, "agent", "approved");
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

const send = ({ caller }: Person, email: string, more: object = {}) =>
  caller.call("invitations.send", {
    firstName: "Efua",
    lastName: "Owusu",
    email,
    message: "Hello!",
    ...more,
  });
const listOf = async ({ caller }: Person) => (await caller.api.invitations.list({})).invitations;
const claim = (token: string, on = w) =>
  new Caller(on.app).call("invitations.claim", {
    token,
    firstName: "Efua",
    lastName: "Owusu",
    password: goodPassword,
    confirmPassword: goodPassword,
  });

/** Returns the log lines of mails that either node has sent to an address; both process the queue. */
const mailsTo = (email: string) => [...w.log, ...other.log].filter(({ to }) => to === email);
async function tokenFor(email: string, subject = /invites you|asks to guide you/): Promise<string> {
  const mail = await until(() => mailsTo(email).findLast((line) => subject.test(line.subject ?? "")));
  return new URL(mail.link ?? "").searchParams.get("token") ?? "";
}
const accountOf = async (email: string) =>
  (await w.services.database.db.select().from(user).where(eq(user.email, email)))[0];

test("claiming an invitation creates a verified account with the inviter as its agent, and its link works once", async () => {
  const email = freshEmail("efua");
  expect((await send(kofi, email)).status).toBe(200);
  const token = await tokenFor(email);
  const json = JSON.stringify(await w.services.database.db.select().from(verification));
  expect(json).not.toContain(token);
  expect(await accountOf(email)).toBeUndefined();
  const offer = await new Caller(w.app).api.invitations.look({ token });
  expect(offer).toMatchObject({
    account: "new",
    email,
    message: "Hello!",
    inviter: { agency: "North Star" },
  });
  const answers = await Promise.all([claim(token), claim(token, other)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await accountOf(email)).toMatchObject({
    emailVerified: true,
    assignedAgentId: kofi.id,
    role: "student",
  });
  expect((await claim(token)).code).toBe("auth/invalid-action-code");
  expect((await listOf(kofi)).find((each) => each.email === email)?.state).toBe("claimed");
});

test("an address with an account and one without look alike to the inviter, from the invitation to the answer", async () => {
  const student = await person(w, "student", "active");
  const emails = [freshEmail("new"), student.email];
  const views = async () =>
    (await listOf(kofi))
      .filter(({ email }) => emails.includes(email))
      .map(({ id: _id, email: _email, sentAt: _sent, expiresAt: _expires, endedAt, ...rest }) => ({
        ...rest,
        hasEnded: endedAt !== null,
      }));
  const answers = [];
  for (const email of emails) answers.push(await send(kofi, email));
  expect(answers.map(({ status, body }) => [status, Object.keys(Object(body))])).toEqual([
    [200, ["id"]],
    [200, ["id"]],
  ]);
  const [first, second] = await views();
  expect(first).toEqual(second);
  const [newToken, studentToken] = [
    await tokenFor(emails[0] ?? ""),
    await tokenFor(student.email, /asks to guide you/),
  ];
  expect((await new Caller(w.app).api.invitations.look({ token: studentToken })).account).toBe("yours");
  // An existing account must be logged in to answer, and no other account can.
  expect((await new Caller(w.app).call("invitations.accept", { token: studentToken })).code).toBe(
    "unauthenticated",
  );
  const stranger = await person(w, "student", "active");
  expect((await stranger.caller.call("invitations.accept", { token: studentToken })).code).toBe(
    "permission-denied",
  );
  expect((await student.caller.call("invitations.accept", { token: studentToken })).status).toBe(200);
  expect((await claim(newToken)).status).toBe(200);
  expect((await accountOf(student.email))?.assignedAgentId).toBe(kofi.id);
  const [one, two] = await views();
  expect(one).toEqual(two);
  expect(one).toMatchObject({ state: "claimed", hasEnded: true });
});

test("accounts that can't accept get no mail, and look like an address that never answers", async () => {
  const people = [
    await person(w, "agent", "approved"),
    await person(w, "admin", "active"),
    await person(w, "student", "disabled"),
    await person(w, "agent", "revoked"),
  ];
  for (const { email } of people) expect((await send(kofi, email)).status).toBe(200);
  const last = freshEmail("last");
  await send(kofi, last);
  await tokenFor(last);
  for (const { email } of people) {
    expect((await listOf(kofi)).find((each) => each.email === email)?.state).toBe("invited");
    expect(mailsTo(email)).toEqual([]);
  }
});

test("a student who has another agent keeps that agent, and can only decline", async () => {
  const [student, esi] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  await assign(w, student.id, esi.id);
  await send(kofi, student.email);
  const token = await tokenFor(student.email);
  expect((await student.caller.api.invitations.look({ token })).account).toBe("taken");
  expect((await student.caller.call("invitations.accept", { token })).code).toBe("failed-precondition");
  expect((await accountOf(student.email))?.assignedAgentId).toBe(esi.id);
});

test("a declined invitation creates no account, and the inviter can't invite that address again", async () => {
  const email = freshEmail("no");
  await send(kofi, email);
  const token = await tokenFor(email);
  expect((await new Caller(w.app).call("invitations.decline", { token })).status).toBe(200);
  expect(await accountOf(email)).toBeUndefined();
  expect((await claim(token)).code).toBe("auth/invalid-action-code");
  expect((await send(kofi, email.toUpperCase())).code).toBe("failed-precondition");
  const declined = (await listOf(kofi)).find((each) => each.email === email);
  expect((await kofi.caller.call("invitations.sendAgain", { id: declined?.id })).code).toBe(
    "failed-precondition",
  );
  // The rule outlasts the row's other content, and others may still invite.
  await tidyInvitations(w.services, new Date(Date.now() + 400 * 24 * 3_600_000));
  expect((await send(kofi, email)).code).toBe("failed-precondition");
  const esi = await person(w, "agent", "approved");
  expect((await send(esi, email)).status).toBe(200);
});

test("deletes an invitation 90 days after it was withdrawn, and an open one 90 days after it expired", async () => {
  const [withdrawn, open] = [freshEmail("withdrawn"), freshEmail("open")];
  const esi = await person(w, "agent", "approved");
  for (const email of [withdrawn, open]) await send(esi, email);
  const id = (await listOf(esi)).find(({ email }) => email === withdrawn)?.id;
  await esi.caller.call("invitations.withdraw", { id });
  const emailsAfter = async (days: number) => {
    await tidyInvitations(w.services, new Date(Date.now() + days * 24 * 3_600_000));
    return (await listOf(esi)).map(({ email }) => email).toSorted();
  };
  expect(await emailsAfter(89)).toEqual([open, withdrawn].toSorted());
  expect(await emailsAfter(91)).toEqual([open]);
  expect(await emailsAfter(110)).toEqual([]);
});

test("an inviter can have one open invitation to an address, and does not learn of others' invitations", async () => {
  const email = freshEmail("once");
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(kofi, email)));
  expect(answers.filter(({ code }) => code === "already-exists")).toHaveLength(4);
  const esi = await person(w, "agent", "approved");
  expect((await send(esi, email)).status).toBe(200);
  expect((await listOf(esi)).map((each) => each.email)).toEqual([email]);
  const id = textIn(answers.find(({ status }) => status === 200)?.body, "id");
  expect((await esi.caller.call("invitations.withdraw", { id })).code).toBe("not-found");
});

test("a withdrawn or expired invitation can't be answered until it is sent again", async () => {
  const [gone, late] = [freshEmail("gone"), freshEmail("late")];
  for (const email of [gone, late]) await send(kofi, email);
  const [goneToken, lateToken] = [await tokenFor(gone), await tokenFor(late)];
  const idOf = async (email: string) => (await listOf(kofi)).find((each) => each.email === email)?.id;
  expect((await kofi.caller.call("invitations.withdraw", { id: await idOf(gone) })).status).toBe(200);
  expect((await claim(goneToken)).code).toBe("auth/invalid-action-code");
  await w.services.database.db
    .update(invitation)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(invitation.email, late));
  expect((await claim(lateToken)).code).toBe("auth/invalid-action-code");
  expect((await kofi.caller.call("invitations.sendAgain", { id: await idOf(late) })).status).toBe(200);
  expect((await claim(lateToken)).status).toBe(200);
});

test("an invitation is mailed immediately, with reminders on days 3 and 10", async () => {
  const email = freshEmail("patient");
  const id = textIn((await send(kofi, email)).body, "id");
  const { rows } = await w.services.database.pool.query(
    `select data->'data'->'isReminder' as reminds, extract(epoch from start_after - created_on)::int as seconds
     from jobs.job where data->'data'->>'invitationId' = $1 order by start_after`,
    [id],
  );
  const day = 24 * 3_600;
  expect(rows).toEqual([
    { reminds: false, seconds: 0 },
    { reminds: true, seconds: 3 * day },
    { reminds: true, seconds: 10 * day },
  ]);
});

test("two nodes send each reminder once, and none after an answer", async () => {
  const [open, answered] = [freshEmail("open"), freshEmail("answered")];
  for (const email of [open, answered]) await send(kofi, email);
  const token = await tokenFor(answered);
  await tokenFor(open);
  expect((await claim(token)).status).toBe(200);
  await Promise.all([w.mailsAreDue(), other.mailsAreDue()]);
  await until(() => mailsTo(open).filter(({ subject }) => subject?.startsWith("Reminder")).length === 2);
  // Mails are sent in the order in which they are due, so this one comes after the reminders.
  const last = freshEmail("last");
  await send(kofi, last);
  await tokenFor(last);
  expect(mailsTo(open)).toHaveLength(3);
  expect(mailsTo(answered).filter(({ subject }) => /invites|Reminder/.test(subject ?? ""))).toHaveLength(1);
});

test("an inviter who lost access can't be answered", async () => {
  const [esi, email] = [await person(w, "agent", "approved"), freshEmail("orphan")];
  await send(esi, email);
  const token = await tokenFor(email);
  await w.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, esi.id));
  expect((await claim(token)).code).toBe("auth/invalid-action-code");
  expect(await accountOf(email)).toBeUndefined();
});

test("an agent can send a hundred invitations a day, and a mailbox gets at most three from all agents", async () => {
  const esi = await person(w, "agent", "approved");
  for (let invitations = 0; invitations < 100; invitations++) await w.services.limits.invitation(esi.id);
  const refused = await send(esi, freshEmail());
  expect(refused).toMatchObject({ code: "resource-exhausted" });
  const email = freshEmail("popular");
  const agents = await Promise.all(Array.from({ length: 5 }, () => person(w, "agent", "approved")));
  for (const agent of agents) expect((await send(agent, email)).status).toBe(200);
  const last = freshEmail("last");
  await send(kofi, last);
  await tokenFor(last);
  await until(() => mailsTo(email).length >= 3);
  expect(mailsTo(email)).toHaveLength(3);
});

test("a student whom an admin invited has no agent, and an admin sees everyone's invitations", async () => {
  const boss = await person(w, "admin", "active");
  const email = freshEmail("boss");
  await send(boss, email);
  expect((await claim(await tokenFor(email))).status).toBe(200);
  expect((await accountOf(email))?.assignedAgentId).toBeNull();
  const notifications = await w.services.database.db
    .select({ kind: notification.kind, about: notification.about })
    .from(notification)
    .where(eq(notification.userId, boss.id));
  expect(notifications).toEqual([{ kind: "invitationClaimed", about: { person: "Efua Owusu" } }]);
  const all = await listOf(boss);
  expect(all.some(({ by }) => by === "Ada Obi")).toBe(true);
  const own = and(eq(invitation.email, email), eq(invitation.inviterId, boss.id));
  expect(await w.services.database.db.$count(invitation, own)).toBe(1);
});
