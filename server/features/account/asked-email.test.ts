import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { freshEmail, goodPassword, type Person, person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { tidyUp } from "./commands/tidy-up.ts";
import { emailChangeMail } from "./mails.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const ask = ({ caller }: Person, email: string) =>
  caller.call("profile.changeEmail", { email, password: goodPassword });
const pending = async ({ caller }: Person) =>
  Reflect.get(Object((await caller.call("profile.mine")).body), "pendingEmail");

test("the profile shows the address that was asked for last, until it is confirmed", async () => {
  const ada = await person(w, "student", "active");
  expect(await pending(ada)).toBeNull();
  const [first, last] = [freshEmail(), freshEmail()];
  await ask(ada, first);
  expect(await pending(ada)).toBe(first);
  await ask(ada, last);
  expect(await pending(ada)).toBe(last);
  // The earlier one's mail may be written later: it must not take the place of the other's link.
  const earlier = { userId: ada.id, email: first, from: ada.email };
  expect(await emailChangeMail.write(w.services, earlier)).toBeNull();
  const { link = "" } = await w.mail(last, /confirm your new email/);
  const token = new URL(link).searchParams.get("token");
  expect((await new Caller(w.app).call("account.verifyEmail", { token })).status).toBe(200);
  expect(await pending(ada)).toBeNull();
});

test("somebody else's address looks the same, and runs out like any other", async () => {
  const [ada, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await ask(ada, other.email);
  expect(await pending(ada)).toBe(other.email);
  expect(await pending(other)).toBeNull();
  const hour = 60 * 60 * 1000;
  await tidyUp(w.services, new Date(Date.now() + 23 * hour));
  expect(await pending(ada)).toBe(other.email);
  await tidyUp(w.services, new Date(Date.now() + 25 * hour));
  expect(await pending(ada)).toBeNull();
});

test("a request with a wrong password leaves nothing to wait for", async () => {
  const ada = await person(w, "student", "active");
  await ada.caller.call("profile.changeEmail", { email: freshEmail(), password: "wrong" });
  expect(await pending(ada)).toBeNull();
});
