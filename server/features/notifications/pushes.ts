import { createHmac } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { hasAccess } from "#domain/account.ts";
import { type NotificationKind, readAbout } from "#domain/notification.ts";
import { decidePush, type PushOutcome, pushOf, pushText } from "#domain/push.ts";
import { user } from "#server/features/account/tables.ts";
import { mutedPush, pushSubscription } from "#server/features/push/tables.ts";
import { isOpen } from "#server/features/sessions/open-sessions.ts";
import { session } from "#server/features/sessions/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { type Jobs, type Queue, RetryableError } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { currentNotifications } from "./current-notifications.ts";
import { notification } from "./tables.ts";

/** One bell entry for one of its reader's browsers. `userId` lets the job be removed with the account. */
const payload = z.object({ userId: z.string(), eventKey: z.string(), subscriptionId: z.uuid() });
type PushJob = z.infer<typeof payload>;

/**
 * Sends four pushes at a time on a node, at most two of them for one account. The delays between seven attempts add up
 * to 5 to 11 minutes: 5 to 10 seconds, 10 to 20, and so on.
 */
export const pushQueue: Queue<PushJob> = {
  name: "push",
  payload,
  workers: 4,
  groupConcurrency: 2,
  retry: { limit: 6, firstDelay: 5, longestDelay: 15 * 60 },
};

type AddedNotification = { userId: string; eventKey: string; kind: NotificationKind };

/** Queues new notifications for the browsers that their readers have subscribed, in the same transaction. */
export async function queuePushes(
  jobs: Pick<Jobs, "sendAll">,
  tx: Transaction,
  entries: readonly AddedNotification[],
): Promise<void> {
  const pushed = entries.filter(({ kind }) => pushOf(kind) !== null);
  if (pushed.length === 0) return;
  const [userIds, kinds, eventKeys] = [
    pushed.map(({ userId }) => userId),
    pushed.map(({ kind }) => kind),
    pushed.map(({ eventKey }) => eventKey),
  ].map((values) => sql`${sql.param(values)}::text[]`);
  const added = sql`unnest(${userIds}, ${kinds}, ${eventKeys}) as added(user_id, kind, event_key)`;
  const rows = await tx
    .select({
      subscriptionId: pushSubscription.id,
      userId: pushSubscription.userId,
      kind: sql<NotificationKind>`added.kind`,
      eventKey: sql<string>`added.event_key`,
    })
    .from(pushSubscription)
    .innerJoin(added, sql`added.user_id = ${pushSubscription.userId}`)
    .leftJoin(
      mutedPush,
      and(eq(mutedPush.userId, pushSubscription.userId), sql`${mutedPush.kind} = added.kind`),
    )
    .where(isNull(mutedPush.kind));
  await jobs.sendAll(
    pushQueue,
    rows.map(({ kind, ...job }) => ({
      payload: job,
      afterSeconds: pushOf(kind)?.afterSeconds ?? 0,
      group: job.userId,
    })),
    tx,
  );
}

/**
 * Sends one push, if it is still true, unread and wanted, to a browser whose login is still open. The request is made
 * outside of any transaction: if the process dies in between, the queue sends it again, and the browser recognises the
 * tag and shows it once. Throws `RetryableError` if another attempt is due.
 */
export async function sendPush(services: Services, job: PushJob, isLast: boolean): Promise<void> {
  const { database, outbound, pushKeys, pushes } = services;
  const push = await database.transaction((tx) => load(services, tx, job));
  if (push === null) return;
  const { recipient, message } = push;
  const request = pushKeys.requestFor(recipient, message);
  // Another node may still know the key; the nightly job ends subscriptions that no node can send to.
  if (request === null) {
    if (isLast) return;
    throw new RetryableError("the push is for another key");
  }
  const outcome = decidePush(await outbound.post(recipient.endpoint, request));
  await record(services, recipient.id, outcome);
  pushes.inc({ outcome });
  if (outcome === "again" && !isLast) throw new RetryableError("the push failed");
}

/** Reads the recipient and the message of a push; null if it must no longer be sent. */
async function load(
  { notificationChecks, sessions }: Services,
  tx: Transaction,
  { userId, eventKey, subscriptionId }: PushJob,
) {
  const [row] = await tx
    .select({
      recipient: {
        id: pushSubscription.id,
        endpoint: pushSubscription.endpoint,
        p256dh: pushSubscription.p256dh,
        auth: pushSubscription.auth,
        serverKey: pushSubscription.serverKey,
      },
      account: { role: user.role, status: user.status },
      twoStep: session.twoStep,
      topic: notification.topic,
      age: sql<number>`extract(epoch from now() - ${notification.createdAt})::float`,
      entry: {
        userId: notification.userId,
        kind: notification.kind,
        about: notification.about,
        ids: notification.ids,
        agentId: notification.agentId,
        path: notification.path,
      },
    })
    .from(pushSubscription)
    .innerJoin(session, and(eq(session.id, pushSubscription.sessionId), isOpen))
    .innerJoin(user, eq(user.id, pushSubscription.userId))
    .innerJoin(
      notification,
      and(eq(notification.userId, pushSubscription.userId), eq(notification.eventKey, eventKey)),
    )
    .leftJoin(
      mutedPush,
      and(eq(mutedPush.userId, notification.userId), eq(mutedPush.kind, notification.kind)),
    )
    .where(
      and(
        eq(pushSubscription.id, subscriptionId),
        eq(pushSubscription.userId, userId),
        isNull(notification.readAt),
        isNull(mutedPush.kind),
      ),
    );
  if (!row || !hasAccess(row.account) || sessions.lacksSecondFactor(row.account.role, row.twoStep))
    return null;
  const { recipient, entry, topic, age } = row;
  const push = pushOf(entry.kind);
  const seconds = push === null ? 0 : Math.ceil(push.hours * 3600 - age);
  if (push === null || seconds <= 0) return null;
  const about = readAbout(entry.kind, entry.about);
  const [current] = await currentNotifications(tx, notificationChecks, [{ ...entry, about }], "push");
  if (!current) return null;
  const tag = tagOf(recipient.auth, topic ?? eventKey);
  const text = JSON.stringify({ title: pushText(current.kind, current.about), path: current.path, tag });
  return { recipient, message: { text, topic: tag, seconds, urgency: push.urgency } };
}

/**
 * Returns a tag for the subject of a push, so that the service and the browser replace an earlier one of the same
 * subject. Only this browser and we can tell which subject it is.
 */
const tagOf = (auth: string, subject: string): string =>
  createHmac("sha256", auth).update(subject).digest("base64url").slice(0, 32);

/** Records whether a subscription works, and deletes one that its browser has ended. */
async function record({ database }: Services, id: string, outcome: PushOutcome): Promise<void> {
  const isSubscription = eq(pushSubscription.id, id);
  if (outcome === "gone") await database.db.delete(pushSubscription).where(isSubscription);
  else
    await database.db
      .update(pushSubscription)
      .set({ failedAt: outcome === "sent" ? null : sql`coalesce(${pushSubscription.failedAt}, now())` })
      .where(
        and(isSubscription, outcome === "sent" ? sql`${pushSubscription.failedAt} is not null` : undefined),
      );
}
