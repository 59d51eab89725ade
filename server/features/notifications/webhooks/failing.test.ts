import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { verified } from "#tests/fakes/webhook-receiver.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { someEvents, TestWebhook } from "#tests/support/webhooks.ts";
import { notification } from "../tables.ts";
import { deliveryQueue } from "./delivery-queue.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

describe("a receiver that fails", () => {
  test("gets the same message again, with the same id, after growing delays", async () => {
    const hook = await TestWebhook.add(w);
    const { receiver } = hook;
    receiver.answer(500);
    await hook.notify();
    const first = await hook.delivery("waiting", 1);
    expect(first).toMatchObject({ status: 500, problem: null });
    await hook.retryIsQueued(first.id);
    const [job] = await hook.jobs(first.id, first.attemptedAt ?? undefined);
    expect(job?.seconds).toBeGreaterThanOrEqual(10);
    receiver.answer((response) => response.writeHead(302, { location: receiver.url }).end());
    await hook.retryNow(first.id);
    await hook.delivery("waiting", 2);
    receiver.answer(200);
    await hook.retryNow(first.id);
    await hook.delivery("delivered", 3);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([`msg_${first.id}`]),
    );
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const each of receiver.received) expect(verified(hook.secret, each)).toBeTruthy();
    expect(await hook.stored()).toMatchObject({ state: "active" });
    await receiver.close();
  });

  test("is retried for 17 hours to less than a day, as the queue is configured", async () => {
    const { rows } = await w.services.database.pool.query(
      `select retry_limit as "limit", retry_delay as "firstDelay", retry_delay_max as "longestDelay",
         retry_backoff as backoff from jobs.queue where name = 'webhook'`,
    );
    expect(rows).toEqual([{ ...deliveryQueue.retry, backoff: true }]);
    const { limit = 0, firstDelay = 0, longestDelay = 0 } = deliveryQueue.retry ?? {};
    const delays = (share: number) =>
      Array.from({ length: limit }, (_, at) => Math.min(longestDelay, firstDelay * 2 ** at * share));
    const hours = (share: number) => delays(share).reduce((sum, each) => sum + each, 0) / 3600;
    expect(hours(1)).toBeGreaterThan(17);
    expect(hours(2)).toBeLessThan(23.5);
  });

  test("at every attempt is stopped, its waiting deliveries cancelled, and its owner notified", async () => {
    const hook = await TestWebhook.add(w, undefined, [...someEvents, "webhook.stopped"]);
    const { agent, receiver, id } = hook;
    receiver.answer(503);
    await hook.notify();
    const { id: deliveryId } = await hook.delivery("waiting", 1);
    await hook.notify();
    await until(async () => (await hook.deliveries()).every(({ attempts }) => attempts === 1));
    await hook.retryNow(deliveryId, { isLast: true });
    await until(async () => (await hook.stored())?.state === "stopped");
    expect(await hook.stored()).toMatchObject({ stopReason: "failing", stoppedAt: expect.any(Date) });
    expect((await hook.deliveries()).map(({ state }) => state)).toEqual(["failed", "cancelled"]);
    const bell = await w.services.database.db
      .select()
      .from(notification)
      .where(eq(notification.userId, agent.id));
    expect(bell.at(-1)).toMatchObject({
      kind: "webhookStopped",
      about: { webhook: `127.0.0.1:${receiver.port}`, reason: expect.any(String) },
      path: "/webhooks",
    });
    await w.mail(agent.email, /Your webhook to 127.0.0.1:\d+ was stopped/);
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, agent.id));
    expect(entries.find(({ action }) => action === "webhook-stopped")).toMatchObject({
      actorId: null,
      detail: { webhook: id, because: "failing" },
    });
    // No job counts as failed, since no admin has to look into it.
    expect(w.log.filter(({ msg }) => msg === "a job failed")).toEqual([]);
    const { length } = receiver.received;
    await hook.notify();
    expect(await hook.deliveries()).toHaveLength(2);

    receiver.answer(204);
    expect((await agent.caller.call("webhooks.resume", { id })).status).toBe(200);
    expect(await hook.stored()).toMatchObject({ state: "active", stopReason: null });
    await hook.notify();
    await until(() => receiver.received.length > length);
    await receiver.close();
  });

  test("for one event only is not stopped", async () => {
    const hook = await TestWebhook.add(w);
    const { receiver } = hook;
    receiver.answer(500);
    await hook.notify();
    const { id: deliveryId } = await hook.delivery("waiting", 1);
    receiver.answer(200);
    await hook.notify();
    await until(async () => (await hook.deliveries()).some(({ state }) => state === "delivered"));
    receiver.answer(500);
    await hook.retryNow(deliveryId, { isLast: true });
    await hook.delivery("failed", 2);
    expect(await hook.stored()).toMatchObject({ state: "active" });
    await receiver.close();
  });

  test("with 410 is stopped immediately", async () => {
    const hook = await TestWebhook.add(w);
    hook.receiver.answer(410);
    await hook.notify();
    await until(async () => (await hook.stored())?.state === "stopped");
    expect(await hook.stored()).toMatchObject({ stopReason: "gone" });
    expect(await hook.deliveries()).toMatchObject([{ state: "failed", status: 410, attempts: 1 }]);
    await hook.receiver.close();
  });

  test("to answer doesn't hold up other accounts' deliveries, and gets two at a time", async () => {
    const slow = await TestWebhook.add(w);
    const held: (() => void)[] = [];
    slow.receiver.answer((response) => void held.push(() => response.writeHead(204).end()));
    await slow.notify({ times: 12 });
    await until(() => held.length === 2);
    const quick = await TestWebhook.add(w);
    await quick.notify();
    await quick.delivery("delivered", 1);
    expect(held).toHaveLength(2);
    slow.receiver.answer(204);
    for (const release of held) release();
    await until(async () => (await slow.deliveries()).every(({ state }) => state === "delivered"));
    await Promise.all([slow.receiver.close(), quick.receiver.close()]);
  });
});
