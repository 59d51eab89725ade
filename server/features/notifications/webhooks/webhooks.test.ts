import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mostSecrets, mostWebhooks } from "#domain/webhook.ts";
import { audit } from "#server/features/audit/tables.ts";
import { createKeys } from "#server/platform/keys.ts";
import { openWebhookReceiver, verified } from "#tests/fakes/webhook-receiver.ts";
import { openStream } from "#tests/support/stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { received, someEvents, TestWebhook } from "#tests/support/webhooks.ts";
import { webhookSecret } from "../tables.ts";
import { tidyWebhooks } from "./delivery-queue.ts";
import { createWebhookSecrets } from "./secrets.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

describe("an owner", () => {
  test("adds, tests, pauses, resumes and removes a webhook, and sees its deliveries", async () => {
    const others = await TestWebhook.add(w);
    await others.receiver.close();
    const hook = await TestWebhook.add(w);
    const { agent, receiver, id, secret } = hook;
    const call = (procedure: string, input: object = { id }) =>
      agent.caller.call(`webhooks.${procedure}`, input);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { body: mine } = await call("mine", {});
    expect(mine).toMatchObject({
      webhooks: [{ id, url: receiver.url, events: expect.arrayContaining(someEvents), state: "active" }],
      events: expect.arrayContaining(["application.moved"]),
    });
    expect(JSON.stringify(mine)).not.toContain("whsec_");
    const stream = await openStream(agent.caller, "webhooks");
    expect((await call("sendTest")).status).toBe(200);
    const tested = await hook.delivery("delivered", 1);
    expect(verified(secret, receiver.received[0] ?? { headers: {}, body: "" })).toEqual({
      type: "webhook.test",
      timestamp: tested.createdAt.toISOString(),
      data: { webhookId: id },
    });
    expect(await stream.next()).toBe("webhooks");
    await stream.leave();
    const { body: deliveries } = await call("deliveries");
    expect(deliveries).toMatchObject({
      deliveries: [{ id: tested.id, type: "webhook.test", state: "delivered", attempts: 1, status: 204 }],
    });

    expect((await call("sendAgain", { id: tested.id })).status).toBe(200);
    await hook.delivery("delivered", 2);
    expect(receiver.received[1]?.headers["webhook-id"]).toBe(receiver.received[0]?.headers["webhook-id"]);
    expect((await call("pause")).status).toBe(200);
    expect((await call("sendTest")).code).toBe("failed-precondition");
    expect((await call("sendAgain", { id: tested.id })).code).toBe("failed-precondition");
    expect((await call("resume")).status).toBe(200);
    expect((await call("remove")).status).toBe(200);
    expect((await call("mine", {})).body).toMatchObject({ webhooks: [] });
    expect(await hook.deliveries()).toEqual([]);
    const entries = await w.services.database.db
      .select({ action: audit.action, detail: audit.detail })
      .from(audit)
      .where(eq(audit.actorId, agent.id))
      .orderBy(asc(audit.id));
    expect(entries.filter(({ action }) => action.startsWith("webhook-"))).toEqual(
      ["webhook-added", "webhook-paused", "webhook-resumed", "webhook-removed"].map((action) => ({
        action,
        detail: { webhook: id },
      })),
    );
    await w.mail(agent.email, /A webhook was added/);
    await receiver.close();
  });

  test("replaces the secret: both sign for a day, then the new one alone", async () => {
    const hook = await TestWebhook.add(w);
    const { agent, receiver, id, secret: former } = hook;
    const { body } = await agent.caller.call("webhooks.rotateSecret", { id });
    const { secret } = body as { secret: string };
    expect(secret).not.toBe(former);
    const { body: mine } = await agent.caller.call("webhooks.mine");
    expect(mine).toMatchObject({ webhooks: [{ formerSecretUntil: expect.any(String) }] });
    await hook.notify();
    const [both] = await received(receiver, 1);
    if (!both) throw new Error("nothing came");
    expect(String(both.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(verified(former, both)).toEqual(verified(secret, both));

    const { db, pool } = w.services.database;
    const untilNow = "update webhook_secret set until = now() where webhook_id = $1 and until is not null";
    await pool.query(untilNow, [id]);
    await hook.notify();
    const [, alone] = await received(receiver, 2);
    if (!alone) throw new Error("nothing came");
    expect(verified(secret, alone)).toBeTruthy();
    expect(() => verified(former, alone)).toThrow("No matching signature");
    await tidyWebhooks(w.services, new Date(Date.now() + 1000));
    const rows = await db.select().from(webhookSecret).where(eq(webhookSecret.webhookId, id));
    expect(rows).toHaveLength(1);
    // The database holds no usable secret.
    expect(rows[0]?.sealed).not.toContain(secret.slice("whsec_".length, 20));

    const codes = [];
    for (let number = 0; number < mostSecrets; number += 1)
      codes.push((await agent.caller.call("webhooks.rotateSecret", { id })).code);
    expect(codes).toEqual([...Array.from({ length: mostSecrets - 1 }, () => null), "resource-exhausted"]);
    await receiver.close();
  });

  test("replaces a secret with an entry in the audit log, without ending any other secret", async () => {
    const [hook, other] = [await TestWebhook.add(w), await TestWebhook.add(w)];
    const { agent, id } = hook;
    const { db } = w.services.database;
    const ends = async ({ id: webhookId }: TestWebhook) => {
      const isOfWebhook = eq(webhookSecret.webhookId, webhookId);
      const rows = await db.select().from(webhookSecret).where(isOfWebhook).orderBy(webhookSecret.until);
      return rows.map(({ until: end }) => end?.getTime() ?? null);
    };
    await agent.caller.call("webhooks.rotateSecret", { id });
    const [first] = await ends(hook);
    expect(first).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);
    await agent.caller.call("webhooks.rotateSecret", { id });
    // Secrets that still sign survive the nightly tidy-up.
    await tidyWebhooks(w.services);
    expect(await ends(hook)).toEqual([first, expect.any(Number), null]);
    expect(await ends(other)).toEqual([null]);
    const entries = await db.select().from(audit).where(eq(audit.actorId, agent.id));
    const rotated = entries.filter(({ action }) => action === "webhook-secret-rotated");
    expect(rotated.map(({ detail }) => detail)).toEqual([{ webhook: id }, { webhook: id }]);
    await Promise.all([hook.receiver.close(), other.receiver.close()]);
  });

  test("has secrets that are re-encrypted with the newest session secret every night", async () => {
    const { receiver, id } = await TestWebhook.add(w);
    const older = "a secret for tests, at least 32 long";
    const renewed = createWebhookSecrets(createKeys(["a newer secret for tests, at least 32", older]));
    const { db } = w.services.database;
    const before = await renewed.count(db);
    expect(before.older).toBeGreaterThan(0);
    const message = { id: "msg_1", at: new Date(), body: "{}" };
    const sealed = async () =>
      (await db.select().from(webhookSecret).where(eq(webhookSecret.webhookId, id))).map(
        (each) => each.sealed,
      );
    const signature = renewed.headersOf(message, await sealed());
    await db
      .transaction(async (tx) => {
        await renewed.renew(tx);
        expect(await renewed.count(tx)).toEqual({ newest: before.older, older: 0, lost: 0 });
        const again = await tx.select().from(webhookSecret).where(eq(webhookSecret.webhookId, id));
        expect(
          renewed.headersOf(
            message,
            again.map((each) => each.sealed),
          ),
        ).toEqual(signature);
        tx.rollback();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error && error.message.includes("Rollback"))) throw error;
      });
    await receiver.close();
  });

  test("has at most five webhooks, even if added concurrently, and ten tests and sixty repetitions an hour", async () => {
    const hook = await TestWebhook.add(w);
    const { agent, receiver, id } = hook;
    const add = () => agent.caller.call("webhooks.add", { url: receiver.url, events: someEvents });
    const codes = (await Promise.all(Array.from({ length: mostWebhooks }, add))).map(({ code }) => code);
    expect(codes.filter((code) => code === "resource-exhausted")).toHaveLength(1);
    expect(codes.filter((code) => code === null)).toHaveLength(mostWebhooks - 1);
    const tests = [];
    for (let number = 0; number < 11; number += 1)
      tests.push((await agent.caller.call("webhooks.sendTest", { id })).code);
    expect(tests).toEqual([...Array.from({ length: 10 }, () => null), "resource-exhausted"]);
    await until(async () => (await hook.deliveries()).every(({ state }) => state === "delivered"));
    const [delivered] = await hook.deliveries();
    const again = () => agent.caller.call("webhooks.sendAgain", { id: delivered?.id });
    for (let number = 0; number < 59; number += 1) await w.services.limits.webhookAgain(agent.id);
    expect((await again()).status).toBe(200);
    expect((await again()).code).toBe("resource-exhausted");
    await receiver.close();
  });

  test("changes a webhook's address and events; secret and deliveries stay", async () => {
    const hook = await TestWebhook.add(w);
    const { agent, receiver, id, secret } = hook;
    const moved = await openWebhookReceiver();
    const change = async (url: string, events: readonly string[]) =>
      (await agent.caller.call("webhooks.change", { id, url, events })).status;
    receiver.answer(500);
    await hook.notify();
    const { id: deliveryId } = await hook.delivery("waiting", 1);
    expect(await change(` ${moved.url} `, ["application.moved"])).toBe(200);
    expect((await agent.caller.call("webhooks.mine")).body).toMatchObject({
      webhooks: [{ id, url: moved.url, events: ["application.moved"], formerSecretUntil: null }],
    });
    await w.mail(agent.email, /A webhook was changed/);

    // The waiting delivery goes to the new address, whose first failure stops nothing.
    moved.answer(500);
    await hook.retryNow(deliveryId, { isLast: true });
    await hook.delivery("failed", 2);
    expect(await hook.stored()).toMatchObject({ state: "active" });
    moved.answer(204);
    await hook.notify();
    await hook.notify({ kind: "applicationMoved" });
    const [, message] = await received(moved, 2);
    if (!message) throw new Error("nothing came");
    expect(verified(secret, message)).toMatchObject({ type: "application.moved" });
    expect(await hook.deliveries()).toHaveLength(2);

    expect(await change(moved.url, someEvents)).toBe(200);
    const { db } = w.services.database;
    const entries = await db.select().from(audit).where(eq(audit.actorId, agent.id));
    const details = entries.flatMap(({ action, detail }) => (action === "webhook-changed" ? [detail] : []));
    expect(details).toEqual([{ webhook: id }, { webhook: id }]);
    await Promise.all([receiver.close(), moved.close()]);
  });

  test("gets an error for each invalid input", async () => {
    const { agent, receiver, id } = await TestWebhook.add(w);
    const invalid = [
      ["ftp://example.org", someEvents, "form/incomplete"],
      ["http://127.0.0.1:1/", [], "form/incomplete"],
      ["http://127.0.0.1:1/", ["agent.applied"], "invalid-argument"],
      ["http://127.0.0.1:1/", ["nothing"], "invalid-argument"],
      ["http://nobody.invalid/", someEvents, "form/incomplete"],
    ] as const;
    for (const [url, events, code] of invalid) {
      expect((await agent.caller.call("webhooks.add", { url, events })).code).toBe(code);
      expect((await agent.caller.call("webhooks.change", { id, url, events })).code).toBe(code);
    }
    await receiver.close();
  });

  test("needs a recent login to add, change, resume, replace the secret or remove", async () => {
    const { agent, receiver, id } = await TestWebhook.add(w);
    await w.services.database.pool.query(
      "update session set proved_at = now() - interval '1 hour' where user_id = $1",
      [agent.id],
    );
    await w.services.database.transaction((tx) => w.services.sessions.changed(tx, agent.id));
    const input = { url: receiver.url, events: someEvents };
    expect((await agent.caller.call("webhooks.add", input)).code).toBe("auth/requires-recent-login");
    expect((await agent.caller.call("webhooks.change", { ...input, id })).code).toBe(
      "auth/requires-recent-login",
    );
    for (const procedure of ["resume", "rotateSecret", "remove"])
      expect((await agent.caller.call(`webhooks.${procedure}`, { id })).code).toBe(
        "auth/requires-recent-login",
      );
    expect((await agent.caller.call("webhooks.pause", { id })).status).toBe(200);
    await receiver.close();
  });
});
