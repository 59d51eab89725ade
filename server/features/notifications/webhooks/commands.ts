import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Role } from "#domain/account.ts";
import { mayManageStudents } from "#domain/permission.ts";
import {
  eventTypesOf,
  formerSecretHours,
  mostSecrets,
  mostWebhooks,
  testEvent,
  webhookUrlProblem,
} from "#domain/webhook.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { lockForAdding } from "#server/features/sessions/lock-holder.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { webhook, webhookDelivery, webhookSecret } from "../tables.ts";
import { cancelWaiting, queueAttempts } from "./delivery-queue.ts";
import { ownWebhook } from "./queries.ts";

/** Unknown and private hosts get the same message, so that it reveals nothing about our network. */
const unreachable =
  "We can't find this host on the internet. Please use an https address that anyone can reach.";

type Settings = { url: string; events: readonly string[] };

/** Resolves to the URL as it is stored. Refuses forbidden URLs, and an empty choice of events. */
async function checkSettings(
  { environment, outbound }: Services,
  { url, events }: Settings,
): Promise<string> {
  const address = url.trim();
  const problem = webhookUrlProblem(address, environment.webhooksAllowPrivate);
  if (problem) throw Refusal.of(problem);
  if (events.length === 0)
    throw new Refusal("form/incomplete", { message: "Please choose at least one event.", field: "events" });
  if (!(await outbound.mayReach(address)))
    throw new Refusal("form/incomplete", { message: unreachable, field: "url" });
  return new URL(address).href;
}

/** Returns the events in their usual order; refuses events that this role can't receive. */
function eventsFor(role: Role, events: readonly string[]) {
  const types = eventTypesOf(role).filter((type) => events.includes(type));
  if (types.length !== new Set(events).size) throw new Refusal("invalid-argument");
  return types;
}

/** Adds a webhook; resolves to its id and its secret, which is shown only once. */
export async function addWebhook(
  services: Services,
  actor: SessionActor,
  settings: Settings,
): Promise<{ id: string; secret: string }> {
  const { database, webhookSecrets } = services;
  const { userId } = actor;
  const url = await checkSettings(services, settings);
  return await database.transaction(async (tx) => {
    // The lock keeps concurrent calls from exceeding the limit.
    const owner = await lockForAdding(tx, actor);
    if (!mayManageStudents(owner)) throw new Refusal("permission-denied");
    const events = eventsFor(owner.role, settings.events);
    if ((await tx.$count(webhook, eq(webhook.userId, userId))) >= mostWebhooks)
      throw new Refusal("resource-exhausted", { message: `You can have up to ${mostWebhooks} webhooks.` });
    const id = randomUUID();
    await tx.insert(webhook).values({ id, userId, url, events });
    const secret = await webhookSecrets.add(tx, id);
    await recordOwn(tx, "webhook-added", actor, { webhook: id });
    await queueSecurityMail(services, tx, userId, "webhook-added");
    return { id, secret };
  });
}

/** Locks the caller's own webhook. Refuses another person's and a missing one alike. */
async function lockOwn(tx: Transaction, actor: Actor, id: string) {
  const { role } = await lockActor(tx, actor, mayManageStudents);
  const [row] = await tx
    .select({ url: webhook.url, state: webhook.state })
    .from(webhook)
    .where(ownWebhook(actor.userId, id))
    .for("no key update");
  if (!row) throw new Refusal("not-found");
  return { ...row, role };
}

/** Changes a webhook's address and events. Failures at the former address do not stop it at the new one. */
export async function changeWebhook(
  services: Services,
  actor: Actor,
  id: string,
  settings: Settings,
): Promise<void> {
  const url = await checkSettings(services, settings);
  await services.database.transaction(async (tx) => {
    const current = await lockOwn(tx, actor, id);
    const hasMoved = url !== current.url;
    await tx
      .update(webhook)
      .set({
        url,
        events: eventsFor(current.role, settings.events),
        ...(hasMoved && { workedAt: sql`now()` }),
      })
      .where(eq(webhook.id, id));
    await recordOwn(tx, "webhook-changed", actor, { webhook: id });
    if (hasMoved) await queueSecurityMail(services, tx, actor.userId, "webhook-changed");
  });
}

/** Pauses a webhook, and cancels its waiting deliveries. A webhook that is not active stays as it is. */
export async function pauseWebhook({ database }: Services, actor: Actor, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await lockOwn(tx, actor, id)).state !== "active") return;
    await tx.update(webhook).set({ state: "paused" }).where(eq(webhook.id, id));
    await cancelWaiting(tx, eq(webhookDelivery.webhookId, id));
    await recordOwn(tx, "webhook-paused", actor, { webhook: id });
  });
}

/** Resumes a webhook, for events from now on. */
export async function resumeWebhook({ database }: Services, actor: Actor, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await lockOwn(tx, actor, id)).state === "active") return;
    await tx
      .update(webhook)
      .set({ state: "active", stopReason: null, stoppedAt: null, workedAt: sql`now()` })
      .where(eq(webhook.id, id));
    await recordOwn(tx, "webhook-resumed", actor, { webhook: id });
  });
}

/** Resolves to a new secret. The former one also signs for another day. */
export async function rotateSecret(
  { database, webhookSecrets }: Services,
  actor: Actor,
  id: string,
): Promise<string> {
  return await database.transaction(async (tx) => {
    await lockOwn(tx, actor, id);
    const isOfWebhook = eq(webhookSecret.webhookId, id);
    await tx.delete(webhookSecret).where(and(isOfWebhook, sql`${webhookSecret.until} <= now()`));
    if ((await tx.$count(webhookSecret, isOfWebhook)) >= mostSecrets)
      throw new Refusal("resource-exhausted", {
        message:
          "You've replaced this secret several times today. Please wait until a former one has expired.",
      });
    await tx
      .update(webhookSecret)
      .set({ until: sql`now() + make_interval(hours => ${formerSecretHours})` })
      .where(and(isOfWebhook, isNull(webhookSecret.until)));
    const secret = await webhookSecrets.add(tx, id);
    await recordOwn(tx, "webhook-secret-rotated", actor, { webhook: id });
    return secret;
  });
}

/** Removes a webhook with its deliveries and secrets. */
export async function removeWebhook({ database }: Services, actor: Actor, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockOwn(tx, actor, id);
    await tx.delete(webhook).where(eq(webhook.id, id));
    await recordOwn(tx, "webhook-removed", actor, { webhook: id });
  });
}

/** Removes all webhooks of an account; returns how many there were. */
export async function removeWebhooks(_: Services, tx: Transaction, userId: string): Promise<number> {
  const rows = await tx.delete(webhook).where(eq(webhook.userId, userId)).returning({ id: webhook.id });
  return rows.length;
}

/** Sends a test event, once. */
export async function sendTest(services: Services, actor: Actor, id: string): Promise<void> {
  await queueByHand(services, actor, services.limits.webhookTest(actor.userId), async (tx) => {
    const { state } = await lockOwn(tx, actor, id);
    if (state !== "active") throw Refusal.conflict();
    const deliveryId = randomUUID();
    const ids = { webhookId: id };
    await tx.insert(webhookDelivery).values({ id: deliveryId, webhookId: id, type: testEvent, ids });
    return deliveryId;
  });
}

/** Sends a delivery again, once and under the same id, unless it still waits for an attempt. */
export async function sendAgain(services: Services, actor: Actor, deliveryId: string): Promise<void> {
  const { userId } = actor;
  await queueByHand(services, actor, services.limits.webhookAgain(userId), async (tx) => {
    const isDelivery = eq(webhookDelivery.id, deliveryId);
    const [delivery] = await tx
      .select({ webhookId: webhook.id })
      .from(webhookDelivery)
      .innerJoin(webhook, eq(webhook.id, webhookDelivery.webhookId))
      .where(and(isDelivery, eq(webhook.userId, userId)));
    if (!delivery) throw new Refusal("not-found");
    const { state } = await lockOwn(tx, actor, delivery.webhookId);
    const [row] = await tx.select({ state: webhookDelivery.state }).from(webhookDelivery).where(isDelivery);
    if (state !== "active" || row?.state === "waiting") throw Refusal.conflict();
    await tx.update(webhookDelivery).set({ state: "waiting" }).where(isDelivery);
    return deliveryId;
  });
}

/** Queues a delivery that a user sends by hand. Refused attempts do not count against the limit. */
async function queueByHand(
  { database, jobs, live }: Services,
  { userId }: Actor,
  limit: ReturnType<Services["limits"]["webhookTest"]>,
  write: (tx: Transaction) => Promise<string>,
): Promise<void> {
  const allowance = requireAllowance(await limit);
  const sending = database.transaction(async (tx) => {
    const deliveryId = await write(tx);
    await queueAttempts(jobs, tx, [{ deliveryId, userId }], true);
    await live.publish(`webhooks:${userId}`, "{}", tx);
  });
  await refundFailure(allowance, sending);
}
