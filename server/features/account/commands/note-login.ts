import { eq } from "drizzle-orm";
import { formerStatus } from "#domain/disabling.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { accountKept } from "../events.ts";
import { user } from "../tables.ts";

export type Login = NonNullable<Awaited<ReturnType<typeof lockForLogin>>>;

/**
 * An account as a login finds it, kept so until the transaction ends. Two logins at once take turns, since each of them
 * writes to it; whoever erases it waits, or was first.
 */
export async function lockForLogin(tx: Transaction, userId: string) {
  const [found] = await tx
    .select({
      id: user.id,
      role: user.role,
      status: user.status,
      approvedAt: user.approvedAt,
      revokedAt: user.revokedAt,
      assignedAgentId: user.assignedAgentId,
      deletionDueAt: user.deletionDueAt,
    })
    .from(user)
    .where(eq(user.id, userId))
    .for("no key update");
  return found ?? null;
}

/** Notes the login; an account that was to be deleted stays, as it was before its holder asked for that. */
export async function noteLogin(
  services: Services,
  tx: Transaction,
  account: Login,
  address: string,
): Promise<void> {
  const now = new Date();
  const { id, deletionDueAt } = account;
  await tx.update(user).set({ lastLoginAt: now, deletionDueAt: null }).where(eq(user.id, id));
  if (deletionDueAt === null) return;
  await recordAudit(tx, { action: "deletion-cancelled", actorId: id, subjectId: id, address });
  if (account.status !== "disabled") return;
  const status = formerStatus(account);
  await tx
    .update(user)
    .set({ status, disabledAt: null, disabledBy: null, updatedAt: now })
    .where(eq(user.id, id));
  await accountKept(services, tx, id);
  if (account.role === "agent") await services.live.publish("agents", "{}", tx);
  await broadcastDashboards(services, tx, account.assignedAgentId);
}
