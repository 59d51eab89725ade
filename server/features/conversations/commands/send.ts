import { and, eq, isNull, sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { applicationName } from "#domain/application-notification.ts";
import { checkMessage, otherSide, type Side, sideOf, unreachableStudent } from "#domain/conversation.ts";
import { isUuid } from "#domain/uuid.ts";
import { threadPath } from "#protocol/addresses.ts";
import { threadTopic } from "#protocol/live-topic.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { namingFields } from "#server/features/applications/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import type { StudentRecord } from "#server/features/assignments/queries.ts";
import { staffOf } from "#server/features/assignments/staff.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { isUniqueViolation } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { message, messageFile, thread, threadReader } from "../tables.ts";
import { broadcastThread, lockParticipant, type Participant } from "./threads.ts";

/** `key` is the sender's idempotency key; `files` are ids of files that are in no message yet. */
export type NewMessage = {
  studentId: string;
  applicationId: string | null;
  key: string;
  text: string;
  files: readonly string[];
};
type MessagePlace = { threadId: string; number: number };

const tooMany = "You've sent many messages within the hour. Please try again later.";

/**
 * Sends a message, and creates the thread with the first one. Messages are numbered under their thread's lock. A
 * message that is sent again with the same key is stored and counted once.
 */
export async function sendMessage(
  services: Services,
  actor: Actor,
  draft: NewMessage,
): Promise<MessagePlace> {
  const allowance = requireAllowance(
    await services.limits.message(actor.userId),
    "resource-exhausted",
    tooMany,
  );
  const send = () => services.database.transaction((tx) => sendWithin(services, tx, actor, draft));
  // A message with this key may have been sent to another thread at the same time; the second attempt sees it.
  const sending = send().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return send();
  });
  const { isNew, ...id } = await refundFailure(allowance, sending);
  if (!isNew) await allowance.refund();
  return id;
}

/** Sends a message in the caller's transaction, without counting it. */
export async function sendWithin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  draft: NewMessage,
): Promise<Outcome> {
  const participant = await lockParticipant(tx, actor, draft.studentId);
  return (await sentBefore(tx, actor, draft.key)) ?? (await add(services, tx, participant, draft));
}

type Outcome = MessagePlace & { isNew: boolean };

async function sentBefore(tx: Transaction, { userId }: Actor, key: string): Promise<Outcome | null> {
  const [row] = await tx
    .select({ threadId: message.threadId, number: message.number })
    .from(message)
    .where(and(eq(message.authorId, userId), eq(message.key, key)));
  return row ? { ...row, isNew: false } : null;
}

async function add(
  services: Services,
  tx: Transaction,
  { who, student }: Participant,
  { applicationId, key, files, ...draft }: NewMessage,
): Promise<Outcome> {
  const content = checkMessage(draft.text, files.length);
  if ("code" in content) throw Refusal.of(content);
  const side = sideOf(who);
  await requireReader(tx, side, student);
  const program = await subjectOf(tx, student, applicationId);
  const before = await lockOrBegin(tx, student.id, applicationId);
  const earlier = await sentBefore(tx, { userId: who.id, address: "" }, key);
  if (earlier) return earlier;
  const { number, at } = await advance(tx, before.id, side);
  const { text } = content;
  await tx.insert(message).values({ threadId: before.id, number, authorId: who.id, side, text, key, at });
  await attach(tx, who.id, student.id, { threadId: before.id, number }, files);
  await keepRead(tx, before.id, who.id, number);
  await notifyOthers(
    services,
    tx,
    { who, student },
    { threadId: before.id, number, applicationId, program, side },
  );
  await broadcastThread(services, tx, before.id, student);
  return { threadId: before.id, number, isNew: true };
}

/** Refuses a message from staff that the student can't read. */
async function requireReader(tx: Transaction, side: Side, student: StudentRecord): Promise<void> {
  if (side === "student") return;
  const status = await lockStatus(tx, student.id);
  if (!status || !hasAccess(status))
    throw new Refusal("failed-precondition", { message: unreachableStudent });
}

/** Returns the name of the student's application; null for the general thread. */
async function subjectOf(
  tx: Transaction,
  { id }: StudentRecord,
  applicationId: string | null,
): Promise<string | null> {
  if (applicationId === null) return null;
  const [row] = await tx
    .select(namingFields)
    .from(application)
    .where(and(eq(application.id, applicationId), eq(application.studentId, id)));
  if (!row) throw new Refusal("not-found");
  return applicationName(row);
}

async function lockOrBegin(tx: Transaction, studentId: string, applicationId: string | null) {
  await tx.insert(thread).values({ studentId, applicationId }).onConflictDoNothing();
  const [row] = await tx
    .select({ id: thread.id })
    .from(thread)
    .where(
      and(
        eq(thread.studentId, studentId),
        applicationId === null ? isNull(thread.applicationId) : eq(thread.applicationId, applicationId),
      ),
    )
    .for("update");
  if (!row) throw new Refusal("not-found");
  return row;
}

/**
 * Takes the next number, and makes the thread wait for the other side. The time is the database's, read under the lock,
 * so that it never contradicts the numbers, and the same for all columns of the row.
 */
async function advance(tx: Transaction, threadId: string, side: Side): Promise<{ number: number; at: Date }> {
  const at = sql`greatest(statement_timestamp(), ${thread.lastAt})`;
  const waiting = otherSide[side];
  const [row] = await tx
    .update(thread)
    .set({
      lastNumber: sql`${thread.lastNumber} + 1`,
      lastAt: at,
      waiting,
      waitingSince: sql`case when ${thread.waiting} = ${waiting} then ${thread.waitingSince} else ${at} end`,
    })
    .where(eq(thread.id, threadId))
    .returning({ number: thread.lastNumber, at: thread.lastAt });
  if (!row) throw new Refusal("not-found");
  return row;
}

const fileGone = "A file isn't there any more. Please remove it and attach it again.";

async function attach(
  tx: Transaction,
  authorId: string,
  studentId: string,
  to: MessagePlace,
  files: readonly string[],
): Promise<void> {
  for (const [position, id] of files.entries()) {
    if (!isUuid(id)) throw new Refusal("failed-precondition", { message: fileGone });
    const rows = await tx
      .update(messageFile)
      .set({ ...to, position })
      .where(
        and(
          eq(messageFile.id, id),
          eq(messageFile.authorId, authorId),
          eq(messageFile.studentId, studentId),
          isNull(messageFile.number),
        ),
      )
      .returning({ id: messageFile.id });
    if (rows.length === 0) throw new Refusal("failed-precondition", { message: fileGone });
  }
}

/** Counts the author's own message as read if everything before it was. */
async function keepRead(tx: Transaction, threadId: string, userId: string, number: number): Promise<void> {
  await tx
    .insert(threadReader)
    .values({ threadId, userId, readUpTo: number === 1 ? 1 : 0 })
    .onConflictDoUpdate({
      target: [threadReader.threadId, threadReader.userId],
      set: { readUpTo: number },
      setWhere: sql`${threadReader.readUpTo} = ${number - 1} and ${threadReader.markedFrom} is null`,
    });
}

type SentMessage = {
  threadId: string;
  number: number;
  applicationId: string | null;
  program: string | null;
  side: Side;
};

/**
 * Notifies the other side, and the student's agent of an admin's message. One mail is queued for each reader until they
 * have read the thread; the notification of a later message takes it over.
 */
async function notifyOthers(
  services: Services,
  tx: Transaction,
  { who, student }: Participant,
  post: SentMessage,
): Promise<void> {
  const staff = await staffOf(tx, student.id, "guidance");
  const agent = staff.filter((id) => id === student.assignedAgentId);
  const readers = post.side === "student" ? staff : [student.id, ...agent];
  const others = readers.filter((id) => id !== who.id);
  if (others.length === 0) return;
  const mailed = await claimMails(tx, post, others);
  const author = post.side === "staff" && who.role === "agent" ? await nameOf(tx, who.id) : null;
  await notify(
    services,
    tx,
    ...others.map(
      (userId): NewNotification => ({
        userId,
        kind: "messageReceived",
        // The student's id makes sure that the entry is deleted when the student is erased.
        eventKey: `message:${student.id}:${post.threadId}:${post.number}`,
        topic: threadTopic(post.threadId),
        about: {
          side: post.side,
          number: String(post.number),
          ...(author !== null && { agent: author }),
          ...(userId !== student.id && { student: student.name }),
          ...(post.program !== null && { program: post.program }),
        },
        ids: {
          studentId: student.id,
          threadId: post.threadId,
          ...(post.applicationId !== null && { applicationId: post.applicationId }),
        },
        ...(author !== null && { agentId: who.id }),
        path: threadPath(post.threadId),
        mail: mailed.has(userId),
      }),
    ),
  );
}

/** Returns the readers who get a mail about this message: those who got none since they last read. */
async function claimMails(
  tx: Transaction,
  { threadId, number }: SentMessage,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .insert(threadReader)
    .values(userIds.toSorted().map((userId) => ({ threadId, userId, mailedForNumber: number })))
    .onConflictDoUpdate({
      target: [threadReader.threadId, threadReader.userId],
      set: { mailedForNumber: number },
      setWhere: sql`coalesce(${threadReader.mailedForNumber}, 0)
        <= greatest(${threadReader.readUpTo}, ${threadReader.readBeforeMark})`,
    })
    .returning({ userId: threadReader.userId });
  return new Set(rows.map(({ userId }) => userId));
}

async function nameOf(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx.select({ name: user.name }).from(user).where(eq(user.id, id));
  return row?.name ?? null;
}
