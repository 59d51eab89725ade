import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { dateFormats } from "#domain/date-format.ts";
import { deletionDue, mayDeleteAccount, type Tie } from "#domain/deletion.ts";
import { activeAdmins, lockAccount } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { readErasure } from "#server/features/auctions/settlement/erased-on.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { accountKeptMail, deletionAskedMail } from "./mails.ts";

const adminsStay =
  "An admin's account ends when its address is taken off ADMIN_EMAILS. Please ask whoever runs this server.";

/**
 * Requests the deletion of the caller's own account, which is closed immediately and erased some days later unless its
 * holder logs in. Returns the date, and the bids and sales that delay it.
 */
export async function requestDeletion(
  services: Services,
  actor: Actor,
): Promise<{ dueAt: Date; ties: Tie[] }> {
  return await services.database.transaction(async (tx) => {
    const account = await lockAccount(tx, actor.userId);
    if (!account || !hasAccess(account)) throw new Refusal("permission-denied");
    if (!mayDeleteAccount(account)) throw new Refusal("failed-precondition", { message: adminsStay });
    const { id } = account;
    const now = new Date();
    const deletionDueAt = deletionDue(now);
    await tx
      .update(user)
      .set({ status: "leaving", disabledAt: now, disabledBy: id, deletionDueAt, updatedAt: now })
      .where(eq(user.id, id));
    await recordOwn(tx, "deletion-asked", actor);
    const lost = { ...account, actor, cause: "leaving", keepsStudents: true } as const;
    await services.accountEvents.lost(services, tx, lost);
    const { on: dueAt = deletionDueAt, ties } = await readErasure(tx, id);
    if (account.role === "agent") {
      await notifyAdmins(services, tx, account, dueAt);
      await services.live.publish("agents", "{}", tx);
    }
    await queueMail(services.jobs, tx, deletionAskedMail, { userId: id });
    await services.sessions.endAll(tx, id);
    await broadcastDashboards(services, tx, "students", account.assignedAgentId);
    return { dueAt, ties };
  });
}

/**
 * Notifies the admins of a leaving agent. The agent's students stay until the erasure, so that admins have time to hand
 * them over.
 */
async function notifyAdmins(
  services: Services,
  tx: Transaction,
  agent: { id: string; name: string },
  dueAt: Date,
): Promise<void> {
  if ((await tx.$count(user, eq(user.assignedAgentId, agent.id))) === 0) return;
  const admins = await activeAdmins(tx);
  const about = { agent: agent.name, day: dateFormats("UTC").formatDate(dueAt) };
  const notifications = admins.map(
    (userId): NewNotification => ({
      userId,
      kind: "agentLeaving",
      eventKey: `agent-leaving:${agent.id}:${dueAt.getTime()}`,
      topic: `agent-leaving:${agent.id}`,
      about,
      ids: { agentId: agent.id },
      agentId: agent.id,
      path: "/admin-dashboard",
    }),
  );
  await notify(services, tx, ...notifications);
}

/** Notifies a user in the application and by mail that their login has cancelled the deletion of their account. */
export async function notifyOfKeptAccount(
  services: Services,
  tx: Transaction,
  userId: string,
): Promise<void> {
  const entry: NewNotification = {
    userId,
    kind: "accountKept",
    eventKey: `account-kept:${Date.now()}`,
    topic: "account-kept",
    about: {},
    ids: {},
    path: "/your-data",
  };
  await notify(services, tx, entry);
  await queueMail(services.jobs, tx, accountKeptMail, { userId });
}
