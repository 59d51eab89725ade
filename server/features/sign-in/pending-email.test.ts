import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveRequestedEmail } from "#server/features/account/requested-email.ts";
import { audit } from "#server/features/audit/tables.ts";
import { tidyUp } from "#server/features/sessions/tidy-up.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { createLink } from "./links.ts";
import { emailChangeMail } from "./mails.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const requestChange = ({ caller }: Person, email: string) =>
  caller.call("profile.changeEmail", { email, password: goodPassword });
const pending = async ({ caller }: Person) => (await caller.api.profile.mine()).pendingEmail;
const cancel = ({ caller }: Person) => caller.call("profile.cancelEmailChange");
const confirm = (token: string) =>
  new Caller(w.app).call("account.verifyEmail", { token, password: goodPassword });

/** Requests a change and creates its link directly, without the time that its mail takes. */
async function linked(who: Person) {
  const email = freshEmail();
  await w.services.database.transaction((tx) => saveRequestedEmail(tx, who.id, email));
  const grant = { purpose: "email", userId: who.id, email, from: who.email } as const;
  const link = await createLink(w.services, grant);
  return { email, token: new URL(link).searchParams.get("token") ?? "" };
}

test("the profile shows the last requested address until it is confirmed", async () => {
  const ada = await person(w, "student", "active");
  expect(await pending(ada)).toBeNull();
  const [first, last] = [freshEmail(), freshEmail()];
  await requestChange(ada, first);
  expect(await pending(ada)).toBe(first);
  await requestChange(ada, last);
  expect(await pending(ada)).toBe(last);
  // The earlier request's mail may be written later: it must not replace the link of the later one.
  const earlier = { userId: ada.id, email: first, from: ada.email };
  expect(await emailChangeMail.write(w.services, earlier)).toBeNull();
  const { link = "" } = await w.mail(last, /confirm your new email/);
  const token = new URL(link).searchParams.get("token");
  expect((await confirm(token ?? "")).status).toBe(200);
  expect(await pending(ada)).toBeNull();
});

test("another account's address looks the same, and expires like any other", async () => {
  const [ada, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await requestChange(ada, other.email);
  expect(await pending(ada)).toBe(other.email);
  expect(await pending(other)).toBeNull();
  const hour = 60 * 60 * 1000;
  await tidyUp(w.services, new Date(Date.now() + 23 * hour));
  expect(await pending(ada)).toBe(other.email);
  await tidyUp(w.services, new Date(Date.now() + 25 * hour));
  expect(await pending(ada)).toBeNull();
});

test("a request with a wrong password leaves no pending change", async () => {
  const ada = await person(w, "student", "active");
  await ada.caller.call("profile.changeEmail", { email: freshEmail(), password: "wrong" });
  expect(await pending(ada)).toBeNull();
});

describe("a pending change", () => {
  test("can be cancelled: its link does nothing, and the profile no longer shows it", async () => {
    const [who, other] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
    const { token } = await linked(who);
    const otherLink = await linked(other);
    expect((await cancel(who)).status).toBe(200);
    expect(await pending(who)).toBeNull();
    expect((await confirm(token)).code).toBe("auth/invalid-action-code");
    expect(await storedUser(w, who.id)).toMatchObject({ email: who.email });
    // The other account's change is not affected, and cancelling twice does no harm.
    expect((await cancel(who)).status).toBe(200);
    expect((await confirm(otherLink.token)).status).toBe(200);
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, who.id));
    expect(entries.filter(({ action }) => action === "email-change-cancelled")).toHaveLength(1);
  });

  test("gets no mail if it is cancelled before the mail was written", async () => {
    const who = await person(w, "student", "active");
    const { email } = await linked(who);
    await cancel(who);
    expect(await emailChangeMail.write(w.services, { userId: who.id, email, from: who.email })).toBeNull();
  });

  test("is either cancelled or confirmed if both happen concurrently", async () => {
    for (let round = 0; round < 8; round++) {
      const who = await person(w, "student", "active");
      const { email, token } = await linked(who);
      const [confirmed] = await Promise.all([confirm(token), cancel(who)]);
      const user = await storedUser(w, who.id);
      expect(user?.email).toBe(confirmed.status === 200 ? email : who.email);
    }
  });
});
