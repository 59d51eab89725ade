import { and, eq, type SQL } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { webhookDelivery } from "../tables.ts";

/** Cancels waiting deliveries, which their owner can still send by hand. Their jobs notice and end. */
export async function cancelWaiting(db: Reader, which: SQL): Promise<void> {
  await db
    .update(webhookDelivery)
    .set({ state: "cancelled" })
    .where(and(which, eq(webhookDelivery.state, "waiting")));
}
