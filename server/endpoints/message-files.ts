import type { Context } from "hono";
import { linkModes } from "#contract/documents.ts";
import { messageFileRefusal } from "#domain/conversation.ts";
import { fileProblem } from "#domain/document.ts";
import { isStudentOrStaff } from "#domain/permission.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { uploadMessageFile } from "#server/features/conversations/commands/files.ts";
import { fileFor, rightToOpen } from "#server/features/conversations/message-files.ts";
import { messageFilePath } from "#server/features/documents/links.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { sendFile } from "./documents.ts";
import { linkHolder, refusalPage, unreadable } from "./downloads.ts";
import { announcedSize, answerUpload, bodyOf, nameIn } from "./uploads.ts";

/**
 * POST /files/messages/{studentId}: a file that is to go with a message to or from that student, with its name in
 * X-File-Name. Answers `{ id }`, which `conversations.send` takes, or `{ code, message }` about this file.
 */
export const messageUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await services.sessions.check(c.req.header("cookie") ?? null);
  if (!session) throw new Refusal("unauthenticated");
  if (!isStudentOrStaff(session) || c.req.header("x-csrf-token") !== "orpc")
    throw new Refusal("permission-denied");
  const body = bodyOf(c);
  const file = { name: nameIn(c), size: body ? announcedSize(c) : 0 };
  const problem = fileProblem(file);
  if (problem || !body) throw Refusal.of(messageFileRefusal[problem ?? "empty"]);
  const actor = { userId: session.userId, address };
  const studentId = c.req.param("studentId") ?? "";
  return { id: await uploadMessageFile(services, actor, { studentId, ...file, body }) };
}

/**
 * GET /files/messages/{id}?mode&expires&signature: one file of a message, through a link of `conversations.fileLink`. The
 * permission is checked again, and the look is in the audit log before a byte is sent.
 */
export const messageFileEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  openFile(c, services, address).catch(refusalPage);

async function openFile(c: Context, services: Services, address: string): Promise<Response> {
  const { database, refusals } = services;
  const fileId = c.req.param("id") ?? "";
  const refuse = async ({ userId }: Session) => {
    const things = [fileId].filter((id) => /^[\w-]{8,64}$/.test(id));
    const by = { action: "access-refused", actorId: userId, address } as const;
    await refusals.record({ ...by, procedure: "GET /files/messages", subjectId: null, things });
    return unreadable("not-found", 404);
  };
  const mode = linkModes.find((each) => each === c.req.query("mode"));
  const path = messageFilePath(fileId);
  const session = await linkHolder(c, services, { path, mode, again: "open the file", refuse });
  if (session instanceof Response) return session;
  const file = await fileFor(database.db, session, fileId);
  if (!file) return await refuse(session);
  const right = await rightToOpen(database.db, session, file);
  await recordAudit(database.db, {
    action: mode === "view" ? "message-file-viewed" : "message-file-downloaded",
    actorId: session.userId,
    subjectId: file.studentId,
    address,
    detail: { ...right, file: file.id, thread: file.threadId ?? "" },
  });
  return await sendFile(services, file, mode === "view");
}
