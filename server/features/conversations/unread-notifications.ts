import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { moverOf } from "#domain/application-step.ts";
import { user } from "#server/features/account/tables.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import { thread, threadReader } from "./tables.ts";
import { joinReader, unreadMessages } from "./unread-messages.ts";

const student = alias(user, "student");
const reader = alias(user, "reader");

/** Seconds for which no mail about a thread is sent after a person's browser had it in view. */
const viewDuration = 150;

/**
 * Keeps the notification of a message that its reader has not read and does not have in view, while they still take
 * part. A reader who is not mailed about this message is mailed about the next one. A push goes to any reader who has
 * not read it.
 */
export const unreadMessageNotifications: NotificationCheck<"messageReceived"> = async (
  tx,
  notifications,
  channel,
) => {
  const [first] = notifications;
  if (!first) return [];
  const ids = notifications.flatMap((each) => each.ids?.threadId ?? []);
  const rows = await tx
    .select({
      id: thread.id,
      student: { id: student.id, assignedAgentId: student.assignedAgentId },
      role: reader.role,
      status: reader.status,
      unreadFrom: sql<
        number | null
      >`(select min(unread.number) from (${unreadMessages(first.userId)}) unread)`,
      isInView: sql<boolean>`coalesce(${threadReader.seenAt} > now() - make_interval(secs => ${viewDuration}), false)`,
    })
    .from(thread)
    .innerJoin(student, eq(student.id, thread.studentId))
    .innerJoin(reader, eq(reader.id, first.userId))
    .leftJoin(threadReader, joinReader(first.userId))
    .where(sql`${thread.id} = any(${sql.param(ids)}::uuid[])`);
  const threads = new Map(rows.map((row) => [row.id, row]));
  const unread = notifications.filter(({ ids: about, about: { number }, userId }) => {
    const row = threads.get(about?.threadId ?? "");
    // A push waits only until a thread in view has had the time to be marked as read.
    const isSeen = row?.isInView && channel === "mail";
    if (!row || isSeen || row.unreadFrom === null || row.unreadFrom > Number(number)) return false;
    return moverOf({ id: userId, role: row.role, status: row.status }, row.student) !== null;
  });
  const mailedThreads = new Set(unread.map((each) => each.ids?.threadId));
  const dropped = rows.map(({ id }) => id).filter((id) => !mailedThreads.has(id));
  if (dropped.length > 0 && channel === "mail")
    await tx
      .update(threadReader)
      .set({ mailedForNumber: null })
      .where(and(eq(threadReader.userId, first.userId), inArray(threadReader.threadId, dropped)));
  return unread;
};
