import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { mayManageStudents } from "#domain/permission.ts";
import { type Answer, decideDelivery, eventBody, type StopReason, stopReasonWords } from "#domain/webhook.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { RetryableError } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { user } from "../../account/tables.ts";
import { notify } from "../commands.ts";
import { webhook, webhookDelivery, webhookSecret } from "../tables.ts";
import { cancelWaiting } from "./delivery-queue.ts";

type Attempt = { deliveryId: string; byHand: boolean };

/**
 * Makes one attempt at a delivery: loads the message, sends it outside of any transaction, and records the result. If
 * the process dies in between, the queue tries again, under the same id. Throws `RetryableError` if another attempt is
 * due.
 */
export async function deliver(services: Services, attempt: Attempt, isLast: boolean): Promise<void> {
  const { database, outbound, webhookSecrets, webhookDeliveries } = services;
  const delivery = await load(database.db, attempt.deliveryId);
  if (delivery?.state !== "waiting") return;
  if (delivery.webhookState !== "active" || !mayManageStudents(delivery)) {
    await cancelWaiting(database.db, eq(webhookDelivery.id, attempt.deliveryId));
    return;
  }
  const secrets = await database.db
    .select({ sealed: webhookSecret.sealed })
    .from(webhookSecret)
    .where(and(eq(webhookSecret.webhookId, delivery.webhookId), stillSigns));
  const body = eventBody(delivery.type, delivery.createdAt, delivery.ids);
  const message = { id: `msg_${attempt.deliveryId}`, at: new Date(), body };
  const signed = webhookSecrets.headersOf(
    message,
    secrets.map(({ sealed }) => sealed),
  );
  const headers = { "content-type": "application/json", "user-agent": "Wayfare-Webhooks", ...signed };
  const answer = await outbound.post(delivery.url, { headers, body });
  const state = await database.transaction((tx) =>
    record(services, tx, delivery.webhookId, attempt, answer, isLast),
  );
  webhookDeliveries.inc({ result: resultOf(answer) });
  if (state === "waiting") throw new RetryableError("the delivery failed");
}

const stillSigns = or(isNull(webhookSecret.until), gt(webhookSecret.until, sql`now()`));

async function load(db: Reader, id: string) {
  const [row] = await db
    .select({
      webhookId: webhookDelivery.webhookId,
      type: webhookDelivery.type,
      ids: webhookDelivery.ids,
      createdAt: webhookDelivery.createdAt,
      state: webhookDelivery.state,
      url: webhook.url,
      webhookState: webhook.state,
      role: user.role,
      status: user.status,
    })
    .from(webhookDelivery)
    .innerJoin(webhook, eq(webhook.id, webhookDelivery.webhookId))
    .innerJoin(user, eq(user.id, webhook.userId))
    .where(eq(webhookDelivery.id, id));
  return row;
}

/** Returns the label of the result for metrics, from a closed set. */
function resultOf(answer: Answer): string {
  if ("problem" in answer) return answer.problem;
  if (answer.status === 410) return "gone";
  return answer.status >= 200 && answer.status < 300 ? "delivered" : "refused";
}

/** Records the result of an attempt, and stops the webhook if that is due. Returns null if it was removed meanwhile. */
async function record(
  services: Services,
  tx: Transaction,
  webhookId: string,
  { deliveryId, byHand }: Attempt,
  answer: Answer,
  isLast: boolean,
) {
  // Webhooks are always locked before deliveries.
  const [target] = await tx.select().from(webhook).where(eq(webhook.id, webhookId)).for("no key update");
  const [delivery] = await tx.select().from(webhookDelivery).where(eq(webhookDelivery.id, deliveryId));
  if (!target || !delivery) return null;
  const outcome = decideDelivery(answer, { isLast, byHand, hasWorked: target.workedAt > delivery.createdAt });
  // A delivery that was cancelled while it was being sent is not attempted again.
  const state = outcome.state === "waiting" ? delivery.state : outcome.state;
  await tx
    .update(webhookDelivery)
    .set({
      state,
      attempts: delivery.attempts + 1,
      attemptedAt: sql`now()`,
      status: "status" in answer ? answer.status : null,
      problem: "problem" in answer ? answer.problem : null,
    })
    .where(eq(webhookDelivery.id, deliveryId));
  if (state === "delivered")
    await tx.update(webhook).set({ workedAt: sql`now()` }).where(eq(webhook.id, webhookId));
  if (outcome.stop && target.state === "active") await stop(services, tx, target, outcome.stop);
  await services.live.publishTo([`webhooks:${target.userId}`], "{}", tx);
  return state;
}

/** Stops a webhook until its owner, who is notified, turns it on again. */
async function stop(
  services: Services,
  tx: Transaction,
  { id, userId, url }: { id: string; userId: string; url: string },
  reason: StopReason,
): Promise<void> {
  const now = new Date();
  await tx
    .update(webhook)
    .set({ state: "stopped", stopReason: reason, stoppedAt: now })
    .where(eq(webhook.id, id));
  await cancelWaiting(tx, eq(webhookDelivery.webhookId, id));
  await recordAudit(tx, {
    action: "webhook-stopped",
    subjectId: userId,
    detail: { webhook: id, because: reason },
  });
  await notify(services, tx, {
    userId,
    kind: "webhookStopped",
    eventKey: `webhook-stopped:${id}:${now.getTime()}`,
    topic: `webhook:${id}`,
    about: { webhook: new URL(url).host, reason: stopReasonWords[reason] },
    ids: { webhookId: id },
    path: "/webhooks",
  });
}
