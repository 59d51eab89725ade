import { and, asc, eq, inArray } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import { digests } from "#domain/digest.ts";
import { isPendingAgent } from "#domain/permission.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import { notification } from "#server/features/notifications/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

const eventKeyOf = (agentId: string) => `agent-applied:${agentId}`;

/** Notifies the admins of an agent who has signed up and awaits approval. */
export async function notifyOfApplicant(services: Services, tx: Transaction, agent: Viewer): Promise<void> {
  if (!isPendingAgent(agent)) return;
  const admins = await activeAdmins(tx);
  await notify(services, tx, ...admins.map((admin) => notificationOfApplicant(admin, agent)));
}

export const notificationOfApplicant = (
  adminId: string,
  { id, firstName, lastName, agency }: Pick<Viewer, "id" | "firstName" | "lastName" | "agency">,
): NewNotification => ({
  userId: adminId,
  kind: "agentApplied",
  eventKey: eventKeyOf(id),
  about: { agent: `${firstName} ${lastName}`.trim(), agency },
  ids: { agentId: id },
  path: "/admin-dashboard",
});

/** Withdraws the notifications about an applicant once an admin has decided. No name of a denied agent remains. */
export async function withdrawApplicantNotifications(
  { live }: Pick<Services, "live">,
  tx: Transaction,
  id: string,
): Promise<void> {
  const admins = await activeAdmins(tx);
  const withdrawn = await tx
    .delete(notification)
    .where(and(inArray(notification.userId, admins), eq(notification.eventKey, eventKeyOf(id))))
    .returning({ userId: notification.userId });
  await live.publishTo(
    withdrawn.map(({ userId }) => `notifications:${userId}`),
    "{}",
    tx,
  );
}

/** Lists all agents awaiting approval when the email is written, longest first, not only the one who signed up. */
export const waitingApplicants: NotificationCheck<"agentApplied"> = async (db, [first]) => {
  const waiting = await db
    .select({ id: user.id, agent: user.name, agency: user.agency })
    .from(user)
    .where(and(eq(user.role, "agent"), eq(user.status, "pending")))
    .orderBy(asc(user.createdAt));
  return waiting.flatMap(({ id, ...about }) =>
    first ? [{ ...first, about, ids: { agentId: id }, path: digests.applicants.path }] : [],
  );
};
