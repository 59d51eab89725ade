import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import { messageFilePath } from "#server/features/documents/links.ts";
import { actorOf, cursorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { discardFile, keepAsDocument } from "./commands/files.ts";
import { markThreadRead, markThreadUnread, settleThread } from "./commands/reading.ts";
import { sendMessage } from "./commands/send.ts";
import { blackOutMessage, takeBackMessage } from "./commands/stubs.ts";
import { listMessages } from "./list-messages.ts";
import { fileFor, viewRightForFile } from "./message-files.ts";
import { holderOf, requireParticipation } from "./participation.ts";
import { countThreads, listThreads, openByStudent, openThread, threadCursor } from "./queries.ts";

export const conversations = {
  list: signedIn.conversations.list.handler(async ({ input, context: { services, session } }) => {
    const { db } = services.database;
    const query = { ...input, cursor: cursorOf(input.cursor, threadCursor) };
    if (input.studentId !== undefined)
      requireParticipation(holderOf(session), await studentById(db, input.studentId));
    return await listThreads(db, session, query);
  }),

  counts: signedIn.conversations.counts.handler(
    async ({ context: { services, session } }) => await countThreads(services.database.db, session),
  ),

  open: signedIn.conversations.open.handler(
    async ({ input: { studentId, applicationId }, context: { services, session } }) =>
      await openByStudent(services.database.db, session, studentId, applicationId),
  ),

  thread: signedIn.conversations.thread.handler(
    async ({ input, context: { services, session } }) =>
      await openThread(services.database.db, session, input.threadId),
  ),

  messages: signedIn.conversations.messages.handler(
    async ({ input: { threadId, ...page }, context: { services, session } }) =>
      await listMessages(services.database.db, session, threadId, page),
  ),

  send: signedIn.conversations.send.handler(
    async ({ input, context }) => await sendMessage(context.services, actorOf(context), input),
  ),

  takeBack: signedIn.conversations.takeBack.handler(async ({ input, context }) => {
    await takeBackMessage(context.services, actorOf(context), input);
    return done;
  }),

  blackOut: signedIn.conversations.blackOut.handler(async ({ input, context }) => {
    await blackOutMessage(context.services, actorOf(context), input);
    return done;
  }),

  read: signedIn.conversations.read.handler(async ({ input, context }) => {
    await markThreadRead(context.services, actorOf(context), input);
    return done;
  }),

  markUnread: signedIn.conversations.markUnread.handler(async ({ input, context }) => {
    await markThreadUnread(context.services, actorOf(context), input);
    return done;
  }),

  needsNoAnswer: signedIn.conversations.needsNoAnswer.handler(async ({ input, context }) => {
    await settleThread(context.services, actorOf(context), input);
    return done;
  }),

  fileLink: signedIn.conversations.fileLink.handler(async ({ input, context: { services, session } }) => {
    const file = await fileFor(services.database.db, session, input.fileId);
    if (!file) throw new Refusal("not-found");
    await viewRightForFile(services.database.db, session, file);
    await countAgentPace(services, session, "look");
    return services.fileLinks.make({
      path: messageFilePath(file.id),
      mode: input.mode,
      sessionId: session.id,
    });
  }),

  keepFile: signedIn.conversations.keepFile.handler(async ({ input, context }) => {
    await keepAsDocument(context.services, context.session, actorOf(context), input);
    return done;
  }),

  discardFile: signedIn.conversations.discardFile.handler(async ({ input, context }) => {
    await discardFile(context.services, actorOf(context), input.fileId);
    return done;
  }),
};
