import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { prepareAdmins } from "#server/features/sign-in/commands/prepare-admins.ts";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { lacksSecondFactor, passkey, secondFactor } from "./tables.ts";

const password = "fifteen letters or more";
const emails = ["first", "second", "third", "fourth"].map((name) => `${name}@example.org`);
let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: emails.join(","), ADMIN_SECOND_FACTOR: "required" } });
});
afterAll(() => w.stop());

/** Computes the code that an authenticator app with this key shows. */
const codeOf = (key: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp });

async function linkOf(email: string) {
  const link = (await prepareAdmins(w.services)).find((entry) => entry.email === email)?.link ?? "";
  const token = new URL(link).searchParams.get("token") ?? "";
  const { body } = await new Caller(w.app).call("account.passwordLink", { token });
  return { token, ...(body as { secondFactor: { key: string; uri: string } }) };
}

const setPassword = (token: string, code: string) =>
  new Caller(w.app).call("account.setPassword", { token, password, confirmPassword: password, code });
const login = (email: string, code = "", attempt = password) =>
  new Caller(w.app).call("account.signIn", { email, password: attempt, code });

/** Returns a code that is wrong for the current, the previous and the next step. */
function wrongCode(key: string): string {
  const near = new Set([-30_000, 0, 30_000].map((by) => codeOf(key, Date.now() + by)));
  return ["000000", "111111", "222222", "333333"].find((code) => !near.has(code)) ?? "";
}

test("the link sets up the app, and sets the password only with a valid code", async () => {
  const { token, secondFactor: factor } = await linkOf("first@example.org");
  expect(new URL(factor.uri).searchParams.get("secret")).toBe(factor.key);
  expect(await setPassword(token, "")).toMatchObject({ status: 422, code: "auth/invalid-verification-code" });
  expect((await setPassword(token, wrongCode(factor.key))).code).toBe("auth/invalid-verification-code");
  expect((await setPassword(token, codeOf(factor.key))).status).toBe(200);
  const [row] = await w.services.database.db.select().from(secondFactor);
  expect(JSON.stringify(row)).not.toContain(factor.key);
  expect((await prepareAdmins(w.services)).map(({ email }) => email)).not.toContain("first@example.org");
});

test("a login requires a code after the correct password, and accepts each valid code once", async () => {
  const email = "second@example.org";
  const { token, secondFactor: factor } = await linkOf(email);
  const setAt = Date.now();
  await setPassword(token, codeOf(factor.key, setAt));
  expect((await login(email, codeOf(factor.key), "wrong password")).code).toBe("auth/invalid-credential");
  expect(await login(email)).toMatchObject({ status: 401, code: "account/second-factor" });
  expect((await login(email, wrongCode(factor.key))).code).toBe("auth/invalid-verification-code");
  // The code that set the app up does not work a second time.
  expect((await login(email, codeOf(factor.key, setAt))).code).toBe("auth/invalid-verification-code");
  const code = codeOf(factor.key, setAt + 30_000);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => login(email, ` ${code.slice(0, 3)} ${code.slice(3)} `)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await login(email, code)).code).toBe("auth/invalid-verification-code");
});

test("wrong codes are failures that lock the account", async () => {
  const email = "third@example.org";
  const { token, secondFactor: factor } = await linkOf(email);
  await setPassword(token, codeOf(factor.key));
  for (let times = 0; times < 10; times++)
    expect((await login(email, wrongCode(factor.key))).code).toBe("auth/invalid-verification-code");
  expect((await login(email, codeOf(factor.key))).code).toBe("auth/too-many-requests");
});

test("an admin without a second factor can log in to set one up, and gets no new link", async () => {
  const email = "fourth@example.org";
  const before = await wayfare({ variables: { ADMIN_EMAILS: email }, on: w.address });
  const [entry] = await prepareAdmins(before.services);
  const token = new URL(entry?.link ?? "").searchParams.get("token");
  const set = { token, password, confirmPassword: password };
  expect((await new Caller(before.app).call("account.setPassword", set)).status).toBe(200);
  expect((await new Caller(before.app).call("account.signIn", { email, password })).status).toBe(200);
  await before.stop();
  expect((await login(email)).body).toMatchObject({ role: "admin", lacksSecondFactor: true });
  expect((await prepareAdmins(w.services)).map((link) => link.email)).not.toContain(email);
});

test("each link has its own key", async () => {
  const keys = w.services.secondFactors;
  const [one, other] = [randomUUID(), randomUUID()];
  expect(keys.enrolmentFor(one, "a@b.co").key).toBe(keys.enrolmentFor(one, "c@d.ee").key);
  expect(keys.enrolmentFor(one, "a@b.co").key).not.toBe(keys.enrolmentFor(other, "a@b.co").key);
});

test.each([
  ["admin", "none", [], false],
  ["admin", "none", ["admin"], true],
  ["admin", "app", ["admin"], false],
  ["admin", "passkey", ["admin"], false],
  ["admin", "none", ["agent"], false],
  ["agent", "none", ["admin", "agent"], true],
  ["agent", "app", ["admin", "agent"], false],
  ["student", "none", ["admin", "agent"], false],
] as const)("an %s with factor %s, required of %j, lacks one: %s", async (role, has, required, lacks) => {
  const { db } = w.services.database;
  const { id: userId } = await person(w, role, role === "agent" ? "approved" : "active");
  if (has === "app") await db.insert(secondFactor).values({ userId, key: "", lastStep: 0 });
  const id = randomUUID();
  const parts = { publicKey: "", counter: 0, transports: [], name: "" };
  if (has === "passkey") await db.insert(passkey).values({ id, userId, credentialId: id, ...parts });
  const rows = await db
    .select({ lacks: lacksSecondFactor(required) })
    .from(user)
    .where(eq(user.id, userId));
  expect(rows).toEqual([{ lacks }]);
});
