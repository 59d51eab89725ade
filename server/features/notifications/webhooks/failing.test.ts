import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { until, type Wayfare, wayfare } from "#tests/wayfare.ts";
import { verified } from "#tests/webhook-receiver.ts";
import {
  deliveriesOf,
  deliveryIn,
  due,
  everything,
  hooked,
  jobOf,
  jobWaits,
  news,
  notifyAll,
  storedWebhook,
} from "#tests/webhooks.ts";
import { notification } from "../tables.ts";
import { deliveryQueue } from "./delivery-queue.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

describe("a receiver that fails", () => {
  test("gets the same message again, with the same id, later and later", async () => {
    const { agent, receiver, id, secret } = await hooked(w);
    receiver.answer(500);
    await notifyAll(w, news(agent));
    const first = await deliveryIn(w, id, "waiting", 1);
    expect(first).toMatchObject({ status: 500, problem: null });
    await jobWaits(w, first.id);
    const { rows } = await w.services.database.pool.query<{ seconds: number }>(
      `select extract(epoch from start_after - $2::timestamptz)::float as seconds from jobs.job where ${jobOf}`,
      [first.id, first.attemptedAt],
    );
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(10);
    receiver.answer((response) => response.writeHead(302, { location: receiver.url }).end());
    await due(w, first.id);
    await deliveryIn(w, id, "waiting", 2);
    receiver.answer(200);
    await jobWaits(w, first.id);
    await due(w, first.id);
    await deliveryIn(w, id, "delivered", 3);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([`msg_${first.id}`]),
    );
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const each of receiver.received) expect(verified(secret, each)).toBeTruthy();
    expect(await storedWebhook(w, id)).toMatchObject({ state: "active" });
    await receiver.close();
  });

  test("is tried for most of a day, and never for more: the queue has these numbers", async () => {
    const { rows } = await w.services.database.pool.query(
      `select retry_limit as times, retry_delay as first, retry_delay_max as longest, retry_backoff as growing
       from jobs.queue where name = 'webhook'`,
    );
    expect(rows).toEqual([{ ...deliveryQueue.again, growing: true }]);
    const { times = 0, first = 0, longest = 0 } = deliveryQueue.again ?? {};
    const pauses = (share: number) =>
      Array.from({ length: times }, (_, at) => Math.min(longest, first * 2 ** at * share));
    const hours = (share: number) => pauses(share).reduce((sum, each) => sum + each, 0) / 3600;
    expect(hours(1)).toBeGreaterThan(17);
    expect(hours(2)).toBeLessThan(23.5);
  });

  test("through all attempts is stopped, with what waits, and its owner is notified", async () => {
    const { agent, receiver, id } = await hooked(w, undefined, [...everything, "webhook.stopped"]);
    receiver.answer(503);
    await notifyAll(w, news(agent));
    const { id: deliveryId } = await deliveryIn(w, id, "waiting", 1);
    await notifyAll(w, news(agent));
    await until(async () => (await deliveriesOf(w, id)).every(({ attempts }) => attempts === 1));
    await jobWaits(w, deliveryId);
    await due(w, deliveryId, true);
    await until(async () => (await storedWebhook(w, id))?.state === "stopped");
    expect(await storedWebhook(w, id)).toMatchObject({ stopReason: "failing", stoppedAt: expect.any(Date) });
    expect((await deliveriesOf(w, id)).map(({ state }) => state)).toEqual(["failed", "cancelled"]);
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
    // No job of it counts as failed: it is not for an admin to look into.
    expect(w.log.filter(({ msg }) => msg === "a job failed")).toEqual([]);
    const { length } = receiver.received;
    await notifyAll(w, news(agent));
    expect((await deliveriesOf(w, id)).length).toBe(2);

    receiver.answer(204);
    expect((await agent.caller.call("webhooks.resume", { id })).status).toBe(200);
    expect(await storedWebhook(w, id)).toMatchObject({ state: "active", stopReason: null });
    await notifyAll(w, news(agent));
    await until(() => receiver.received.length > length);
    await receiver.close();
  });

  test("for one event only is not stopped, nor when it was turned on again meanwhile", async () => {
    const { agent, receiver, id } = await hooked(w);
    receiver.answer(500);
    await notifyAll(w, news(agent));
    const { id: deliveryId } = await deliveryIn(w, id, "waiting", 1);
    receiver.answer(200);
    await notifyAll(w, news(agent));
    await until(async () => (await deliveriesOf(w, id)).some(({ state }) => state === "delivered"));
    receiver.answer(500);
    await jobWaits(w, deliveryId);
    await due(w, deliveryId, true);
    await deliveryIn(w, id, "failed", 2);
    expect(await storedWebhook(w, id)).toMatchObject({ state: "active" });
    await receiver.close();
  });

  test("and says that it is gone is stopped at once", async () => {
    const { agent, receiver, id } = await hooked(w);
    receiver.answer(410);
    await notifyAll(w, news(agent));
    await until(async () => (await storedWebhook(w, id))?.state === "stopped");
    expect(await storedWebhook(w, id)).toMatchObject({ stopReason: "gone" });
    expect(await deliveriesOf(w, id)).toMatchObject([{ state: "failed", status: 410, attempts: 1 }]);
    await receiver.close();
  });

  test("to answer holds up nobody else's, and gets two at a time", async () => {
    const slow = await hooked(w);
    const held: (() => void)[] = [];
    slow.receiver.answer((response) => void held.push(() => response.writeHead(204).end()));
    await notifyAll(w, ...Array.from({ length: 12 }, () => news(slow.agent)));
    await until(() => held.length === 2);
    const quick = await hooked(w);
    await notifyAll(w, news(quick.agent));
    await deliveryIn(w, quick.id, "delivered", 1);
    expect(held).toHaveLength(2);
    slow.receiver.answer(204);
    for (const release of held) release();
    await until(async () => (await deliveriesOf(w, slow.id)).every(({ state }) => state === "delivered"));
    await Promise.all([slow.receiver.close(), quick.receiver.close()]);
  });
});
