import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { goodPassword, type Person, person, signUpForm, storedUser } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { deniedAgent, user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const decide = (action: string, id: string) => boss.caller.call(`agents.${action}`, { id });
const me = (who: Person) => who.caller.call("account.me");
const auditOf = async (id: string) =>
  (await w.services.database.db.select().from(audit).where(eq(audit.subjectId, id))).map(
    ({ action, actorId }) => `${action} by ${actorId === boss.id ? "boss" : actorId}`,
  );
const agentsOf = async (tab: string) => {
  const { body } = await boss.caller.call("agents.list", { tab });
  const found: unknown = Reflect.get(Object(body), "agents");
  return Array.isArray(found) ? found : [];
};

describe("approve", () => {
  test("a pending agent is approved, told by mail, and goes on with the same session", async () => {
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

describe("deny", () => {
  test("deletes the personal record, keeps a tombstone, and signs out at once", async () => {
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
    const anew = await again.call("account.signUp", signUpForm({ email: agent.email }));
    expect(anew.code).toBe("auth/email-already-in-use");
    expect(await agentsOf("former")).toContainEqual(
      expect.objectContaining({ id: agent.id, kind: "denied", name: "", by: boss.email }),
    );
  });

  test("lifted, the address may sign up anew", async () => {
    const agent = await person(w, "agent", "pending");
    await decide("deny", agent.id);
    expect((await decide("liftDenial", agent.id)).status).toBe(200);
    expect((await decide("liftDenial", agent.id)).code).toBe("not-found");
    const anew = await new Caller(w.app).call(
      "account.signUp",
      signUpForm({ role: "agent", email: agent.email }),
    );
    expect(anew.status).toBe(200);
    expect(await auditOf(agent.id)).toEqual(["agent-denied by boss", "denial-lifted by boss"]);
  });

  test("a sign-up at the same moment does not slip in", async () => {
    for (let round = 0; round < 8; round++) {
      const agent = await person(w, "agent", "pending");
      const [denial, signUp] = await Promise.all([
        decide("deny", agent.id),
        new Caller(w.app).call("account.signUp", signUpForm({ email: agent.email })),
      ]);
      expect(denial.status).toBe(200);
      expect(signUp.code).toBe("auth/email-already-in-use");
      const left = await w.services.database.db.select().from(user).where(eq(user.email, agent.email));
      expect(left).toEqual([]);
    }
  });
});

describe("revoke", () => {
  test("signs out at once; the account stays", async () => {
    const agent = await person(w, "agent", "approved");
    expect((await me(agent)).body).toMatchObject({ viewer: { status: "approved" } });
    expect((await decide("revoke", agent.id)).status).toBe(200);
    expect((await me(agent)).body).toEqual({ viewer: null });
    expect(await storedUser(w, agent.id)).toMatchObject({ status: "revoked", revokedBy: boss.id });
    await w.mail(agent.email, /revoked/);
  });
});

describe("two admins at once", () => {
  test("approve and deny: one is done, the other is told", async () => {
    const agent = await person(w, "agent", "pending");
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => decide("approve", agent.id)),
      ...Array.from({ length: 5 }, () => decide("deny", agent.id)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const told = answers.filter(({ status }) => status !== 200).map(({ code }) => code);
    expect(new Set(told).difference(new Set(["failed-precondition", "not-found"]))).toEqual(new Set());
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

test("a student or an unknown id is no agent", async () => {
  const student = await person(w, "student", "active");
  expect((await decide("approve", student.id)).code).toBe("not-found");
  expect((await decide("revoke", "nobody")).code).toBe("not-found");
});

test("an admin whose rights end while the session is still believed decides nothing", async () => {
  const former = await person(w, "admin", "active");
  const agent = await person(w, "agent", "pending");
  await former.caller.call("agents.counts");
  // Behind the server's back, as when the announcement has not arrived yet.
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, former.id));
  const answer = await former.caller.call("agents.approve", { id: agent.id });
  expect(answer).toMatchObject({ status: 403, code: "permission-denied" });
  expect(await storedUser(w, agent.id)).toMatchObject({ status: "pending" });
});
