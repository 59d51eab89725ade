import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user, verification } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { confirmEmail, linkedEmail, mailedEmail, tokenOf } from "#tests/support/email-change.ts";
import { type Person, person, signIn, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const confirm = (token: string) => confirmEmail(w, token);
const linked = (who: Person, email?: string) => linkedEmail(w, who, email);
const mailed = (who: Person) => mailedEmail(w, who);

describe("a link", () => {
  test("succeeds for ten concurrent requests and a later one, but changes the address once", async () => {
    const who = await person(w, "student", "active");
    const { email, token } = await linked(who);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)));
    expect([...answers, await confirm(token)].map(({ status }) => status)).toEqual(Array(11).fill(200));
    expect(await storedUser(w, who.id)).toMatchObject({ email });
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, who.id));
    expect(entries.filter(({ action }) => action === "email-changed")).toHaveLength(1);
  });

  test("is invalid once the address has changed again", async () => {
    const who = await person(w, "student", "active");
    const { email, token } = await linked(who);
    await confirm(token);
    const next = await linked({ ...who, email });
    await confirm(next.token);
    expect((await confirm(token)).code).toBe("auth/invalid-action-code");
    expect(await storedUser(w, who.id)).toMatchObject({ email: next.email });
  });

  test("is withdrawn by a later request", async () => {
    const who = await person(w, "student", "active");
    const mistyped = await mailed(who);
    const { email, token } = await mailed(who);
    expect((await confirm(mistyped.token)).code).toBe("auth/invalid-action-code");
    expect((await confirm(token)).status).toBe(200);
    expect(await storedUser(w, who.id)).toMatchObject({ email });
  });

  test("does not affect another account's", async () => {
    const [one, two] = [await person(w, "student", "active"), await person(w, "student", "active")];
    const [first, second] = await Promise.all([mailed(one), mailed(two)]);
    expect((await confirm(first.token)).status).toBe(200);
    expect((await confirm(second.token)).status).toBe(200);
  });

  test("is withdrawn when a new password is set", async () => {
    const who = await person(w, "student", "active");
    const { token } = await mailed(who);
    await new Caller(w.app).call("account.requestPasswordReset", { email: who.email });
    const reset = tokenOf((await w.mail(who.email, /new password/)).link);
    const password = "another good phrase";
    const set = await new Caller(w.app).call("account.setPassword", {
      token: reset,
      password,
      confirmPassword: password,
    });
    expect(set.status).toBe(200);
    expect((await confirm(token)).code).toBe("auth/invalid-action-code");
    await signIn(w, who.caller, who.id);
    expect((await who.caller.call("profile.mine")).body).toMatchObject({ pendingEmail: null });
  });

  test("invalidates a password link in the former mailbox", async () => {
    const who = await person(w, "student", "active");
    const { token } = await linked(who);
    await new Caller(w.app).call("account.requestPasswordReset", { email: who.email });
    const reset = tokenOf((await w.mail(who.email, /new password/)).link);
    await confirm(token);
    expect((await new Caller(w.app).call("account.passwordLink", { token: reset })).code).toBe(
      "auth/invalid-action-code",
    );
  });

  test("can't set a password, expires after a day, and does nothing for a disabled account", async () => {
    const { db } = w.services.database;
    const who = await person(w, "student", "active");
    const { token } = await linked(who);
    expect((await new Caller(w.app).call("account.passwordLink", { token })).code).toBe(
      "auth/invalid-action-code",
    );
    await db.update(user).set({ status: "disabled" }).where(eq(user.id, who.id));
    expect((await confirm(token)).code).toBe("auth/invalid-action-code");

    const old = await person(w, "student", "active");
    const link = await linked(old);
    const [row] = await db
      .select()
      .from(verification)
      .where(
        and(
          eq(
            verification.value,
            JSON.stringify({ purpose: "email", userId: old.id, email: link.email, from: old.email }),
          ),
        ),
      );
    const hours = ((row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    await db.update(verification).set({ expiresAt: new Date(Date.now() - 1000) });
    expect((await confirm(link.token)).code).toBe("auth/invalid-action-code");
  });
});
