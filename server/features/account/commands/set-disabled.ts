import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { decideDisabling } from "#domain/disabling.ts";
import { isAdmin } from "#domain/permission.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockAccount, lockActor } from "../queries.ts";
import { user } from "../tables.ts";

/** `releaseStudents` takes a disabled agent's students away immediately instead of after some days. */
type StatusChange = { userId: string; disabled: boolean; releaseStudents: boolean };

/**
 * Disables a student or an agent, whose sessions end with the commit, or enables them again. `actor` is null for the
 * operator.
 */
export async function setDisabled(
  services: Services,
  actor: Actor | null,
  { userId, disabled, releaseStudents }: StatusChange,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    if (actor) await lockActor(tx, actor, isAdmin);
    const account = await lockAccount(tx, userId);
    const outcome = account && decideDisabling(account, disabled);
    if (!outcome || outcome.kind === "admin") throw new Refusal("not-found");
    if (outcome.kind === "conflict") throw Refusal.conflict();
    const { status } = outcome;
    const now = new Date();
    const disabledColumns = disabled
      ? { disabledAt: now, disabledBy: actor?.userId ?? null }
      : { disabledAt: null, disabledBy: null };
    await tx
      .update(user)
      .set({
        status,
        updatedAt: now,
        // A disabled holder can't log in to keep an unused account, so the account isn't erased for lack of use.
        deletionDueAt: hasAccess(account) ? null : account.deletionDueAt,
        ...disabledColumns,
      })
      .where(eq(user.id, userId));
    await recordAudit(tx, {
      action: disabled ? "account-disabled" : "account-enabled",
      ...actedBy(actor),
      subjectId: userId,
    });
    if (disabled) {
      const lost = { ...account, actor, cause: "shutOut", keepsStudents: !releaseStudents } as const;
      await services.accountEvents.lost(services, tx, lost);
      await services.sessions.endAll(tx, userId);
    } else await services.accountEvents.regained(services, tx, userId);
    if (account.role === "agent") await services.live.publish("agents", "{}", tx);
    await broadcastDashboards(services, tx, "students", account.assignedAgentId);
  });
}
