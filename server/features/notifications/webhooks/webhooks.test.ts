import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { mostSecrets, mostWebhooks } from "#domain/webhook.ts";
import { buildPages } from "#scripts/build.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { eraseAccount } from "#server/features/privacy/erase-account.ts";
import { createMetrics } from "#server/metrics.ts";
import { createKeys } from "#server/platform/keys.ts";
import { submit } from "#tests/applications.ts";
import { assign, guidedStudent, upload } from "#tests/documents.ts";
import { type Person, person } from "#tests/factories.ts";
import { dataFolder, startServer } from "#tests/server-process.ts";
import { openStream } from "#tests/stream.ts";
import { freshDatabase, until, type Wayfare, wayfare } from "#tests/wayfare.ts";
import { openWebhookReceiver, verified } from "#tests/webhook-receiver.ts";
import { type News, notify } from "../commands.ts";
import { notification, webhook, webhookDelivery, webhookSecret } from "../tables.ts";
import { deliveryQueue } from "./delivery-queue.ts";
import { createWebhookSecrets } from "./secrets.ts";
import { tidyWebhooks } from "./tidy-up.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

const everything = ["application.moved", "document.uploaded", "student.assigned", "auction.outbid"];
type Receiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/** An agent's webhook to a receiver of its own, which a test closes. */
async function hooked(who?: Person, events: readonly string[] = everything) {
  const agent = who ?? (await person(w, "agent", "approved"));
  const receiver = await openWebhookReceiver();
  const { body } = await agent.caller.call("webhooks.add", { url: receiver.url, events });
  const { id, secret } = body as { id: string; secret: string };
  return { agent, receiver, id, secret };
}

/** What an agent is notified of in a test, under a key of its own. */
const news = ({ id }: Person, changes: Partial<News> = {}): News => ({
  userId: id,
  kind: "studentAssigned",
  eventKey: randomUUID(),
  about: { student: "Kanarie Mensah" },
  ids: { studentId: "the-student" },
  path: "/manage-students",
  ...changes,
});
const notifyAll = (...all: News[]) => w.services.database.transaction((tx) => notify(w.services, tx, ...all));
const deliveriesOf = (webhookId: string) =>
  w.services.database.db
    .select()
    .from(webhookDelivery)
    .where(eq(webhookDelivery.webhookId, webhookId))
    .orderBy(asc(webhookDelivery.createdAt));
const stored = async (id: string) => {
  const [found] = await w.services.database.db.select().from(webhook).where(eq(webhook.id, id));
  return found;
};

const jobOf = "name = 'webhook' and data ->> 'deliveryId' = $1";
/** Makes the next attempt due; `isLast`: as if all others had been made. */
const due = (deliveryId: string, isLast = false) =>
  w.services.database.pool.query(
    `update jobs.job set start_after = now()${isLast ? ", retry_count = retry_limit - 1" : ""}
     where ${jobOf} and state = 'retry'`,
    [deliveryId],
  );
const jobWaits = async (deliveryId: string) =>
  await until(async () => {
    const { rows } = await w.services.database.pool.query<{ state: string }>(
      `select state from jobs.job where ${jobOf} and state = 'retry'`,
      [deliveryId],
    );
    return rows.length > 0;
  });
/** The first delivery of a webhook, once it is as it is looked for. */
const deliveryIn = (id: string, state: string, attempts: number) =>
  until(async () => {
    const [found] = await deliveriesOf(id);
    return found?.state === state && found.attempts === attempts ? found : undefined;
  });
const received = (receiver: Receiver, number: number) =>
  until(() => (receiver.received.length >= number ? receiver.received : undefined));

describe("what an agent is notified of", () => {
  test("reaches their webhook signed, with ids and nothing else; so it is with each kind", async () => {
    const { student, agent } = await guidedStudent(w);
    const { receiver, secret } = await hooked(agent);
    const other = await person(w, "agent", "approved");
    const { receiver: others } = await hooked(other);
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

  test("is sent for each event once, to webhooks that want it, while they are active", async () => {
    const { agent, receiver, id } = await hooked();
    const unwanted = await hooked(agent, ["auction.outbid"]);
    await notifyAll(news(agent, { eventKey: "same" }));
    await notifyAll(news(agent, { eventKey: "same" }));
    await deliveryIn(id, "delivered", 1);
    expect(await deliveriesOf(id)).toHaveLength(1);
    expect(await deliveriesOf(unwanted.id)).toEqual([]);
    expect((await agent.caller.call("webhooks.pause", { id })).status).toBe(200);
    await notifyAll(news(agent));
    expect(await deliveriesOf(id)).toHaveLength(1);
    await Promise.all([receiver.close(), unwanted.receiver.close()]);
  });

  test("is not sent when the transaction fails", async () => {
    const { agent, receiver, id } = await hooked();
    const failing = w.services.database.transaction(async (tx) => {
      await notify(w.services, tx, news(agent));
      throw new Error("something else failed");
    });
    await expect(failing).rejects.toThrow("something else failed");
    expect(await deliveriesOf(id)).toEqual([]);
    await receiver.close();
  });
});

describe("a receiver that fails", () => {
  test("gets the same message again, with the same id, later and later", async () => {
    const { agent, receiver, id, secret } = await hooked();
    receiver.answer(500);
    await notifyAll(news(agent));
    const first = await deliveryIn(id, "waiting", 1);
    expect(first).toMatchObject({ status: 500, problem: null });
    await jobWaits(first.id);
    const { rows } = await w.services.database.pool.query<{ seconds: number }>(
      `select extract(epoch from start_after - $2::timestamptz)::float as seconds from jobs.job where ${jobOf}`,
      [first.id, first.attemptedAt],
    );
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(10);
    receiver.answer((response) => response.writeHead(302, { location: receiver.url }).end());
    await due(first.id);
    await deliveryIn(id, "waiting", 2);
    receiver.answer(200);
    await jobWaits(first.id);
    await due(first.id);
    await deliveryIn(id, "delivered", 3);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([`msg_${first.id}`]),
    );
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const each of receiver.received) expect(verified(secret, each)).toBeTruthy();
    expect(await stored(id)).toMatchObject({ state: "active" });
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
    const { agent, receiver, id } = await hooked(undefined, [...everything, "webhook.stopped"]);
    receiver.answer(503);
    await notifyAll(news(agent));
    const { id: deliveryId } = await deliveryIn(id, "waiting", 1);
    await notifyAll(news(agent));
    await until(async () => (await deliveriesOf(id)).every(({ attempts }) => attempts === 1));
    await jobWaits(deliveryId);
    await due(deliveryId, true);
    await until(async () => (await stored(id))?.state === "stopped");
    expect(await stored(id)).toMatchObject({ stopReason: "failing", stoppedAt: expect.any(Date) });
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(["failed", "cancelled"]);
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
    await notifyAll(news(agent));
    expect((await deliveriesOf(id)).length).toBe(2);

    receiver.answer(204);
    expect((await agent.caller.call("webhooks.resume", { id })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ state: "active", stopReason: null });
    await notifyAll(news(agent));
    await until(() => receiver.received.length > length);
    await receiver.close();
  });

  test("for one event only is not stopped, nor when it was turned on again meanwhile", async () => {
    const { agent, receiver, id } = await hooked();
    receiver.answer(500);
    await notifyAll(news(agent));
    const { id: deliveryId } = await deliveryIn(id, "waiting", 1);
    receiver.answer(200);
    await notifyAll(news(agent));
    await until(async () => (await deliveriesOf(id)).some(({ state }) => state === "delivered"));
    receiver.answer(500);
    await jobWaits(deliveryId);
    await due(deliveryId, true);
    await deliveryIn(id, "failed", 2);
    expect(await stored(id)).toMatchObject({ state: "active" });
    await receiver.close();
  });

  test("and says that it is gone is stopped at once", async () => {
    const { agent, receiver, id } = await hooked();
    receiver.answer(410);
    await notifyAll(news(agent));
    await until(async () => (await stored(id))?.state === "stopped");
    expect(await stored(id)).toMatchObject({ stopReason: "gone" });
    expect(await deliveriesOf(id)).toMatchObject([{ state: "failed", status: 410, attempts: 1 }]);
    await receiver.close();
  });

  test("to answer holds up nobody else's, and gets two at a time", async () => {
    const slow = await hooked();
    const held: (() => void)[] = [];
    slow.receiver.answer((response) => void held.push(() => response.writeHead(204).end()));
    await notifyAll(...Array.from({ length: 12 }, () => news(slow.agent)));
    await until(() => held.length === 2);
    const quick = await hooked();
    await notifyAll(news(quick.agent));
    await deliveryIn(quick.id, "delivered", 1);
    expect(held).toHaveLength(2);
    slow.receiver.answer(204);
    for (const release of held) release();
    await until(async () => (await deliveriesOf(slow.id)).every(({ state }) => state === "delivered"));
    await Promise.all([slow.receiver.close(), quick.receiver.close()]);
  });
});

test("a node that dies while it sends leaves the message to another, which sends it under the same id", async () => {
  buildPages();
  const database = await freshDatabase();
  const on = database.address;
  const folder = await dataFolder();
  const secretOfAll = "a secret for several nodes, long enough";
  const { host, owner, application } = inject("postgres");
  const urlAs = (role: string) => `postgres://${role}@localhost/${on.database}?host=${host}`;
  const dying = await startServer({
    DATABASE_URL: urlAs(application),
    DATABASE_MIGRATION_URL: urlAs(owner),
    DATA_DIR: folder.path,
    SESSION_SECRET: secretOfAll,
    WEBHOOKS_ALLOW_PRIVATE: "on",
  });
  const receiver = await openWebhookReceiver();
  receiver.answer(() => {});
  const variables = { SESSION_SECRET: secretOfAll, WEBHOOKS_ALLOW_PRIVATE: "on" };
  // Sets everything up, and ends before anything is sent.
  const first = await wayfare({ variables, on });
  const agent = await person(first, "agent", "approved");
  const { body } = await agent.caller.call("webhooks.add", { url: receiver.url, events: everything });
  const { id, secret } = body as { id: string; secret: string };
  await first.stop();

  const asked = await fetch(`${dying.url}/rpc/webhooks/sendTest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie: agent.caller.cookie },
    body: JSON.stringify({ json: { id } }),
  });
  expect(asked.status).toBe(200);
  await received(receiver, 1);
  await dying.kill();
  receiver.answer(204);
  const second = await wayfare({ variables, on });
  // The queue gives up on a node a minute after it has taken a job; this is that minute.
  await second.services.database.pool.query(
    "update jobs.job set state = 'retry', start_after = now() where name = 'webhook' and state = 'active'",
  );
  await received(receiver, 2);
  const [one, two] = receiver.received;
  expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
  expect(two?.body).toBe(one?.body);
  expect(verified(secret, two ?? { headers: {}, body: "" })).toMatchObject({ type: "webhook.test" });
  await until(async () => {
    const [found] = await second.services.database.db.select().from(webhookDelivery);
    return found?.state === "delivered";
  });
  await second.stop();
  await receiver.close();
  await folder.remove();
  await database.drop();
});

describe("an owner", () => {
  test("adds, tests, pauses, resumes and removes it, and sees what was delivered", async () => {
    const { agent, receiver, id, secret } = await hooked();
    const call = (procedure: string, input: object = { id }) =>
      agent.caller.call(`webhooks.${procedure}`, input);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { body: mine } = await call("mine", {});
    expect(mine).toMatchObject({
      webhooks: [{ id, url: receiver.url, events: expect.arrayContaining(everything), state: "active" }],
      events: expect.arrayContaining(["application.moved"]),
    });
    expect(JSON.stringify(mine)).not.toContain("whsec_");
    const stream = await openStream(agent.caller, "webhooks");
    expect((await call("sendTest")).status).toBe(200);
    const tested = await deliveryIn(id, "delivered", 1);
    expect(verified(secret, receiver.received[0] ?? { headers: {}, body: "" })).toEqual({
      type: "webhook.test",
      timestamp: tested.createdAt.toISOString(),
      data: { webhookId: id },
    });
    expect(await stream.next()).toBe("webhooks");
    await stream.leave();
    const { body: listed } = await call("deliveries");
    expect(listed).toMatchObject({
      deliveries: [{ id: tested.id, type: "webhook.test", state: "delivered", attempts: 1, status: 204 }],
    });

    expect((await call("sendAgain", { id: tested.id })).status).toBe(200);
    await deliveryIn(id, "delivered", 2);
    expect(receiver.received[1]?.headers["webhook-id"]).toBe(receiver.received[0]?.headers["webhook-id"]);
    expect((await call("pause")).status).toBe(200);
    expect((await call("sendTest")).code).toBe("failed-precondition");
    expect((await call("sendAgain", { id: tested.id })).code).toBe("failed-precondition");
    expect((await call("resume")).status).toBe(200);
    expect((await call("remove")).status).toBe(200);
    expect((await call("mine", {})).body).toMatchObject({ webhooks: [] });
    expect(await deliveriesOf(id)).toEqual([]);
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
    const { agent, receiver, id, secret: former } = await hooked();
    const { body } = await agent.caller.call("webhooks.rotateSecret", { id });
    const { secret } = body as { secret: string };
    expect(secret).not.toBe(former);
    const { body: mine } = await agent.caller.call("webhooks.mine");
    expect(mine).toMatchObject({ webhooks: [{ formerSecretUntil: expect.any(String) }] });
    await notifyAll(news(agent));
    const [both] = await received(receiver, 1);
    if (!both) throw new Error("nothing came");
    expect(String(both.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(verified(former, both)).toEqual(verified(secret, both));

    const { db, pool } = w.services.database;
    const untilNow = "update webhook_secret set until = now() where webhook_id = $1 and until is not null";
    await pool.query(untilNow, [id]);
    await notifyAll(news(agent));
    const [, alone] = await received(receiver, 2);
    if (!alone) throw new Error("nothing came");
    expect(verified(secret, alone)).toBeTruthy();
    expect(() => verified(former, alone)).toThrow("No matching signature");
    await tidyWebhooks(w.services, new Date(Date.now() + 1000));
    const left = await db.select().from(webhookSecret).where(eq(webhookSecret.webhookId, id));
    expect(left).toHaveLength(1);
    // Nothing in the database signs by itself.
    expect(left[0]?.sealed).not.toContain(secret.slice("whsec_".length, 20));

    const codes = [];
    for (let number = 0; number < mostSecrets; number += 1)
      codes.push((await agent.caller.call("webhooks.rotateSecret", { id })).code);
    expect(codes).toEqual([...Array.from({ length: mostSecrets - 1 }, () => null), "resource-exhausted"]);
    await receiver.close();
  });

  test("has secrets that are encrypted with the newest session secret every night", async () => {
    const { receiver, id } = await hooked();
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

  test("has five at most, also when they are added at once, and ten tests an hour", async () => {
    const { agent, receiver, id } = await hooked();
    const add = () => agent.caller.call("webhooks.add", { url: receiver.url, events: everything });
    const codes = (await Promise.all(Array.from({ length: mostWebhooks }, add))).map(({ code }) => code);
    expect(codes.toSorted()).toEqual(
      ["resource-exhausted", ...Array.from({ length: 4 }, () => null)].toSorted(),
    );
    const tests = [];
    for (let number = 0; number < 11; number += 1)
      tests.push((await agent.caller.call("webhooks.sendTest", { id })).code);
    expect(tests).toEqual([...Array.from({ length: 10 }, () => null), "resource-exhausted"]);
    await until(async () => (await deliveriesOf(id)).every(({ state }) => state === "delivered"));
    await receiver.close();
  });

  test("is told what is wrong with what they enter", async () => {
    const agent = await person(w, "agent", "approved");
    const add = async (url: string, events: readonly string[]) =>
      (await agent.caller.call("webhooks.add", { url, events })).code;
    expect(await add("ftp://example.org", everything)).toBe("form/incomplete");
    expect(await add("http://127.0.0.1:1/", [])).toBe("form/incomplete");
    expect(await add("http://127.0.0.1:1/", ["agent.applied"])).toBe("invalid-argument");
    expect(await add("http://127.0.0.1:1/", ["nothing"])).toBe("invalid-argument");
    expect(await add("http://nobody.invalid/", everything)).toBe("form/incomplete");
  });

  test("must have logged in lately to add, resume, replace the secret or remove", async () => {
    const { agent, receiver, id } = await hooked();
    await w.services.database.pool.query(
      "update session set proved_at = now() - interval '1 hour' where user_id = $1",
      [agent.id],
    );
    await w.services.database.transaction((tx) => w.services.sessions.changed(tx, agent.id));
    const input = { url: receiver.url, events: everything };
    expect((await agent.caller.call("webhooks.add", input)).code).toBe("auth/requires-recent-login");
    for (const procedure of ["resume", "rotateSecret", "remove"])
      expect((await agent.caller.call(`webhooks.${procedure}`, { id })).code).toBe(
        "auth/requires-recent-login",
      );
    expect((await agent.caller.call("webhooks.pause", { id })).status).toBe(200);
    await receiver.close();
  });
});

describe("an account that is lost", () => {
  /** A webhook with one delivery that waits for its second attempt. */
  async function waitingOne() {
    const found = await hooked();
    found.receiver.answer(500);
    await notifyAll(news(found.agent));
    const { id: deliveryId } = await deliveryIn(found.id, "waiting", 1);
    await jobWaits(deliveryId);
    return { ...found, deliveryId };
  }

  test("is sent nothing more, nor what was queued: disabled and revoked", async () => {
    for (const status of ["disabled", "revoked"] as const) {
      const { agent, receiver, id, deliveryId } = await waitingOne();
      await w.services.database.db.update(user).set({ status }).where(eq(user.id, agent.id));
      await notifyAll(news(agent));
      await due(deliveryId);
      await deliveryIn(id, "cancelled", 1);
      expect(await deliveriesOf(id)).toHaveLength(1);
      expect(receiver.received).toHaveLength(1);
      await receiver.close();
    }
  });

  test("leaves nothing when it is erased, and of a student who is erased nothing is left with others", async () => {
    const { agent, receiver, id, deliveryId } = await waitingOne();
    await w.services.database.db
      .update(user)
      .set({ status: "disabled", deletionDueAt: new Date(0) })
      .where(eq(user.id, agent.id));
    expect(await eraseAccount(w.services, agent.id, () => true, { by: "test" })).toBe(true);
    expect(await stored(id)).toBeUndefined();
    expect(await deliveriesOf(id)).toEqual([]);
    const { rows } = await w.services.database.pool.query(`select 1 from jobs.job where ${jobOf}`, [
      deliveryId,
    ]);
    expect(rows).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();

    const student = await person(w, "student", "active");
    const other = await hooked();
    await assign(w, student.id, other.agent.id);
    await submit(student);
    await deliveryIn(other.id, "delivered", 1);
    await w.services.database.db
      .update(user)
      .set({ status: "disabled", deletionDueAt: new Date(0) })
      .where(eq(user.id, student.id));
    expect(await eraseAccount(w.services, student.id, () => true, { by: "test" })).toBe(true);
    expect(await deliveriesOf(other.id)).toEqual([]);
    await other.receiver.close();
  });
});

test("deliveries are kept for 30 days, and what has lost its job is given up after two", async () => {
  const { agent, receiver, id } = await hooked();
  await notifyAll(news(agent), news(agent), news(agent));
  await until(async () => (await deliveriesOf(id)).filter(({ state }) => state === "delivered").length === 3);
  const [old, stuck] = await deliveriesOf(id);
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
  const left = await deliveriesOf(id);
  expect(left.map(({ state }) => state)).toEqual(["cancelled", "delivered"]);
  await receiver.close();
});

test("where private addresses are not allowed none is added, and one that became private is not asked", async () => {
  const strict = await wayfare();
  const agent = await person(strict, "agent", "approved");
  const receiver = await openWebhookReceiver();
  for (const url of [receiver.url, "https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/"])
    expect((await agent.caller.call("webhooks.add", { url, events: everything })).code).toBe(
      "form/incomplete",
    );
  const { db } = strict.services.database;
  const row = { userId: agent.id, url: receiver.url, events: everything };
  const [added] = await db.insert(webhook).values(row).returning({ id: webhook.id });
  await strict.services.database.transaction((tx) => notify(strict.services, tx, news(agent)));
  const found = await until(async () => {
    const [first] = await db
      .select()
      .from(webhookDelivery)
      .where(eq(webhookDelivery.webhookId, added?.id ?? ""));
    return first?.attempts === 1 ? first : undefined;
  });
  expect(found).toMatchObject({ state: "waiting", status: null, problem: "blocked" });
  expect(receiver.received).toEqual([]);
  await receiver.close();
  await strict.stop();
});

test("of people and of where webhooks go, nothing is in bodies, logs and metrics", async () => {
  const { student, agent } = await guidedStudent(w);
  await w.services.database.db
    .update(user)
    .set({ name: "Kanarie Mensah", firstName: "Kanarie", lastName: "Mensah" })
    .where(eq(user.id, student.id));
  const receiver = await openWebhookReceiver();
  const url = `${receiver.url}/kanarie-path?key=kanarie-query`;
  await agent.caller.call("webhooks.add", { url, events: everything });
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
  // Without a mail server emails are written to the log, which production warns of.
  const log = w.log.filter(({ to }) => to === undefined);
  const words = ["kanarie", "mensah", student.email, agent.email];
  for (const [name, text] of Object.entries({ bodies: bodies.join(), log: JSON.stringify(log), metrics }))
    expect([name, words.filter((word) => text.toLowerCase().includes(word))]).toEqual([name, []]);
  await receiver.close();
});
