import { and, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type NotificationKind, notificationTable } from "#domain/notification.ts";
import type { SubjectIds } from "#domain/notifications/kind.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { deliveriesKeptDays, eventAbout } from "#domain/webhook.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Jobs, Queue } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { user } from "../../account/tables.ts";
import { webhook, webhookDelivery } from "../tables.ts";

/**
 * `userId` is the owner's, so that jobs are removed with the account. With `byHand` it is sent once, without retries.
 */
const payload = z.object({ deliveryId: z.uuid(), userId: z.string(), byHand: z.boolean() });

/**
 * Runs eight deliveries at a time on a node, at most two of them for one account, so that slow receivers don't delay
 * others. The delays between 14 attempts add up to 17 to 23.4 hours: 10 to 20 seconds, 20 to 40, and so on, up to six
 * hours each.
 */
export const deliveryQueue: Queue<z.infer<typeof payload>> = {
  name: "webhook",
  payload,
  workers: 8,
  groupConcurrency: 2,
  retry: { limit: 13, firstDelay: 10, longestDelay: 6 * 3600 },
};

/** Queues the first attempt at deliveries, in the caller's transaction. */
export async function queueAttempts(
  jobs: Pick<Jobs, "sendAll">,
  tx: Transaction,
  deliveries: readonly { deliveryId: string; userId: string }[],
  byHand = false,
): Promise<void> {
  await jobs.sendAll(
    deliveryQueue,
    deliveries.map((each) => ({ payload: { ...each, byHand }, group: each.userId })),
    tx,
  );
}

type AddedNotification = { userId: string; kind: NotificationKind; ids: SubjectIds };

/** Returns the students' notifications that their assigned agents follow, addressed to these agents. */
async function notificationsForAgents(
  tx: Transaction,
  notifications: readonly AddedNotification[],
): Promise<AddedNotification[]> {
  const followed = notifications.filter(
    ({ userId, kind, ids }) => notificationTable[kind].followed && ids.studentId === userId,
  );
  if (followed.length === 0) return [];
  const studentIds = sql.param(followed.map(({ userId }) => userId));
  const students = await tx
    .select({
      id: user.id,
      agentId: user.assignedAgentId,
      isSharing: sql<boolean>`not exists (
        select from sharing where student_id = "user".id and agent_id = "user".assigned_agent_id)`,
    })
    .from(user)
    .where(sql`${user.id} = any(${studentIds}::text[])`);
  const studentById = new Map(students.map((student) => [student.id, student]));
  return followed.flatMap((each) => {
    const student = studentById.get(each.userId);
    if (!student || student.agentId === null) return [];
    const isOpen = student.isSharing || notificationTable[each.kind].followed?.while === "assigned";
    return isOpen ? [{ ...each, userId: student.agentId }] : [];
  });
}

/**
 * Queues deliveries of new notifications to their recipients' webhooks, and to those of agents who follow them, in the
 * same transaction.
 */
export async function queueDeliveries(
  jobs: Pick<Jobs, "sendAll">,
  tx: Transaction,
  added: readonly AddedNotification[],
): Promise<void> {
  if (added.length === 0) return;
  const notifications = [...added, ...(await notificationsForAgents(tx, added))];
  const userIds = sql.param([...new Set(notifications.map(({ userId }) => userId))]);
  const webhooks = await tx
    .select({
      id: webhook.id,
      userId: webhook.userId,
      events: webhook.events,
      role: user.role,
      status: user.status,
    })
    .from(webhook)
    .innerJoin(user, eq(user.id, webhook.userId))
    .where(and(sql`${webhook.userId} = any(${userIds}::text[])`, eq(webhook.state, "active")))
    // The lock keeps a webhook from being removed before its deliveries are written.
    .for("key share", { of: webhook });
  const rows = webhooks.filter(mayManageStudents).flatMap(({ id, userId, events }) =>
    notifications.flatMap((each) => {
      const { type, ids } = eventAbout(each.kind, each.ids);
      return each.userId === userId && events.includes(type) ? [{ webhookId: id, type, ids }] : [];
    }),
  );
  if (rows.length === 0) return;
  const owners = new Map(webhooks.map(({ id, userId }) => [id, userId]));
  const deliveries = await tx
    .insert(webhookDelivery)
    .values(rows)
    .returning({ deliveryId: webhookDelivery.id, webhookId: webhookDelivery.webhookId });
  await queueAttempts(
    jobs,
    tx,
    deliveries.map(({ deliveryId, webhookId }) => ({ deliveryId, userId: owners.get(webhookId) ?? "" })),
  );
}

/** Cancels waiting deliveries, which their owner can still send by hand. Their jobs end when they find this. */
export async function cancelWaiting(db: Reader, which: SQL): Promise<void> {
  await db
    .update(webhookDelivery)
    .set({ state: "cancelled" })
    .where(and(which, eq(webhookDelivery.state, "waiting")));
}

const day = 24 * 3_600_000;
const batchSize = 500;

/**
 * Deletes deliveries that are no longer listed, and cancels those that a crash or a restored backup left without a job.
 */
export async function tidyWebhooks(
  { database: { db }, webhookSecrets }: Pick<Services, "database" | "webhookSecrets">,
  now = new Date(),
): Promise<void> {
  await webhookSecrets.renew(db, now);
  await cancelWaiting(db, lt(webhookDelivery.createdAt, new Date(now.getTime() - 2 * day)));
  const old = lt(webhookDelivery.createdAt, new Date(now.getTime() - deliveriesKeptDays * day));
  const nextIds = db.select({ id: webhookDelivery.id }).from(webhookDelivery).where(old).limit(batchSize);
  for (let removed = batchSize; removed === batchSize; ) {
    const rows = await db
      .delete(webhookDelivery)
      .where(and(old, inArray(webhookDelivery.id, nextIds)))
      .returning({ id: webhookDelivery.id });
    removed = rows.length;
  }
}
