import { and, eq, type SQL } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { webhookDelivery } from "../tables.ts";

/** What waits is not sent any more, unless its owner asks for it by hand. Its jobs find that and end. */
export async function cancelWaiting(db: Reader, which: SQL): Promise<void> {
  await db
    .update(webhookDelivery)
    .set({ state: "cancelled" })
    .where(and(which, eq(webhookDelivery.state, "waiting")));
}
