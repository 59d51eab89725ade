import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { account } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person } from "#tests/support/factories.ts";
import { quickPasswords } from "#tests/support/quick-passwords.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const password = "another good phrase";
let w: Wayfare;
/** Runs while the current password is verified. */
let meanwhile = async () => {};
const slow = {
  ...quickPasswords,
  verify: async (data: Parameters<typeof quickPasswords.verify>[0]) => {
    const isRight = await quickPasswords.verify(data);
    await meanwhile();
    return isRight;
  },
};
beforeAll(async () => {
  w = await wayfare({ passwords: slow });
});
afterAll(() => w.stop());

/** Runs another node for the duration of a test. During that time it may send mails instead of this one. */
async function withAnotherNode(run: (other: Wayfare) => Promise<void>): Promise<void> {
  const other = await wayfare({ on: w.address });
  try {
    await run(other);
  } finally {
    await other.stop();
  }
}

const change = ({ caller }: Pick<Person, "caller">, currentPassword: string, newPassword = password) =>
  caller.call("account.changePassword", {
    currentPassword,
    password: newPassword,
    confirmPassword: newPassword,
  });
const login = (email: string, attempt: string, caller = new Caller(w.app)) =>
  caller.call("account.signIn", { email, password: attempt });
const tokenOf = (link: string | undefined) => new URL(link ?? "").searchParams.get("token") ?? "";

test("the current password allows a new one; other devices are logged out, this one is not", () =>
  withAnotherNode(async (other) => {
    const ada = await person(w, "student", "active");
    const phone = new Caller(other.app);
    await login(ada.email, goodPassword, phone);
    expect((await change(ada, goodPassword)).status).toBe(200);
    expect((await ada.caller.call("account.me")).body).toMatchObject({ viewer: { id: ada.id } });
    await until(async () => (await phone.api.account.me()).viewer === null);
    expect((await login(ada.email, goodPassword)).code).toBe("auth/invalid-credential");
    expect((await login(ada.email, password)).status).toBe(200);
    const { db } = w.services.database;
    const entries = await db
      .select()
      .from(audit)
      .where(and(eq(audit.subjectId, ada.id), eq(audit.action, "password-changed")));
    expect(entries).toMatchObject([{ actorId: ada.id, address: "203.0.113.7" }]);
  }));

test("a change invalidates mailed links that set a password or move the account", async () => {
  const ada = await person(w, "student", "active");
  await new Caller(w.app).call("account.requestPasswordReset", { email: ada.email });
  const reset = tokenOf((await w.mail(ada.email, /new password/)).link);
  const email = `new-${ada.email}`;
  await ada.caller.call("profile.changeEmail", { email, password: goodPassword });
  const move = tokenOf((await w.mail(email, /./)).link);
  expect((await change(ada, goodPassword)).status).toBe(200);
  expect((await ada.caller.call("account.verifyEmail", { token: move })).code).toBe(
    "auth/invalid-action-code",
  );
  const set = { token: reset, password: goodPassword, confirmPassword: goodPassword };
  expect((await new Caller(w.app).call("account.setPassword", set)).code).toBe("auth/invalid-action-code");
  expect((await ada.caller.call("profile.mine")).body).toMatchObject({ pendingEmail: null });
});

test("a wrong current password counts as a failed login, and leads to a lock", async () => {
  const ada = await person(w, "student", "active");
  for (let times = 0; times < 10; times++)
    expect(await change(ada, "wrong password")).toMatchObject({
      code: "auth/wrong-password",
      body: { data: { field: "currentPassword" } },
    });
  expect((await change(ada, goodPassword)).code).toBe("auth/too-many-requests");
});

test("the rules of new passwords apply, with stricter ones for admins", async () => {
  const ada = await person(w, "student", "active");
  for (const weak of ["12345", "PassWord", ada.email, "Ada Obi 1"])
    expect((await change(ada, goodPassword, weak)).code).toBe("auth/weak-password");
  const boss = await person(w, "admin", "active");
  expect((await change(boss, goodPassword, "fourteen signs")).message).toBe(
    "Password must be at least 15 characters long.",
  );
  expect((await change(boss, goodPassword)).status).toBe(200);
  expect((await login(ada.email, goodPassword)).status).toBe(200);
});

test("one of two concurrent changes succeeds, on any node", () =>
  withAnotherNode(async (other) => {
    const ada = await person(w, "student", "active");
    const phone = new Caller(other.app);
    await login(ada.email, goodPassword, phone);
    const answers = await Promise.all([
      change(ada, goodPassword, "the first good phrase"),
      change({ caller: phone }, goodPassword, "the second good phrase"),
    ]);
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded).toHaveLength(1);
    const logins = await Promise.all([
      login(ada.email, "the first good phrase"),
      login(ada.email, "the second good phrase"),
    ]);
    expect(logins.map(({ status }) => status === 200)).toEqual(answers.map(({ status }) => status === 200));
  }));

test("a password that is set in the meantime is kept", async () => {
  const ada = await person(w, "student", "active");
  meanwhile = async () => {
    await w.services.database.db
      .update(account)
      .set({ password: "another hash" })
      .where(eq(account.userId, ada.id));
  };
  const answer = await change(ada, goodPassword);
  meanwhile = async () => {};
  expect(answer).toMatchObject({ status: 409, code: "failed-precondition" });
  const [row] = await w.services.database.db.select().from(account).where(eq(account.userId, ada.id));
  expect(row?.password).toBe("another hash");
});

test("an account that is disabled in the meantime keeps its password", async () => {
  const [ada, boss] = [await person(w, "student", "active"), await person(w, "admin", "active")];
  meanwhile = async () => {
    meanwhile = async () => {};
    await boss.caller.call("students.setDisabled", { userId: ada.id, disabled: true });
  };
  expect((await change(ada, goodPassword)).code).toBe("permission-denied");
  await boss.caller.call("students.setDisabled", { userId: ada.id, disabled: false });
  expect((await login(ada.email, goodPassword)).status).toBe(200);
});

test("an account with a second factor needs a recent login to change password or address", async () => {
  const ada = await person(w, "student", "active");
  const { db } = w.services.database;
  const age = async () => {
    const provedAt = sql`now() - interval '1 hour'`;
    await db.update(session).set({ provedAt }).where(eq(session.userId, ada.id));
    w.services.sessions.evict({ userId: ada.id, ended: false });
  };
  await age();
  const move = (email: string) => ada.caller.call("profile.changeEmail", { email, password: goodPassword });
  expect((await move(`a-${ada.email}`)).status).toBe(200);
  expect((await change(ada, goodPassword)).status).toBe(200);
  await w.services.database.transaction((tx) => w.services.secondFactors.store(tx, ada.id, "a token", 0));
  expect((await change(ada, password, goodPassword)).code).toBe("auth/requires-recent-login");
  expect((await move(`b-${ada.email}`)).code).toBe("auth/requires-recent-login");
});
