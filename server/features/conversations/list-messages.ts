import { and, asc, desc, eq, gt, inArray, lt } from "drizzle-orm";
import type { Message, MessageFile } from "#contract/conversations.ts";
import { takeBackUntil } from "#domain/conversation.ts";
import { maySeeIdentity } from "#domain/permission.ts";
import { messagesPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { paginate } from "#server/platform/keyset-list.ts";
import { holderOf, requireParticipation, studentOfThread } from "./participation.ts";
import { message, messageFile } from "./tables.ts";
import { isReadByOthers, stateIn } from "./unread-messages.ts";

type PageOfMessages = { before?: number | undefined; after?: number | undefined; limit?: number | undefined };

/** Lists a page of a thread's messages for a participant, in the order of their numbers. */
export async function listMessages(db: Reader, viewer: Session, threadId: string, page: PageOfMessages) {
  const { before, after, limit = messagesPerPage } = page;
  requireParticipation(holderOf(viewer), await studentOfThread(db, threadId));
  const isForward = after !== undefined;
  const candidates = await db
    .select({
      number: message.number,
      at: message.at,
      side: message.side,
      authorId: message.authorId,
      role: user.role,
      name: user.name,
      state: stateIn(message),
      text: message.text,
      reason: message.reason,
      isRead: isReadByOthers,
    })
    .from(message)
    .leftJoin(user, eq(user.id, message.authorId))
    .where(
      and(
        eq(message.threadId, threadId),
        before === undefined ? undefined : lt(message.number, before),
        after === undefined ? undefined : gt(message.number, after),
      ),
    )
    .orderBy(isForward ? asc(message.number) : desc(message.number))
    .limit(limit + 1);
  const { rows, next } = paginate(candidates, limit, () => true);
  const files = await filesOf(
    db,
    threadId,
    rows.map(({ number }) => number),
  );
  // The permission is checked again after the messages were read, so that nothing written since it ended is returned.
  const student = requireParticipation(holderOf(viewer), await studentOfThread(db, threadId));
  const seesPapers = maySeeIdentity(holderOf(viewer), student);
  const now = new Date();
  const messages = rows.map(({ authorId, role, name, isRead, ...row }): Message => {
    const mine = authorId === viewer.userId;
    const until = takeBackUntil(row.at);
    const filesOfMessage = files.get(row.number) ?? [];
    return {
      ...row,
      mine,
      by: role === null ? null : { role, name: role === "admin" ? "" : (name ?? "") },
      // The student's files are shared like documents; a name can reveal as much as the file.
      files:
        row.side === "staff" || seesPapers
          ? filesOfMessage
          : filesOfMessage.map((file) => ({ ...file, name: null })),
      takeBackUntil: mine && row.state === "sent" && !isRead && until > now ? until : null,
    };
  });
  return { messages: isForward ? messages : messages.toReversed(), more: next !== null };
}

async function filesOf(db: Reader, threadId: string, numbers: number[]): Promise<Map<number, MessageFile[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select({
      number: messageFile.number,
      file: {
        id: messageFile.id,
        name: messageFile.name,
        type: messageFile.mediaType,
        size: messageFile.size,
        keptAs: messageFile.keptAs,
      },
    })
    .from(messageFile)
    .where(and(eq(messageFile.threadId, threadId), inArray(messageFile.number, numbers)))
    .orderBy(asc(messageFile.number), asc(messageFile.position));
  const files = new Map<number, MessageFile[]>();
  for (const { number, file } of rows)
    if (number !== null) files.set(number, [...(files.get(number) ?? []), file]);
  return files;
}
