import { eq } from "drizzle-orm";
import { decideDisabling } from "#domain/disabling.ts";
import { isAdmin } from "#domain/permission.ts";
import { standingOf } from "#server/features/account/queries.ts";
import type { AccountNews } from "#server/features/account/sessions.ts";
import { user } from "#server/features/account/tables.ts";
import { withdrawAuctions } from "#server/features/auctions/catalogue/commands/withdraw-auctions.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { touchDesks } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { releaseStudents } from "./release-students.ts";

export type DisablingResult = "done" | "notFound" | "notPossible" | "notAllowed";

/** `releaseStudents`: a disabled agent's students are to have no agent at once, and not only after some days. */
export type Disabling = { userId: string; disabled: boolean; releaseStudents: boolean };

/** Disables a student or an agent, whose sessions end with the commit, or enables them again. */
export async function setDisabled(
  services: Services,
  actor: Actor,
  { userId, disabled, releaseStudents: release }: Disabling,
): Promise<DisablingResult> {
  let withdrawn: string[] = [];
  const result = await services.database.transaction(async (tx): Promise<DisablingResult | AccountNews[]> => {
    const standing = await standingOf(tx, actor.userId);
    if (!standing || !isAdmin(standing)) return "notAllowed";
    const account = await lockAccount(tx, userId);
    if (!account) return "notFound";
    const outcome = decideDisabling(account, disabled);
    if (outcome.kind === "admin") return "notFound";
    if (outcome.kind === "notPossible") return "notPossible";
    const { status } = outcome;
    const now = new Date();
    const noted = disabled
      ? { disabledAt: now, disabledBy: actor.userId }
      : { disabledAt: null, disabledBy: null };
    await tx
      .update(user)
      .set({ status, updatedAt: now, ...noted })
      .where(eq(user.id, userId));
    await recordAudit(tx, {
      action: disabled ? "account-disabled" : "account-enabled",
      actorId: actor.userId,
      subjectId: userId,
      address: actor.address,
    });
    if (disabled) withdrawn = await withdrawAuctions(services, tx, actor, userId);
    if (account.role === "agent") {
      if (disabled && release) await releaseStudents(services, tx, actor, account);
      await services.live.publish("agents", "{}", tx);
    }
    await touchDesks(services, tx, account.assignedAgentId);
    return disabled ? await services.sessions.endAll(tx, userId) : [];
  });
  if (typeof result === "string") return result;
  services.sessions.forget(...result);
  services.products.changed(withdrawn);
  return "done";
}

async function lockAccount(tx: Transaction, id: string) {
  const [found] = await tx
    .select({
      id: user.id,
      name: user.name,
      role: user.role,
      status: user.status,
      approvedAt: user.approvedAt,
      revokedAt: user.revokedAt,
      assignedAgentId: user.assignedAgentId,
    })
    .from(user)
    .where(eq(user.id, id))
    .for("no key update");
  return found;
}
