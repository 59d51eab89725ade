import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { eraseAccount } from "#server/features/privacy/erase-account.ts";
import { createMetrics } from "#server/metrics.ts";
import { fetchDocument } from "#tests/api/document.ts";
import { openWebhookReceiver, verified } from "#tests/fakes/webhook-receiver.ts";
import { submit } from "#tests/support/applications.ts";
import { assign, assignedStudent, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { newNotification, received, someEvents, TestWebhook } from "#tests/support/webhooks.ts";
import { notify } from "../commands.ts";
import { webhook, webhookDelivery } from "../tables.ts";
import { tidyWebhooks } from "./delivery-queue.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

describe("a notification of an agent", () => {
  test("reaches their webhook signed, with ids only", async () => {
    const { student, agent } = await assignedStudent(w);
    const { receiver, secret } = await TestWebhook.add(w, agent);
    const other = await person(w, "agent", "approved");
    const { receiver: others } = await TestWebhook.add(w, other);
    const { body: submitted } = await submit(student);
    const { id: documentId } = await upload(student);
    await received(receiver, 2);
    const bodies = receiver.received.map((each) => verified(secret, each));
    expect(bodies).toHaveLength(2);
    const applicationId = /"id":"([\w-]+)"/.exec(JSON.stringify(submitted))?.[1];
    expect(bodies).toEqual(
      expect.arrayContaining([
        {
          type: "application.moved",
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          data: { studentId: student.id, applicationId },
        },
        {
          type: "document.uploaded",
          timestamp: expect.any(String),
          data: { studentId: student.id, documentId },
        },
      ]),
    );
    const { checkMessage } = await fetchDocument(w.app);
    expect(receiver.received.map(checkMessage)).toEqual([null, null]);
    const [message] = receiver.received;
    expect(message).toMatchObject({ method: "POST", path: "/hook" });
    expect(message?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(Object.keys(message?.headers ?? {}).toSorted()).toEqual([
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "webhook-id",
      "webhook-signature",
      "webhook-timestamp",
    ]);
    const forged = { ...message, headers: message?.headers ?? {}, body: `${message?.body} ` };
    expect(() => verified(secret, forged)).toThrow();
    expect(others.received).toEqual([]);
    await Promise.all([receiver.close(), others.close()]);
  });

  test("is sent once for each event, to active webhooks that have chosen it", async () => {
    const hook = await TestWebhook.add(w);
    const { agent, id } = hook;
    const unwanted = await TestWebhook.add(w, agent, ["auction.outbid"]);
    await hook.notify({ eventKey: "same" });
    await hook.notify({ eventKey: "same" });
    await hook.delivery("delivered", 1);
    expect(await hook.deliveries()).toHaveLength(1);
    expect(await unwanted.deliveries()).toEqual([]);
    expect((await agent.caller.call("webhooks.pause", { id })).status).toBe(200);
    await hook.notify();
    expect(await hook.deliveries()).toHaveLength(1);
    await Promise.all([hook.receiver.close(), unwanted.receiver.close()]);
  });

  test("is sent only to its recipient's webhook, even if others are notified in the same transaction", async () => {
    const [hook, other] = [await TestWebhook.add(w), await TestWebhook.add(w)];
    const all = [hook, other].map(({ agent, id }) => newNotification(agent, { ids: { studentId: id } }));
    await w.services.database.transaction((tx) => notify(w.services, tx, ...all));
    for (const each of [hook, other]) {
      await each.delivery("delivered", 1);
      expect(await each.deliveries()).toMatchObject([{ ids: { studentId: each.id } }]);
      await each.receiver.close();
    }
  });

  test("is not sent if the transaction fails", async () => {
    const hook = await TestWebhook.add(w);
    const failing = w.services.database.transaction(async (tx) => {
      await notify(w.services, tx, newNotification(hook.agent));
      throw new Error("something else failed");
    });
    await expect(failing).rejects.toThrow("something else failed");
    expect(await hook.deliveries()).toEqual([]);
    await hook.receiver.close();
  });
});

/** Creates a webhook with one delivery that waits for its second attempt. */
async function pendingDelivery() {
  const hook = await TestWebhook.add(w);
  hook.receiver.answer(500);
  await hook.notify();
  const { id: deliveryId } = await hook.delivery("waiting", 1);
  await hook.retryIsQueued(deliveryId);
  return { hook, deliveryId };
}

describe("a webhook that is paused", () => {
  const pause = ({ agent, id }: TestWebhook) => agent.caller.call("webhooks.pause", { id });

  test("has its waiting deliveries cancelled immediately, and delivered ones left as they are", async () => {
    const { hook } = await pendingDelivery();
    hook.receiver.answer(204);
    await hook.notify();
    const states = async () => (await hook.deliveries()).map(({ state }) => state);
    await until(async () => (await states()).includes("delivered"));
    await pause(hook);
    expect(await states()).toEqual(["cancelled", "delivered"]);
    await hook.receiver.close();
  });

  test("during an attempt gets no other attempt", async () => {
    const hook = await TestWebhook.add(w);
    const { promise: request, resolve } = Promise.withResolvers<() => void>();
    hook.receiver.answer((response) => resolve(() => response.writeHead(500).end()));
    await hook.notify();
    const fail = await request;
    await pause(hook);
    fail();
    const attempted = () => hook.deliveries().then((all) => all.find(({ attempts }) => attempts === 1));
    expect(await until(attempted)).toMatchObject({ state: "cancelled", status: 500 });
    await hook.receiver.close();
  });

  test("before a delivery was committed doesn't get that delivery", async () => {
    const { hook, deliveryId } = await pendingDelivery();
    const { db } = w.services.database;
    await db.update(webhook).set({ state: "paused" }).where(eq(webhook.id, hook.id));
    await hook.retryNow(deliveryId);
    await hook.delivery("cancelled", 1);
    expect(hook.receiver.received).toHaveLength(1);
    await hook.receiver.close();
  });
});

describe("an account that has lost access", () => {
  test("gets no more deliveries, queued ones included: disabled and revoked", async () => {
    for (const status of ["disabled", "revoked"] as const) {
      const { hook, deliveryId } = await pendingDelivery();
      await w.services.database.db.update(user).set({ status }).where(eq(user.id, hook.agent.id));
      await hook.notify();
      await hook.retryNow(deliveryId);
      await hook.delivery("cancelled", 1);
      expect(await hook.deliveries()).toHaveLength(1);
      expect(hook.receiver.received).toHaveLength(1);
      await hook.receiver.close();
    }
  });

  test("is erased with its webhooks, and a student with others' deliveries about them", async () => {
    const { hook, deliveryId } = await pendingDelivery();
    const { agent, receiver } = hook;
    await w.services.database.db
      .update(user)
      .set({ status: "disabled", deletionDueAt: new Date(0) })
      .where(eq(user.id, agent.id));
    expect(await eraseAccount(w.services, agent.id, () => true, { by: "test" })).toBe(true);
    expect(await hook.stored()).toBeUndefined();
    expect(await hook.deliveries()).toEqual([]);
    expect(await hook.jobs(deliveryId)).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();

    const student = await person(w, "student", "active");
    const other = await TestWebhook.add(w);
    await assign(w, student.id, other.agent.id);
    await submit(student);
    await other.delivery("delivered", 1);
    await w.services.database.db
      .update(user)
      .set({ status: "disabled", deletionDueAt: new Date(0) })
      .where(eq(user.id, student.id));
    expect(await eraseAccount(w.services, student.id, () => true, { by: "test" })).toBe(true);
    expect(await other.deliveries()).toEqual([]);
    await other.receiver.close();
  });
});

test("deliveries are kept for 30 days, and those without a job cancelled after two", async () => {
  const hook = await TestWebhook.add(w);
  await hook.notify({ times: 3 });
  await until(
    async () => (await hook.deliveries()).filter(({ state }) => state === "delivered").length === 3,
  );
  const [old, stuck] = await hook.deliveries();
  const { db } = w.services.database;
  const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  await db
    .update(webhookDelivery)
    .set({ createdAt: ago(31) })
    .where(eq(webhookDelivery.id, old?.id ?? ""));
  await db
    .update(webhookDelivery)
    .set({ createdAt: ago(3), state: "waiting" })
    .where(eq(webhookDelivery.id, stuck?.id ?? ""));
  await tidyWebhooks(w.services);
  const deliveries = await hook.deliveries();
  expect(deliveries.map(({ state }) => state)).toEqual(["cancelled", "delivered"]);
  await hook.receiver.close();
});

test("private addresses can't be added unless allowed, and get nothing if they became private later", async () => {
  const strict = await wayfare();
  const agent = await person(strict, "agent", "approved");
  const receiver = await openWebhookReceiver();
  for (const url of [receiver.url, "https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/"])
    expect((await agent.caller.call("webhooks.add", { url, events: someEvents })).code).toBe(
      "form/incomplete",
    );
  const { db } = strict.services.database;
  const row = { userId: agent.id, url: receiver.url, events: someEvents };
  const [added] = await db.insert(webhook).values(row).returning({ id: webhook.id });
  await strict.services.database.transaction((tx) => notify(strict.services, tx, newNotification(agent)));
  const delivery = await until(async () => {
    const [first] = await db
      .select()
      .from(webhookDelivery)
      .where(eq(webhookDelivery.webhookId, added?.id ?? ""));
    return first?.attempts === 1 ? first : undefined;
  });
  expect(delivery).toMatchObject({ state: "waiting", status: null, problem: "blocked" });
  expect(receiver.received).toEqual([]);
  await receiver.close();
  await strict.stop();
});

test("bodies, logs and metrics contain no personal data and no webhook URLs", async () => {
  const { student, agent } = await assignedStudent(w);
  await w.services.database.db
    .update(user)
    .set({ name: "Kanarie Mensah", firstName: "Kanarie", lastName: "Mensah" })
    .where(eq(user.id, student.id));
  const receiver = await openWebhookReceiver();
  const url = `${receiver.url}/kanarie-path?key=kanarie-query`;
  await agent.caller.call("webhooks.add", { url, events: someEvents });
  await submit(student, { program: "Kanarie Studies", additionalInfo: "Kanarie wants to study" });
  expect((await upload(student, { name: "Kanarie passport.pdf" })).status).toBe(200);
  await received(receiver, 2);
  receiver.answer(500);
  await submit(student, { program: "Kanarie Sciences" });
  await received(receiver, 3);
  expect(receiver.received[0]?.path).toContain("kanarie-query");
  await until(() => w.log.some(({ msg }) => msg === "a job is tried again"));
  const bodies = receiver.received.map(({ body, headers }) => body + JSON.stringify(headers));
  const metrics = await createMetrics(w.services).metrics();
  expect(metrics).toMatch(/wayfare_webhook_deliveries_total\{result="delivered"\} \d/);
  expect(metrics).toMatch(/wayfare_webhook_deliveries_total\{result="refused"\} \d/);
  // Without a mail server emails go to the log, and production warns of that.
  const log = w.log.filter(({ to }) => to === undefined);
  const words = ["kanarie", "mensah", student.email, agent.email];
  for (const [name, text] of Object.entries({ bodies: bodies.join(), log: JSON.stringify(log), metrics }))
    expect([name, words.filter((word) => text.toLowerCase().includes(word))]).toEqual([name, []]);
  await receiver.close();
});
