import { and, eq, sql } from "drizzle-orm";
import { sideOf } from "#domain/conversation.ts";
import { threadTopic } from "#protocol/live-topic.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { markTopicRead } from "#server/features/notifications/commands.ts";
import { conversationsChannel } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { thread, threadReader } from "../tables.ts";
import { unreadMessages } from "../unread-messages.ts";
import { broadcastThread, lockThread } from "./threads.ts";

const rowOf = (threadId: string, userId: string) =>
  and(eq(threadReader.threadId, threadId), eq(threadReader.userId, userId));

type Read = { threadId: string; upTo: number; markedFrom: number | null };

/**
 * Marks messages as read, up to a number. Does nothing when the reader has marked the thread as unread meanwhile. A
 * shared lock of the thread orders this before or after the withdrawal of a message.
 */
export async function markThreadRead(services: Services, actor: Actor, read: Read): Promise<void> {
  const { threadId, markedFrom } = read;
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    const { thread: row } = await lockThread(tx, actor, threadId, "share");
    const upTo = Math.min(read.upTo, row.lastNumber);
    const [before] = await tx.select().from(threadReader).where(rowOf(threadId, userId)).for("update");
    if ((before?.markedFrom ?? null) !== markedFrom) return;
    const readUpTo = Math.max(upTo, before?.readUpTo ?? 0);
    const after = {
      readUpTo,
      markedFrom: markedFrom !== null && readUpTo < markedFrom ? markedFrom : null,
      seenAt: sql`now()`,
    };
    await tx
      .insert(threadReader)
      .values({ threadId, userId, ...after })
      .onConflictDoUpdate({
        target: [threadReader.threadId, threadReader.userId],
        // Another tab of the same reader may have inserted the row first, perhaps with a mark.
        set: { ...after, readUpTo: sql`greatest(${threadReader.readUpTo}, ${readUpTo})` },
        setWhere: sql`${threadReader.markedFrom} is not distinct from ${markedFrom}`,
      });
    if (readUpTo === (before?.readUpTo ?? 0)) return;
    if (!(await hasUnread(tx, threadId, userId)))
      await markTopicRead(services, tx, userId, threadTopic(threadId));
    await services.live.publish(conversationsChannel(userId), "{}", tx);
  });
}

async function hasUnread(tx: Transaction, threadId: string, userId: string): Promise<boolean> {
  const [row] = await tx
    .select({ has: sql<boolean>`exists (${unreadMessages(userId)})` })
    .from(thread)
    .innerJoin(threadReader, and(eq(threadReader.threadId, thread.id), eq(threadReader.userId, userId)))
    .where(eq(thread.id, threadId));
  return row?.has ?? false;
}

/** Marks messages from a number on as unread, for the actor alone. */
export async function markThreadUnread(
  services: Services,
  actor: Actor,
  { threadId, from }: { threadId: string; from: number },
): Promise<void> {
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    const { thread: row } = await lockThread(tx, actor, threadId, "share");
    if (from > row.lastNumber) throw new Refusal("not-found");
    await tx
      .insert(threadReader)
      .values({ threadId, userId, markedFrom: from })
      .onConflictDoUpdate({
        target: [threadReader.threadId, threadReader.userId],
        set: {
          markedFrom: from,
          readUpTo: sql`least(${threadReader.readUpTo}, ${from - 1})`,
          readBeforeMark: sql`greatest(${threadReader.readBeforeMark}, ${threadReader.readUpTo})`,
        },
      });
    await services.live.publish(conversationsChannel(userId), "{}", tx);
  });
}

/** Marks a thread as needing no answer from the actor's side, so that it no longer waits for one. */
export async function settleThread(
  services: Services,
  actor: Actor,
  { threadId, lastNumber }: { threadId: string; lastNumber: number },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { who, student, thread: row } = await lockThread(tx, actor, threadId);
    if (row.lastNumber !== lastNumber) throw Refusal.conflict();
    const side = sideOf(who);
    if (row.waiting !== side) return;
    const settled = side === "staff" ? { settledByStaff: lastNumber } : { settledByStudent: lastNumber };
    await tx
      .update(thread)
      .set({ waiting: null, waitingSince: null, ...settled })
      .where(eq(thread.id, threadId));
    await broadcastThread(services, tx, threadId, student);
  });
}
