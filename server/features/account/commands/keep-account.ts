import { eq } from "drizzle-orm";
import { isBound } from "#domain/account.ts";
import { formerStatus } from "#domain/disabling.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import type { Account } from "../queries.ts";
import { user } from "../tables.ts";

/**
 * Cancels an account's pending deletion and restores its former status. The caller has locked its row. Returns false if
 * its holder had not requested a deletion, or if an admin has shut them out since: then the deletion stays due.
 */
export async function keepAccount(
  services: Services,
  tx: Transaction,
  account: Account,
  address: string,
): Promise<boolean> {
  const { id, deletionDueAt } = account;
  if (deletionDueAt === null || !isBound(account)) return false;
  await tx.update(user).set({ deletionDueAt: null }).where(eq(user.id, id));
  await recordOwn(tx, "deletion-cancelled", { userId: id, address });
  if (account.status !== "leaving") return false;
  const status = formerStatus({ ...account, deletionDueAt: null });
  await tx
    .update(user)
    .set({ status, disabledAt: null, disabledBy: null, updatedAt: new Date() })
    .where(eq(user.id, id));
  await services.accountEvents.kept(services, tx, id);
  if (account.role === "agent") await services.live.publish("agents", "{}", tx);
  await broadcastDashboards(services, tx, "students", account.assignedAgentId);
  return true;
}
