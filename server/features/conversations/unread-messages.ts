import { and, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { MessageState } from "#domain/conversation.ts";
import { message, thread, threadReader } from "./tables.ts";

/** Selects messages that still have their text. */
export const isSent = and(isNull(message.takenBackAt), isNull(message.redactedBy));
const sentIn = (row: string) => sql.raw(`${row}.taken_back_at is null and ${row}.redacted_by is null`);

/** Selects others' messages in a thread that a reader has not read, in a query of `thread` and `threadReader`. */
export const unreadMessages = (userId: string) => sql`
  select m.number from message m where m.thread_id = ${thread.id} and m.number > coalesce(${threadReader.readUpTo}, 0)
    and m.author_id <> ${userId} and ${sentIn("m")}`;

/**
 * Whether anyone but its author has read a message, in a query of `message`; marking it as unread doesn't undo that.
 * The table is named in full: inside the subquery, a bare column would be the reader's own.
 */
export const isReadByOthers = sql<boolean>`exists (
  select from thread_reader r where r.thread_id = message.thread_id and r.user_id <> message.author_id
    and greatest(r.read_up_to, r.read_before_mark) >= message.number)`;

/** Joins the row of one reader to a thread. */
export const joinReader = (userId: string) =>
  and(eq(threadReader.threadId, thread.id), eq(threadReader.userId, userId));

/** Returns the state of a message in the contract's terms. */
export const stateIn = (row: Record<"takenBackAt" | "redactedBy", SQLWrapper>) => sql<MessageState>`case
  when ${row.redactedBy} is not null then 'blackedOut' when ${row.takenBackAt} is not null then 'takenBack'
  else 'sent' end`;
