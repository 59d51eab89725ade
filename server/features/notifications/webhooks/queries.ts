import { and, asc, desc, eq, gt, max, sql } from "drizzle-orm";
import type { Webhook, WebhookDelivery } from "#contract/webhooks.ts";
import { webhookDeliveriesListed } from "#protocol/page-sizes.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { webhook, webhookDelivery, webhookSecret } from "../tables.ts";

export const ownWebhook = (userId: string, id: string) => and(eq(webhook.userId, userId), eq(webhook.id, id));

/** Lists a user's webhooks, the oldest first. */
export async function listWebhooks(db: Reader, userId: string): Promise<Webhook[]> {
  const former = db
    .select({ webhookId: webhookSecret.webhookId, until: max(webhookSecret.until).as("former_until") })
    .from(webhookSecret)
    .where(gt(webhookSecret.until, sql`now()`))
    .groupBy(webhookSecret.webhookId)
    .as("former");
  const rows = await db
    .select({
      id: webhook.id,
      url: webhook.url,
      events: webhook.events,
      state: webhook.state,
      stopReason: webhook.stopReason,
      stoppedAt: webhook.stoppedAt,
      createdAt: webhook.createdAt,
      formerSecretUntil: former.until,
    })
    .from(webhook)
    .leftJoin(former, eq(former.webhookId, webhook.id))
    .where(eq(webhook.userId, userId))
    .orderBy(asc(webhook.createdAt), asc(webhook.id));
  return rows.map(
    ({ id, url, events, state, stopReason, stoppedAt, createdAt, formerSecretUntil }): Webhook => ({
      id,
      url,
      events,
      state,
      stopped: stopReason && stoppedAt && { because: stopReason, at: stoppedAt },
      createdAt,
      formerSecretUntil,
    }),
  );
}

/** Lists the last deliveries of a user's webhook, newest first. */
export async function listDeliveries(db: Reader, userId: string, id: string): Promise<WebhookDelivery[]> {
  const [row] = await db.select({ id: webhook.id }).from(webhook).where(ownWebhook(userId, id));
  if (!row) throw new Refusal("not-found");
  return await db
    .select({
      id: webhookDelivery.id,
      type: webhookDelivery.type,
      createdAt: webhookDelivery.createdAt,
      state: webhookDelivery.state,
      attempts: webhookDelivery.attempts,
      attemptedAt: webhookDelivery.attemptedAt,
      status: webhookDelivery.status,
      problem: webhookDelivery.problem,
    })
    .from(webhookDelivery)
    .where(eq(webhookDelivery.webhookId, id))
    .orderBy(desc(webhookDelivery.createdAt), desc(webhookDelivery.id))
    .limit(webhookDeliveriesListed);
}
