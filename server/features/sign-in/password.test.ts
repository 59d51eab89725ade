import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { user, verification } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, person, signUpForm, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { prepareAdmins, waitingAdminLine } from "./commands/prepare-admins.ts";

const password = "another good phrase";
let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: "boss@example.org,chief@example.org" } });
});
afterAll(() => w.stop());

const tokenOf = (link: string | null | undefined) => new URL(link ?? "").searchParams.get("token") ?? "";
const login = (email: string, password: string) =>
  new Caller(w.app).call("account.signIn", { email, password });
const setPassword = (token: string, newPassword = password, caller = new Caller(w.app)) =>
  caller.call("account.setPassword", { token, password: newPassword, confirmPassword: newPassword });

async function resetToken(email: string, spelling = email): Promise<string> {
  const answer = await new Caller(w.app).call("account.requestPasswordReset", { email: spelling });
  expect(answer.status).toBe(200);
  return tokenOf((await w.mail(email, /new password/)).link);
}

describe("a forgotten password", () => {
  test("is replaced through the mailed link, which works once and ends every session", async () => {
    const { email, caller, id } = await person(w, "student", "active");
    const token = await resetToken(email, email.toUpperCase());
    const link = await new Caller(w.app).call("account.passwordLink", { token });
    expect(link.body).toEqual({ purpose: "reset", minLength: 6, secondFactor: null });
    expect((await setPassword(token)).status).toBe(200);
    expect((await caller.call("account.me")).body).toEqual({ viewer: null });
    expect((await login(email, goodPassword)).code).toBe("auth/invalid-credential");
    expect((await login(email, password)).status).toBe(200);
    expect(await setPassword(token)).toMatchObject({ status: 410, code: "auth/invalid-action-code" });
    // Reading the mailbox verifies the address.
    expect(await storedUser(w, id)).toMatchObject({ emailVerified: true });
  });

  test("lets one of ten concurrent uses of its link succeed", async () => {
    const { email } = await person(w, "student", "active");
    const token = await resetToken(email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => setPassword(token, `${password} ${at}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "auth/invalid-action-code")).toHaveLength(9);
  });

  test("a password that is refused leaves the link usable", async () => {
    const { email } = await person(w, "student", "active");
    const token = await resetToken(email);
    expect((await setPassword(token, "12345")).message).toBe("Password must be at least 6 characters long.");
    for (const weak of ["PassWord", "Wayfare1", email, "Ada Obi 1"])
      expect((await setPassword(token, weak)).code).toBe("auth/weak-password");
    const differing = { token, password, confirmPassword: "something else" };
    expect((await new Caller(w.app).call("account.setPassword", differing)).message).toBe(
      "Passwords do not match.",
    );
    expect((await setPassword(token)).status).toBe(200);
  });

  test("an old link is refused", async () => {
    const { email } = await person(w, "student", "active");
    const token = await resetToken(email);
    const db = w.services.database.db;
    await db.update(verification).set({ expiresAt: new Date(Date.now() - 1000) });
    expect((await setPassword(token)).code).toBe("auth/invalid-action-code");
    expect((await new Caller(w.app).call("account.passwordLink", { token })).code).toBe(
      "auth/invalid-action-code",
    );
  });

  test("the response is the same for an unknown address, which gets no mail", async () => {
    const [holder, unknownAddress] = [await person(w, "student", "active"), freshEmail()];
    const caller = new Caller(w.app);
    const first = await caller.call("account.requestPasswordReset", { email: unknownAddress });
    const second = await caller.call("account.requestPasswordReset", { email: holder.email });
    expect(first.body).toEqual(second.body);
    await w.mail(holder.email, /new password/);
    expect(w.log.some((line) => line.to === unknownAddress)).toBe(false);
  });

  test("an empty address is refused", async () => {
    expect(await new Caller(w.app).call("account.requestPasswordReset", { email: " " })).toMatchObject({
      code: "auth/invalid-email",
      message: "Please enter your email address.",
    });
  });

  test("an invalid address is refused, and no mail is queued for it", async () => {
    for (const email of ["bogus", "ada@example"])
      expect(await new Caller(w.app).call("account.requestPasswordReset", { email })).toMatchObject({
        status: 422,
        code: "auth/invalid-email",
        message: "Please enter a valid email address.",
      });
  });

  test("no token is stored, only its hash", async () => {
    const { email } = await person(w, "student", "active");
    const token = await resetToken(email);
    const rows = await w.services.database.db.select().from(verification);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("admins", () => {
  // Removes the admins that another test may have created for the listed addresses.
  beforeEach(async () => {
    const { services, environment } = w;
    await services.database.db.delete(user).where(inArray(user.email, [...environment.adminEmails]));
  });

  const links = () => prepareAdmins(w.services);
  const tokenFor = async (email: string) =>
    tokenOf((await links()).find((entry) => entry.email === email)?.link);

  test("each listed address without a password gets a link; it needs 15 characters and makes an admin", async () => {
    expect((await links()).map(({ email }) => email)).toEqual(["boss@example.org", "chief@example.org"]);
    const token = await tokenFor("boss@example.org");
    const link = await new Caller(w.app).call("account.passwordLink", { token });
    expect(link.body).toEqual({ purpose: "admin", minLength: 15, secondFactor: null });
    expect((await setPassword(token, "short of fifteen".slice(0, 14))).message).toBe(
      "Password must be at least 15 characters long.",
    );
    expect((await setPassword(token)).status).toBe(200);
    const { body } = await login("boss@example.org", password);
    expect(body).toMatchObject({ role: "admin", status: "active" });
    expect((await links()).map(({ email }) => email)).toEqual(["chief@example.org"]);
    const entries = await w.services.database.db
      .select()
      .from(audit)
      .where(and(eq(audit.action, "admin-created"), eq(audit.subjectId, textIn(body, "id"))));
    expect(entries).toHaveLength(1);
  });

  test.each([
    ["no mail server, no https", {}, false, true],
    ["a mail server", {}, true, false],
    ["https", { baseUrl: "https://wayfare.example" }, false, false],
  ])("with %s their links are logged: %o, %s: %s", async (_what, changes, isReal, isLogged) => {
    const email = "nobody-yet@example.org";
    const environment = { ...w.environment, adminEmails: [...w.environment.adminEmails, email], ...changes };
    const mailer = { ...w.services.mailer, isReal };
    const lines = (await prepareAdmins({ ...w.services, environment, mailer })).map(waitingAdminLine);
    expect(lines.join("\n").includes("token=")).toBe(isLogged);
    expect(lines.at(-1)).toContain(
      isLogged
        ? `Set the admin password of ${email} (works once, for 24 hours): http`
        : `${email} has no admin password yet. For a one-time link: npm run admin -- ${email}`,
    );
  });

  test("a used link withdraws the earlier ones", async () => {
    const earlier = await tokenFor("chief@example.org");
    expect((await setPassword(await tokenFor("chief@example.org"))).status).toBe(200);
    expect((await setPassword(earlier)).code).toBe("auth/invalid-action-code");
  });

  test("an existing account only becomes an admin's through the link, which ends its sessions", async () => {
    const db = w.services.database.db;
    const { id, caller } = await person(w, "student", "active");
    await db.update(user).set({ email: "chief@example.org" }).where(eq(user.id, id));
    expect((await caller.call("account.me")).body).toMatchObject({ viewer: { role: "student" } });
    expect((await setPassword(await tokenFor("chief@example.org"))).status).toBe(200);
    expect((await caller.call("account.me")).body).toEqual({ viewer: null });
    expect(await storedUser(w, id)).toMatchObject({ role: "admin", status: "active" });
  });

  test("an admin's reset requires 15 characters too", async () => {
    expect((await setPassword(await tokenFor("boss@example.org"))).status).toBe(200);
    const token = await resetToken("boss@example.org");
    expect((await setPassword(token, "only fourteen!")).code).toBe("auth/weak-password");
    expect((await setPassword(token, "now it is fifteen")).status).toBe(200);
  });

  test("an address that was removed from the list loses its rights and an old link at the next start", async () => {
    const { id, email, caller } = await person(w, "admin", "active");
    expect((await caller.call("agents.counts")).status).toBe(200);
    await prepareAdmins(w.services);
    expect((await caller.call("agents.counts")).status).toBe(401);
    expect(await storedUser(w, id)).toMatchObject({ status: "disabled" });
    expect((await login(email, goodPassword)).code).toBe("auth/user-disabled");
    const token = await tokenFor("chief@example.org");
    const shrunk = { ...w.services, environment: { ...w.environment, adminEmails: ["boss@example.org"] } };
    await prepareAdmins(shrunk);
    const atShrunk = new Caller(createApp(shrunk));
    expect((await setPassword(token, password, atShrunk)).code).toBe("auth/invalid-action-code");
  });

  test("a listed address can't be signed up", async () => {
    const answer = await new Caller(w.app).call("account.signUp", signUpForm({ email: "chief@example.org" }));
    expect(answer.code).toBe("auth/email-already-in-use");
  });
});
