import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatMoney } from "#domain/money.ts";
import { type NotificationKind, notificationKinds, notificationTable } from "#domain/notification.ts";
import { pushOf } from "#domain/push.ts";
import { user } from "#server/features/account/tables.ts";
import { pushSubscription } from "#server/features/push/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { type FakeBrowser, openPushService, type PushService, senderOf } from "#tests/fakes/push-service.ts";
import { bid, endAt, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { read, send } from "#tests/support/conversations.ts";
import { assignedStudent } from "#tests/support/documents.ts";
import { type Person, person, signIn } from "#tests/support/factories.ts";
import { asNotification, type NotificationInput } from "#tests/support/notification-input.ts";
import { pushesAreDone, pushesAreDue, pushesOf, subscribedBrowser } from "#tests/support/pushes.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionOutbid } from "../auctions/tables.ts";
import { notifyOfEnds } from "../auctions/watching/notify-of-ends.ts";
import { auctionWatch } from "../auctions/watching/tables.ts";
import { notify } from "./commands.ts";
import { keepAll } from "./current-notifications.ts";
import { sendPush } from "./pushes.ts";
import { notification } from "./tables.ts";

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
const db = () => w.services.database.db;

async function subscribed(who?: Person): Promise<{ who: Person; browser: FakeBrowser }> {
  const reader = who ?? (await student());
  return { who: reader, browser: await subscribedBrowser(w, reader, service) };
}

const inputFor = ({ id }: Person, changes: Partial<NotificationInput> = {}): NotificationInput => ({
  userId: id,
  kind: "auctionWon",
  eventKey: randomUUID(),
  about: { product: "Desk", price: "R1,250.00" },
  ids: { productId: randomUUID() },
  path: "/product/1",
  ...changes,
});
const notifyReader = (who: Person, changes: Partial<NotificationInput> = {}) =>
  w.services.database.transaction((tx) => notify(w.services, tx, asNotification(inputFor(who, changes))));

/** Writes only an entry of the bell; `send` sends it, like a job that the queue runs late or again. */
async function entryFor(who: Person, changes: Partial<NotificationInput> = {}) {
  const { mail: _mail, ...row } = inputFor(who, changes);
  await db().insert(notification).values(row);
  const [subscription] = await db()
    .select({ id: pushSubscription.id })
    .from(pushSubscription)
    .where(eq(pushSubscription.userId, who.id));
  const job = { userId: who.id, eventKey: row.eventKey, subscriptionId: subscription?.id ?? randomUUID() };
  return { eventKey: row.eventKey, send: () => sendPush(w.services, job, false) };
}

describe("an outbid bidder", () => {
  test("is notified in their browser, by a message that only it can read and that has no amount", async () => {
    const [seller, bea] = [await student(), await student()];
    const { who: ada, browser } = await subscribed();
    const id = await product(w, seller, { productName: "Desk" });
    await bid(ada.caller, id, 150);
    await bid(bea.caller, id, 1250);
    const [push] = await until(() => browser.received.length > 0 && browser.received);
    expect(browser.shown).toEqual([
      { title: "You've been outbid on Desk", path: `/product/${id}`, tag: push?.headers["topic"] },
    ]);
    expect(push?.body.toString("latin1")).not.toContain("Desk");
    expect(push?.headers).toMatchObject({
      urgency: "high",
      topic: expect.stringMatching(/^[\w-]{32}$/),
      ttl: expect.stringMatching(/^14[34]\d\d$/),
      "content-encoding": "aes128gcm",
    });
    if (!push) throw new Error("nothing came");
    expect(senderOf(push, browser.serverKey)).toMatchObject({
      aud: service.origin,
      sub: `mailto:${w.environment.contactEmail}`,
    });
    expect(Object.keys(push.headers).toSorted()).not.toContain("cookie");
  });

  test("is notified again under the same topic, which replaces a pending push", async () => {
    const [seller, bea] = [await student(), await student()];
    const { who: ada, browser } = await subscribed();
    const id = await product(w, seller);
    for (const [at, who] of [ada, bea, ada, bea].entries()) {
      await bid(who.caller, id, 150 + at * 10);
      if (who === bea) await until(() => browser.received.length === (at + 1) / 2);
    }
    const topics = browser.received.map(({ headers }) => headers["topic"]);
    expect(topics[0]).toBe(topics[1]);
    const other = await product(w, seller);
    await bid(ada.caller, other, 150);
    await bid(bea.caller, other, 200);
    await until(() => browser.received.length === 3);
    expect(browser.received[2]?.headers["topic"]).not.toBe(topics[0]);
  });

  test("isn't notified once they lead again, and their next mail isn't affected", async () => {
    const [seller, bea] = [await student(), await student()];
    const ada = await student();
    const id = await product(w, seller);
    await bid(ada.caller, id, 150);
    await bid(bea.caller, id, 200);
    const mailedAt = () =>
      db()
        .select({ at: auctionOutbid.mailedAt })
        .from(auctionOutbid)
        .where(eq(auctionOutbid.bidderId, ada.id));
    await until(async () => (await mailedAt()).length > 0);
    const before = await mailedAt();
    const { browser } = await subscribed(ada);
    await bid(ada.caller, id, 300);
    const { send: again } = await entryFor(ada, { kind: "outbid", ids: { productId: id } });
    await again();
    expect(browser.received).toEqual([]);
    expect(await mailedAt()).toEqual(before);
  });
});

describe("a watcher of an item", () => {
  const watches = (who: Person, productId: string) =>
    db()
      .insert(auctionWatch)
      .values({ userId: who.id, productId, at: new Date(Date.now() - 2 * 3_600_000) });

  test("is notified in their browser that it ends within the hour, by a push that expires at the end", async () => {
    const seller = await student();
    const { who: ada, browser } = await subscribed();
    const endDate = new Date(Date.now() + 50 * 60_000);
    const id = await product(w, seller, { productName: "Desk", endDate });
    await watches(ada, id);
    await notifyOfEnds(w.services);
    const [push] = await until(() => browser.received.length > 0 && browser.received);
    expect(browser.shown).toMatchObject([{ title: "Ending soon: Desk", path: `/product/${id}` }]);
    expect(push?.headers).toMatchObject({ urgency: "high", ttl: expect.stringMatching(/^3[56]\d\d$/) });
  });

  test("isn't notified once they lead or the end has moved", async () => {
    const seller = await student();
    const { who: ada, browser } = await subscribed();
    const endDate = new Date(Date.now() + 50 * 60_000);
    const [led, moved] = [await product(w, seller, { endDate }), await product(w, seller, { endDate })];
    for (const id of [led, moved]) await watches(ada, id);
    await bid(ada.caller, led, 150);
    await endAt(w, moved, new Date(Date.now() + 3 * 3_600_000));
    for (const id of [led, moved]) {
      const { send } = await entryFor(ada, { kind: "watchedEnding", ids: { productId: id } });
      await send();
    }
    expect(browser.received).toEqual([]);
  });
});

const pushed = notificationKinds.filter((kind) => pushOf(kind) !== null);

test.each(pushed)("a push of %s contains no amount", async (kind: NotificationKind) => {
  const { who, browser } = await subscribed();
  const canary = formatMoney(77_777_700);
  const names = Object.keys(notificationTable[kind].about);
  const about = Object.fromEntries(
    names.map((name) => [name, ["product", "student", "agent", "side"].includes(name) ? "Desk" : canary]),
  );
  const { eventKey } = await entryFor(who, { kind, about });
  const [subscription] = await db()
    .select({ id: pushSubscription.id })
    .from(pushSubscription)
    .where(eq(pushSubscription.userId, who.id));
  // A check would notice that its subject doesn't exist.
  const notificationChecks = { ...w.services.notificationChecks, [kind]: keepAll };
  const unchecked = { ...w.services, notificationChecks };
  await sendPush(unchecked, { userId: who.id, eventKey, subscriptionId: subscription?.id ?? "" }, false);
  expect(browser.shown).toHaveLength(1);
  // The tag consists of random letters and digits.
  const { tag: _tag, ...text } = browser.shown[0] ?? {};
  expect(JSON.stringify(text)).not.toMatch(/77|777/);
});

describe("a push is sent", () => {
  test("once for an event, to every browser of the person, and to nobody else's", async () => {
    const { who, browser } = await subscribed();
    const elsewhere = new Caller(w.app);
    await signIn(w, elsewhere, who.id);
    const second = await subscribedBrowser(w, { caller: elsewhere }, service);
    const { browser: others } = await subscribed();
    await notifyReader(who, { eventKey: "the same" });
    await notifyReader(who, { eventKey: "the same" });
    await pushesAreDone(w, who);
    expect([browser, second, others].map(({ texts }) => texts.length)).toEqual([1, 1, 0]);
    expect(browser.shown[0]?.tag).not.toBe(second.shown[0]?.tag);
  });

  test("never for a change that was rolled back", async () => {
    const { who } = await subscribed();
    const failing = w.services.database.transaction(async (tx) => {
      await notify(w.services, tx, asNotification(inputFor(who)));
      throw new Error("the change failed");
    });
    await expect(failing).rejects.toThrow("the change failed");
    expect(await pushesOf(w, who)).toEqual([]);
  });

  test("again under the same topic and tag if the server died before it recorded the push", async () => {
    const { who, browser } = await subscribed();
    const { send: again } = await entryFor(who);
    await again();
    await again();
    expect(browser.received).toHaveLength(2);
    expect(new Set(browser.received.map(({ headers }) => headers["topic"])).size).toBe(1);
    expect(new Set(browser.shown.map(({ tag }) => tag)).size).toBe(1);
  });

  test("only for kinds that declare a push", async () => {
    const { who } = await subscribed();
    await notifyReader(who, { kind: "auctionLost" });
    expect(await pushesOf(w, who)).toEqual([]);
  });
});

describe("a pending push is no longer sent once", () => {
  const cases: Record<string, (who: Person, eventKey: string) => Promise<unknown>> = {
    "its notification was read": (who) =>
      who.caller.call("notifications.markAllRead", { upTo: Number.MAX_SAFE_INTEGER }),
    "its kind was switched off": (who) =>
      who.caller.call("push.setSwitch", { kind: "auctionWon", on: false }),
    "the browser was unsubscribed": async (who) => {
      const [row] = await db().select().from(pushSubscription).where(eq(pushSubscription.userId, who.id));
      return await who.caller.call("push.unsubscribe", { endpoint: row?.endpoint });
    },
    "the person logged out there": (who) => who.caller.call("account.signOut"),
    "all sessions of the account ended": (who) =>
      w.services.database.transaction((tx) => w.services.sessions.endAll(tx, who.id)),
    "the login expired": (who) =>
      db()
        .update(session)
        .set({ expiresAt: new Date(Date.now() - 1000) })
        .where(eq(session.userId, who.id)),
    "the account was disabled": (who) =>
      db().update(user).set({ status: "disabled" }).where(eq(user.id, who.id)),
    "the account was erased": (who) => db().delete(user).where(eq(user.id, who.id)),
    "it is too old to be shown": (who) =>
      db()
        .update(notification)
        .set({ createdAt: new Date(Date.now() - 73 * 3_600_000) })
        .where(eq(notification.userId, who.id)),
    "a newer one replaced it": (who) => db().delete(notification).where(eq(notification.userId, who.id)),
  };
  test.each(Object.entries(cases))("%s", async (_, change) => {
    const { who, browser } = await subscribed();
    const { eventKey, send: late } = await entryFor(who);
    await change(who, eventKey);
    await late();
    expect(browser.received).toEqual([]);
  });
});

test("logging out elsewhere ends that device's subscription, and leaves this one's", async () => {
  const { who, browser } = await subscribed();
  const elsewhere = new Caller(w.app);
  await signIn(w, elsewhere, who.id);
  const second = await subscribedBrowser(w, { caller: elsewhere }, service);
  expect((await who.caller.call("account.signOutOthers")).status).toBe(200);
  await notifyReader(who);
  await pushesAreDone(w, who);
  expect([browser, second].map(({ texts }) => texts.length)).toEqual([1, 0]);
});

describe("a message in a conversation", () => {
  test("is pushed after a moment, unless it is read before", async () => {
    const { student, agent } = await assignedStudent(w);
    const { browser } = await subscribed(student);
    const { threadId, number } = await send(agent, student.id);
    expect(await pushesOf(w, student)).toEqual(["created"]);
    await read(student, threadId, number);
    await pushesAreDue(w, student);
    await pushesAreDone(w, student);
    expect(browser.received).toEqual([]);
    await send(agent, student.id);
    await pushesAreDue(w, student);
    await until(() => browser.received.length === 1);
    expect(browser.shown).toMatchObject([
      { title: "New message from Ada Obi", path: expect.stringContaining(threadId) },
    ]);
  });
});
