import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failingPushDays, mostPushSubscriptions } from "#domain/push.ts";
import { createKeys } from "#server/platform/keys.ts";
import { FakeBrowser, openPushService, type PushService } from "#tests/fakes/push-service.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { subscribedBrowser } from "#tests/support/pushes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { tidySubscriptions } from "./commands.ts";
import { createPushKeys } from "./push-keys.ts";
import { pushSubscription } from "./tables.ts";

let w: Wayfare;
let service: PushService;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
  service = await openPushService();
});
afterAll(async () => {
  await w.stop();
  await service.close();
});

const student = () => person(w, "student", "active");
const newBrowser = () => new FakeBrowser(service, w.services.pushKeys.publicKey);
const rowsOf = ({ id }: Person) =>
  w.services.database.db.select().from(pushSubscription).where(eq(pushSubscription.userId, id));
const endpointsOf = async (who: Person) => (await rowsOf(who)).map(({ endpoint }) => endpoint).toSorted();
const isSubscribed = async ({ caller }: Person, { subscription: { endpoint } }: FakeBrowser) =>
  (await caller.api.push.settings({ endpoint })).subscribed;

describe("a browser", () => {
  test("is subscribed and unsubscribed, by its own user alone", async () => {
    const [ada, bea] = [await student(), await student()];
    const browser = await subscribedBrowser(w, ada, service);
    const { endpoint } = browser.subscription;
    expect(await isSubscribed(ada, browser)).toBe(true);
    expect(await isSubscribed(bea, browser)).toBe(false);
    expect((await bea.caller.call("push.unsubscribe", { endpoint })).status).toBe(200);
    expect(await isSubscribed(ada, browser)).toBe(true);
    expect((await ada.caller.call("push.unsubscribe", { endpoint })).status).toBe(200);
    expect(await isSubscribed(ada, browser)).toBe(false);
  });

  test("belongs to the user who subscribed last in it", async () => {
    const [ada, bea] = [await student(), await student()];
    const browser = await subscribedBrowser(w, ada, service);
    expect((await bea.caller.call("push.subscribe", browser.subscription)).status).toBe(200);
    expect([await isSubscribed(ada, browser), await isSubscribed(bea, browser)]).toEqual([false, true]);
  });

  test("that has renewed its subscription automatically replaces the former one, if it is the user's own", async () => {
    const [ada, bea] = [await student(), await student()];
    const former = await subscribedBrowser(w, ada, service);
    const next = newBrowser();
    const renewal = { ...next.subscription, former: former.subscription.endpoint };
    expect((await bea.caller.call("push.renew", renewal)).body).toEqual({ renewed: false });
    expect(await endpointsOf(bea)).toEqual([]);
    expect((await ada.caller.call("push.renew", renewal)).body).toEqual({ renewed: true });
    expect(await endpointsOf(ada)).toEqual([next.subscription.endpoint]);
    expect((await ada.caller.call("push.renew", renewal)).body).toEqual({ renewed: false });
  });

  test("whose key is gone must subscribe again", async () => {
    const ada = await student();
    const { publicKey: other } = createPushKeys(createKeys(["x".repeat(32)]), "a@b.co");
    const { subscription } = new FakeBrowser(service, other);
    expect((await ada.caller.call("push.subscribe", subscription)).code).toBe("failed-precondition");
  });

  test("beyond ten ends the oldest subscription, even when many subscribe concurrently", async () => {
    const ada = await student();
    const first = await subscribedBrowser(w, ada, service);
    const others = Array.from({ length: mostPushSubscriptions + 2 }, newBrowser);
    const answers = await Promise.all(
      others.map(({ subscription }) => ada.caller.call("push.subscribe", subscription)),
    );
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 200));
    expect(await rowsOf(ada)).toHaveLength(mostPushSubscriptions);
    expect(await isSubscribed(ada, first)).toBe(false);
  });

  test("is refused if its key is not on the curve", async () => {
    const ada = await student();
    const { subscription } = newBrowser();
    const invalid = { ...subscription, p256dh: "A".repeat(87) };
    expect((await ada.caller.call("push.subscribe", invalid)).code).toBe("invalid-argument");
    expect(await rowsOf(ada)).toEqual([]);
  });
});

test("nothing is sent to addresses that only the server can reach", async () => {
  const strict = await wayfare();
  const ada = await person(strict, "student", "active");
  const { subscription } = new FakeBrowser(service, strict.services.pushKeys.publicKey);
  const endpoints = [
    subscription.endpoint,
    "https://127.0.0.1/send",
    "https://169.254.169.254/latest",
    "https://[::1]/send",
    "https://10.0.0.1/send",
    "https://nobody.invalid/send",
    "https://user:word@1.1.1.1/send",
    "https://1.1.1.1:22/send",
  ];
  const answers = [];
  for (const endpoint of endpoints)
    answers.push(await ada.caller.call("push.subscribe", { ...subscription, endpoint }));
  expect(answers.map(({ code }) => code)).toEqual(endpoints.map(() => "invalid-argument"));
  expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
  await strict.stop();
});

describe("the switches", () => {
  test("are those of the role, on until they are switched off", async () => {
    const [ada, admin] = [await student(), await person(w, "admin", "active")];
    const switchesOf = async ({ caller }: Person) =>
      (await caller.api.push.settings({ endpoint: null })).switches;
    const kindsOf = async (who: Person) => (await switchesOf(who)).map(({ kind }) => kind);
    expect(await kindsOf(ada)).toEqual(
      expect.arrayContaining(["messageReceived", "requestMade", "outbid", "auctionWon"]),
    );
    expect(await kindsOf(admin)).not.toContain("requestMade");
    expect((await switchesOf(ada)).every(({ on }) => on)).toBe(true);
    for (const _ of ["once", "twice"])
      expect((await ada.caller.call("push.setSwitch", { kind: "outbid", on: false })).status).toBe(200);
    const off = (await switchesOf(ada)).flatMap(({ kind, on }) => (on ? [] : kind));
    expect(off).toEqual(["outbid"]);
    await ada.caller.call("push.setSwitch", { kind: "outbid", on: true });
    expect((await switchesOf(ada)).every(({ on }) => on)).toBe(true);
  });

  test("don't exist for kinds that aren't pushed, or aren't for the role", async () => {
    const admin = await person(w, "admin", "active");
    for (const kind of ["auctionLost", "requestMade"])
      expect((await admin.caller.call("push.setSwitch", { kind, on: false })).code).toBe("not-found");
  });
});

test("the nightly tidy-up ends subscriptions that have failed for days, and those for a key that is gone", async () => {
  const [ada, bea, cleo] = [await student(), await student(), await student()];
  for (const who of [ada, bea, cleo]) await subscribedBrowser(w, who, service);
  const { db } = w.services.database;
  const now = new Date();
  const before = new Date(now.getTime() - failingPushDays * 24 * 3_600_000);
  const setOf = (who: Person, values: Partial<typeof pushSubscription.$inferInsert>) =>
    db.update(pushSubscription).set(values).where(eq(pushSubscription.userId, who.id));
  await setOf(ada, { failedAt: new Date(before.getTime() - 1000) });
  await setOf(bea, { failedAt: new Date(before.getTime() + 1000) });
  await setOf(cleo, { serverKey: "a former key" });
  await tidySubscriptions(w.services, now);
  const rows = await Promise.all([ada, bea, cleo].map(rowsOf));
  expect(rows.map(({ length }) => length)).toEqual([0, 1, 0]);
});
