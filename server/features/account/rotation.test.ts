import { createHmac } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, expect, test } from "vitest";
import { adminCommand } from "#server/features/admin/command-line.ts";
import { proveMailbox } from "#server/features/second-factor/mailbox-proof.ts";
import { prepareAdmins } from "#server/features/sign-in/commands/prepare-admins.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { mailboxCodeFor } from "#tests/support/mailed-code.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const [older, newer] = ["the older secret of a rotation 12345", "the newer secret of a rotation 67890"];
const boss = "boss@example.org";
const password = "fifteen letters or more";
const admins = { ADMIN_EMAILS: boss, ADMIN_SECOND_FACTOR: "required" };

let before: Wayfare;
let nodes: Wayfare[];
beforeEach(async () => {
  nodes = [];
  before = await wayfare({ variables: { ...admins, SESSION_SECRET: older } });
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  await before.stop();
});

/** Starts another node on the same database. */
async function withSecret(secret: string): Promise<Wayfare> {
  const node = await wayfare({ on: before.address, variables: { ...admins, SESSION_SECRET: secret } });
  nodes.push(node);
  return node;
}

/** Whether a person's browser is logged in on a node. */
async function isKnown({ app }: Wayfare, { caller }: Pick<Person, "caller">): Promise<boolean> {
  const there = new Caller(app);
  for (const [name, value] of caller.cookies) there.cookies.set(name, value);
  return JSON.stringify((await there.call("account.me")).body) !== '{"viewer":null}';
}

test("a session stays valid while both secrets are configured, in either order", async () => {
  const ada = await person(before, "student", "active");
  const [prepared, changed, after] = [
    await withSecret(`${older},${newer}`),
    await withSecret(`${newer},${older}`),
    await withSecret(newer),
  ];
  const ben = await person(changed, "student", "active");
  expect(
    await Promise.all([prepared, changed].flatMap((node) => [isKnown(node, ada), isKnown(node, ben)])),
  ).toEqual([true, true, true, true]);
  // A node without the newer secret refuses its sessions, so rotation first adds it to every node.
  expect(await isKnown(before, ben)).toBe(false);
  expect(await isKnown(after, ben)).toBe(true);
  expect(await isKnown(after, ada)).toBe(false);
});

test("a session from a version that signed with the secret itself stays valid", async () => {
  const ada = await person(before, "student", "active");
  const [name = "", value = ""] = [...ada.caller.cookies][0] ?? [];
  const [token = ""] = decodeURIComponent(value).split(".");
  const signed = (secret: string) => {
    const signature = createHmac("sha256", secret).update(token).digest("base64");
    ada.caller.cookies.set(name, encodeURIComponent(`${token}.${signature}`));
  };
  signed(older);
  expect(await isKnown(before, ada)).toBe(true);
  expect(await isKnown(await withSecret(`${newer},${older}`), ada)).toBe(true);
  signed("another secret that nobody has set at all");
  expect(await isKnown(before, ada)).toBe(false);
});

test("an emailed code can't be used with the database alone, and works with both secrets", async () => {
  const { caller } = await person(before, "admin", "active");
  const session = await before.services.sessions.checkAny(caller.cookie);
  if (!session) throw new Error("there is no session");
  const [changed, after] = [await withSecret(`${newer},${older}`), await withSecret(newer)];
  const code = await mailboxCodeFor(before, caller);
  const proveOn = ({ services }: Wayfare) =>
    proveMailbox(services, { session, address: "203.0.113.7" }, code);
  await expect(proveOn(after)).rejects.toMatchObject({ code: "auth/invalid-verification-code" });
  await proveOn(changed);
});

test("known browsers, links in mails and bidders' tags depend on the secrets", async () => {
  const [changed, after] = [await withSecret(`${newer},${older}`), await withSecret(newer)];
  const account = { email: boss, browserEpoch: 0 };
  const cookie = before.services.signedCookies.devices.create(account).split(";")[0] ?? "";
  const link = before.services.unsubscribeLinks.make({ userId: "u", kinds: ["outbid"] });
  const token = new URL(link).searchParams.get("token") ?? "";
  const results = [before, changed, after].map(({ services }) => [
    services.signedCookies.devices.read(cookie, account) !== null,
    services.unsubscribeLinks.read(token) !== null,
    services.products.tagOf("item", "bidder"),
  ]);
  const tags = results.map(([, , tag]) => tag);
  expect(results.map(([isDeviceKnown, isValid]) => [isDeviceKnown, isValid])).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
  expect(tags[1]).toBe(tags[2]);
  expect(tags[1]).not.toBe(tags[0]);
});

test("an authenticator works with both secrets, and with the newer one alone once re-encrypted", async () => {
  const link = (await prepareAdmins(before.services)).find(({ email }) => email === boss)?.link ?? "";
  const token = new URL(link).searchParams.get("token") ?? "";
  const { body } = await new Caller(before.app).call("account.passwordLink", { token });
  const { key } = (body as { secondFactor: { key: string } }).secondFactor;
  // Each code works once.
  const codeAt = (step: number) =>
    new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + step * 30_000 });
  const set = { token, password, confirmPassword: password, code: codeAt(0) };
  expect((await new Caller(before.app).call("account.setPassword", set)).status).toBe(200);
  const resetLastStep = () => before.services.database.pool.query("update second_factor set last_step = 0");
  const login = async ({ app }: Wayfare) => {
    await resetLastStep();
    return (await new Caller(app).call("account.signIn", { email: boss, password, code: codeAt(0) })).status;
  };
  const [changed, after] = [await withSecret(`${newer},${older}`), await withSecret(newer)];
  const keys = async (node: Wayfare, ...words: string[]) => {
    const keys: string[] = [];
    await adminCommand(node.services, ["keys", ...words], (text) => void keys.push(text));
    return keys.join("");
  };
  expect(await login(changed)).toBe(200);
  expect(await keys(after)).toContain("0 with the first, 0 with an older one, 1 that none opens");
  // Keys that no secret opens stay as they are.
  await after.services.secondFactors.renew(after.services.database.db);
  expect(await keys(changed)).toMatch(/1 with an older one[^]*An older secret is still needed/);
  expect(await keys(changed, "renew")).toMatch(
    /1 with the first, 0 with an older[^]*Nothing stored needs an older/,
  );
  expect(await login(after)).toBe(200);
  expect(await login(changed)).toBe(200);
});
