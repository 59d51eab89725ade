import { and, inArray, lt } from "drizzle-orm";
import { deliveriesKeptDays } from "#domain/webhook.ts";
import type { Services } from "#server/services.ts";
import { webhookDelivery } from "../tables.ts";
import { cancelWaiting } from "./cancel-waiting.ts";

const day = 24 * 3_600_000;
/** Rows that one statement deletes. */
const batch = 500;

/** Deletes deliveries that are no longer listed, and cancels those that a crash or a restored backup left without a job. */
export async function tidyWebhooks(
  { database: { db }, webhookSecrets }: Pick<Services, "database" | "webhookSecrets">,
  now = new Date(),
): Promise<void> {
  await webhookSecrets.renew(db, now);
  await cancelWaiting(db, lt(webhookDelivery.createdAt, new Date(now.getTime() - 2 * day)));
  const old = lt(webhookDelivery.createdAt, new Date(now.getTime() - deliveriesKeptDays * day));
  const some = db.select({ id: webhookDelivery.id }).from(webhookDelivery).where(old).limit(batch);
  for (let removed = batch; removed === batch; ) {
    const rows = await db
      .delete(webhookDelivery)
      .where(and(old, inArray(webhookDelivery.id, some)))
      .returning({ id: webhookDelivery.id });
    removed = rows.length;
  }
}
