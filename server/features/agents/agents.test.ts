import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentTab, decisionReasonLimit } from "#domain/agent-approval.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person, signUpForm, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { writtenMails } from "#tests/support/written-mails.ts";
import { deniedAgent, user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const decide = (action: string, id: string, reason?: string) =>
  boss.caller.call(`agents.${action}`, { id, ...(reason !== undefined && { reason }) });
const unverify = (agent: Person) =>
  w.services.database.db.update(user).set({ emailVerified: false }).where(eq(user.id, agent.id));
/** Returns a mail's text from the folder that mails are written to. */
async function textOf(subject: RegExp, { email }: Person): Promise<string> {
  await w.mail(email, subject);
  const mails = await writtenMails(w.environment.dataDir);
  const mail = mails.findLast((mail) => mail.includes(`To: ${email}`) && subject.test(mail)) ?? "";
  return mail.replaceAll("=\r\n", "").replaceAll("\r\n", "\n");
}
const me = (who: Person) => who.caller.call("account.me");
const auditOf = async (id: string) =>
  (await w.services.database.db.select().from(audit).where(eq(audit.subjectId, id)).orderBy(audit.id)).map(
    ({ action, actorId }) => `${action} by ${actorId === boss.id ? "boss" : actorId}`,
  );
const agentsOf = async (tab: AgentTab) => (await boss.caller.api.agents.list({ tab })).agents;

describe("approve", () => {
  test("a pending agent is approved, gets a mail, and keeps the same session", async () => {
    const agent = await person(w, "agent", "pending");
    expect((await decide("approve", agent.id)).status).toBe(200);
    expect((await me(agent)).body).toMatchObject({ viewer: { status: "approved" } });
    expect(await storedUser(w, agent.id)).toMatchObject({
      approvedBy: boss.id,
      approvedAt: expect.any(Date),
    });
    expect(await auditOf(agent.id)).toEqual(["agent-approved by boss"]);
    await w.mail(agent.email, /approved/);
    expect(await agentsOf("approved")).toContainEqual(
      expect.objectContaining({ id: agent.id, kind: "approved", agency: "North Star", by: boss.email }),
    );
  });

  test("a revoked agent is approved again", async () => {
    const agent = await person(w, "agent", "revoked");
    expect((await decide("approve", agent.id)).status).toBe(200);
    expect(await storedUser(w, agent.id)).toMatchObject({
      status: "approved",
      revokedAt: null,
      revokedBy: null,
    });
  });
});

describe("an agent whose address isn't verified", () => {
  test.each(["pending", "revoked"] as const)("%s, can't be approved until it is", async (status) => {
    const agent = await person(w, "agent", status);
    await unverify(agent);
    expect(await decide("approve", agent.id)).toMatchObject({
      status: 409,
      code: "agent/unverified",
      message: "An agent can only be approved once their email address is verified.",
    });
    expect(await storedUser(w, agent.id)).toMatchObject({ status, approvedAt: null });
    await w.services.database.db.update(user).set({ emailVerified: true }).where(eq(user.id, agent.id));
    expect((await decide("approve", agent.id)).status).toBe(200);
  });

  test("is mailed the link again, five times an hour at most", async () => {
    const agent = await person(w, "agent", "pending");
    await unverify(agent);
    const resend = (id: string) => boss.caller.call("agents.resendVerification", { id });
    const answers = [];
    for (let round = 0; round < 6; round++) answers.push(await resend(agent.id));
    expect(answers.map(({ code }) => code)).toEqual([...Array(5).fill(null), "resource-exhausted"]);
    const { link = "" } = await w.mail(agent.email, /verify/);
    const token = new URL(link).searchParams.get("token");
    expect((await agent.caller.call("account.verifyEmail", { token })).status).toBe(200);
    expect((await decide("approve", agent.id)).status).toBe(200);
    const student = await person(w, "student", "active");
    expect((await resend(student.id)).code).toBe("not-found");
  });
});

describe("the card", () => {
  test("shows the details to check, and how many students the agent has", async () => {
    const agent = await person(w, "agent", "pending");
    await unverify(agent);
    const { db } = w.services.database;
    await db.update(user).set({ phone: "+233 20 1", country: "GH" }).where(eq(user.id, agent.id));
    const card = async (tab: AgentTab) => (await agentsOf(tab)).find(({ id }) => id === agent.id);
    expect(await card("pending")).toMatchObject({
      phone: "+233 20 1",
      country: "GH",
      emailVerified: false,
      students: 0,
    });
    await db
      .update(user)
      .set({ emailVerified: true, status: "approved", approvedAt: null })
      .where(eq(user.id, agent.id));
    const ada = await person(w, "student", "active");
    await db.update(user).set({ assignedAgentId: agent.id }).where(eq(user.id, ada.id));
    // The date of approval is unknown, and the sign-up date must not be shown instead.
    expect(await card("approved")).toMatchObject({ emailVerified: true, students: 1, date: null });
  });
});

describe("a reason", () => {
  test.each([
    ["deny", "pending", /agent application/],
    ["revoke", "approved", /revoked/],
  ] as const)("for %s is mailed, and left out if it is blank", async (action, status, subject) => {
    const [agent, other] = [await person(w, "agent", status), await person(w, "agent", status)];
    const [reason, none] = ["Your licence has expired.", "  "];
    expect((await decide(action, agent.id, reason)).status).toBe(200);
    expect((await decide(action, other.id, none)).status).toBe(200);
    expect(await textOf(subject, agent)).toContain(`Reason: ${reason}`);
    expect(await textOf(subject, other)).not.toContain("Reason");
  });

  test("that is too long is refused with an error at its field", async () => {
    const agent = await person(w, "agent", "pending");
    const answer = await decide("deny", agent.id, "x".repeat(decisionReasonLimit + 1));
    expect(answer).toMatchObject({ code: "form/incomplete", body: { data: { field: "reason" } } });
    expect(await storedUser(w, agent.id)).toMatchObject({ status: "pending" });
  });
});

describe("deny", () => {
  test("deletes the personal record, keeps a tombstone, and signs out immediately", async () => {
    const agent = await person(w, "agent", "pending");
    expect((await decide("deny", agent.id)).status).toBe(200);
    expect(await storedUser(w, agent.id)).toBeUndefined();
    expect((await me(agent)).body).toEqual({ viewer: null });
    const [tombstone] = await w.services.database.db
      .select()
      .from(deniedAgent)
      .where(eq(deniedAgent.id, agent.id));
    expect(tombstone).toMatchObject({ email: agent.email, deniedBy: boss.id });
    expect(Object.keys(tombstone ?? {}).toSorted()).toEqual([
      "deniedAt",
      "deniedBy",
      "email",
      "id",
      "password",
    ]);
    await w.mail(agent.email, /application/);
    const again = new Caller(w.app);
    const login = await again.call("account.signIn", { email: agent.email, password: goodPassword });
    expect(login.code).toBe("account/denied");
    const signUpAgain = await again.call("account.signUp", signUpForm({ email: agent.email }));
    expect(signUpAgain.code).toBe("auth/email-already-in-use");
    expect(await agentsOf("former")).toContainEqual(
      expect.objectContaining({ id: agent.id, kind: "denied", name: "", by: boss.email }),
    );
  });

  test("allows the address to sign up again once lifted", async () => {
    const agent = await person(w, "agent", "pending");
    await decide("deny", agent.id);
    expect((await decide("liftDenial", agent.id)).status).toBe(200);
    expect((await decide("liftDenial", agent.id)).code).toBe("not-found");
    const signUpAgain = await new Caller(w.app).call(
      "account.signUp",
      signUpForm({ role: "agent", email: agent.email }),
    );
    expect(signUpAgain.status).toBe(200);
    expect(await auditOf(agent.id)).toEqual(["agent-denied by boss", "denial-lifted by boss"]);
  });

  test("refuses a concurrent sign-up", async () => {
    for (let round = 0; round < 8; round++) {
      const agent = await person(w, "agent", "pending");
      const [denial, signUp] = await Promise.all([
        decide("deny", agent.id),
        new Caller(w.app).call("account.signUp", signUpForm({ email: agent.email })),
      ]);
      expect(denial.status).toBe(200);
      expect(signUp.code).toBe("auth/email-already-in-use");
      const rows = await w.services.database.db.select().from(user).where(eq(user.email, agent.email));
      expect(rows).toEqual([]);
    }
  });
});

describe("revoke", () => {
  test("signs out immediately and keeps the account", async () => {
    const agent = await person(w, "agent", "approved");
    expect((await me(agent)).body).toMatchObject({ viewer: { status: "approved" } });
    expect((await decide("revoke", agent.id)).status).toBe(200);
    expect((await me(agent)).body).toEqual({ viewer: null });
    expect(await storedUser(w, agent.id)).toMatchObject({ status: "revoked", revokedBy: boss.id });
    await w.mail(agent.email, /revoked/);
  });
});

describe("two concurrent admins", () => {
  test("approve and deny: one request succeeds, and the others conflict", async () => {
    const agent = await person(w, "agent", "pending");
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => decide("approve", agent.id)),
      ...Array.from({ length: 5 }, () => decide("deny", agent.id)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200).map(({ code }) => code);
    expect(new Set(refused).difference(new Set(["failed-precondition", "not-found"]))).toEqual(new Set());
    expect(await auditOf(agent.id)).toHaveLength(1);
  });
});

test.each([
  ["approve", "approved"],
  ["deny", "approved"],
  ["deny", "revoked"],
  ["revoke", "pending"],
  ["revoke", "revoked"],
  ["approve", "disabled"],
] as const)("%s is not possible for an agent that is %s", async (action, status) => {
  const agent = await person(w, "agent", status);
  expect(await decide(action, agent.id)).toMatchObject({ status: 409, code: "failed-precondition" });
  expect(await storedUser(w, agent.id)).toMatchObject({ status });
});

test("a student or an unknown id is not found", async () => {
  const student = await person(w, "student", "active");
  expect((await decide("approve", student.id)).code).toBe("not-found");
  expect((await decide("revoke", "nobody")).code).toBe("not-found");
});

test("a disabled admin whose session is still cached can't decide", async () => {
  const former = await person(w, "admin", "active");
  const agent = await person(w, "agent", "pending");
  await former.caller.call("agents.counts");
  // The database changes directly here, as if the event had not arrived yet.
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, former.id));
  const answer = await former.caller.call("agents.approve", { id: agent.id });
  expect(answer).toMatchObject({ status: 403, code: "permission-denied" });
  expect(await storedUser(w, agent.id)).toMatchObject({ status: "pending" });
});
