import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { blackOutProblem, decideTakeBack, takeBackRefusal, waitingSideOf } from "#domain/conversation.ts";
import { notificationTable } from "#domain/notification.ts";
import { isAdmin } from "#domain/permission.ts";
import { threadTopic } from "#protocol/live-topic.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { removeUnread } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { message, messageFile, thread, threadReader } from "../tables.ts";
import { isReadByOthers, isSent } from "../unread-messages.ts";
import { broadcastThread, lockThread } from "./threads.ts";

type MessageId = { threadId: string; number: number };
type LockedThread = Awaited<ReturnType<typeof lockThread>>;

/** Takes back the actor's own message, while nobody else has read it. Reading waits for the thread's lock. */
export async function takeBackMessage(services: Services, actor: Actor, id: MessageId): Promise<void> {
  await services.database.transaction(async (tx) => {
    const thread = await lockThread(tx, actor, id.threadId);
    const row = await messageOf(tx, id);
    if (!row || row.authorId !== actor.userId) throw new Refusal("not-found");
    const state = row.isSent ? "sent" : "takenBack";
    const decision = decideTakeBack({ state, at: row.at, isRead: row.isRead }, new Date());
    if (decision !== "allowed")
      throw new Refusal("failed-precondition", { message: takeBackRefusal[decision] });
    await leaveStub(services, tx, thread, id, { takenBackAt: sql`clock_timestamp()` });
    await updateWaiting(tx, thread);
    const detail: AuditDetail = { thread: id.threadId, message: String(id.number) };
    const action = "message-taken-back";
    await recordAudit(tx, { action, ...actedBy(actor), subjectId: thread.student.id, detail });
  });
}

/** Deletes a message's text and files permanently; everyone sees the admin's reason instead. */
export async function blackOutMessage(
  services: Services,
  actor: Actor,
  { reason, ...id }: MessageId & { reason: string },
): Promise<void> {
  const problem = blackOutProblem(reason);
  if (problem) throw Refusal.of(problem);
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const thread = await lockThread(tx, actor, id.threadId);
    const row = await messageOf(tx, id);
    if (!row) throw new Refusal("not-found");
    if (!row.isSent) throw Refusal.conflict();
    const stub = { redactedBy: actor.userId, reason: reason.trim() };
    await leaveStub(services, tx, thread, id, stub);
    const { authorId, text } = row;
    await services.studyEvents.messageRedacted(services, tx, { authorId, text });
    const detail: AuditDetail = {
      thread: id.threadId,
      message: String(id.number),
      reason: stub.reason,
    };
    const action = "message-blacked-out";
    await recordAudit(tx, { action, ...actedBy(actor), subjectId: thread.student.id, detail });
  });
}

const hasId = ({ threadId, number }: MessageId) =>
  and(eq(message.threadId, threadId), eq(message.number, number));

async function messageOf(tx: Transaction, id: MessageId) {
  const [row] = await tx
    .select({
      authorId: message.authorId,
      text: message.text,
      at: message.at,
      isSent: sql<boolean>`${isSent}`,
      isRead: isReadByOthers,
    })
    .from(message)
    .where(hasId(id));
  return row ?? null;
}

/** Removes a message's text and files, and the notifications of readers who have nothing unread any more. */
async function leaveStub(
  services: Services,
  tx: Transaction,
  { student }: LockedThread,
  id: MessageId,
  stub: Partial<Pick<typeof message.$inferInsert, "redactedBy" | "reason">> & {
    takenBackAt?: ReturnType<typeof sql>;
  },
): Promise<void> {
  await tx
    .update(message)
    .set({ text: "", ...stub })
    .where(hasId(id));
  const files = await tx
    .delete(messageFile)
    .where(and(eq(messageFile.threadId, id.threadId), eq(messageFile.number, id.number)))
    .returning({ key: messageFile.storageKey });
  // The nightly tidy-up deletes files that a crash leaves behind here.
  const keys = files.map(({ key }) => key);
  if (keys.length > 0) tx.afterCommit(() => removeUnrecorded(services, keys));
  const readers = await readersWithNothingNew(tx, id.threadId);
  await removeUnread(services, tx, threadTopic(id.threadId), readers);
  await resetWaitingMails(tx, id.threadId, readers);
  await broadcastThread(services, tx, id.threadId, student);
}

/** Returns the readers of a thread in which they have nothing unread any more. */
async function readersWithNothingNew(tx: Transaction, threadId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select r.user_id as id from thread_reader r
    where r.thread_id = ${threadId} and not exists (
      select from message m where m.thread_id = r.thread_id and m.number > r.read_up_to
        and m.author_id <> r.user_id and m.taken_back_at is null and m.redacted_by is null)`);
  return rows.map(({ id }) => id);
}

/**
 * Lets the next message be mailed again to readers whose mail was removed with its notification. A mail waits for some
 * minutes: one about an older message has been sent, and the reader gets no second one.
 */
async function resetWaitingMails(
  tx: Transaction,
  threadId: string,
  readers: readonly string[],
): Promise<void> {
  const minutes = notificationTable.messageReceived.mailAfter ?? 0;
  await tx
    .update(threadReader)
    .set({ mailedForNumber: null })
    .where(
      and(
        eq(threadReader.threadId, threadId),
        inArray(threadReader.userId, [...readers]),
        sql`exists (select from message m where m.thread_id = ${threadId} and m.number = ${threadReader.mailedForNumber}
          and m.at > clock_timestamp() - make_interval(mins => ${minutes}))`,
      ),
    );
}

/** Recomputes whose answer the thread awaits, without messages that were taken back. Blacked-out ones still count. */
async function updateWaiting(tx: Transaction, { thread: row }: LockedThread): Promise<void> {
  const { id, settledByStaff, settledByStudent } = row;
  // Messages that neither side needs to answer make no difference.
  const counting = await tx
    .select({
      side: message.side,
      at: message.at,
      isSettled: sql<boolean>`${message.number} <= case ${message.side}
        when 'student' then ${settledByStaff}::int else ${settledByStudent}::int end`,
    })
    .from(message)
    .where(
      and(
        eq(message.threadId, id),
        gt(message.number, Math.min(settledByStaff, settledByStudent)),
        isNull(message.takenBackAt),
      ),
    )
    .orderBy(asc(message.number));
  const { waiting, since } = waitingSideOf(counting);
  await tx.update(thread).set({ waiting, waitingSince: since }).where(eq(thread.id, id));
}
