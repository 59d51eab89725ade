import { Readable } from "node:stream";
import type { Context } from "hono";
import { linkModes } from "#contract/documents.ts";
import { documentKinds, downloadName, fileProblem, uploadRefusal } from "#domain/document.ts";
import { isApprovedAgent, isStudent, mayActOnBehalf } from "#domain/permission.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { requireLookReason } from "#server/features/assignments/commands/look-reason.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { demandOnBehalf } from "#server/features/documents/commands/on-behalf.ts";
import { uploadDocument } from "#server/features/documents/commands/upload.ts";
import { documentPath } from "#server/features/documents/links.ts";
import { documentFor, type StoredDocument } from "#server/features/documents/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { fileHeaders, linkHolder, refusalPage, unreadable } from "./downloads.ts";
import { announcedSize, answerUpload, bodyOf, nameIn } from "./uploads.ts";

/**
 * POST /files/documents/{kind}: a student's file, as it is, with its name in X-File-Name. Answers `{ id }`, or
 * `{ code, message }` about this file.
 */
export const uploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

/**
 * POST /files/students/{id}/documents/{kind}: a student's file from the assigned agent, in the student's place. It comes and
 * is answered like a student's own.
 */
export const uploadOnBehalfEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address, c.req.param("id") ?? ""), services.log);

/** `studentId`: the student in whose place an agent uploads; null for a student's own file. */
async function upload(c: Context, services: Services, address: string, studentId: string | null = null) {
  const session = await services.sessions.check(c.req.header("cookie") ?? null);
  if (!session) throw new Refusal("unauthenticated");
  const mayUpload = studentId === null ? isStudent : isApprovedAgent;
  if (!mayUpload(session) || c.req.header("x-csrf-token") !== "orpc") throw new Refusal("permission-denied");
  const kind = documentKinds.find((each) => each === c.req.param("kind"));
  if (kind === undefined) throw new Refusal("not-found");
  if (studentId !== null) await demandOnBehalf(services.database.db, session.userId, studentId);
  const body = bodyOf(c);
  const file = { name: nameIn(c), size: body ? announcedSize(c) : 0 };
  const problem = fileProblem(file);
  if (problem || !body) throw Refusal.of(uploadRefusal[problem ?? "empty"]);
  demandAllowance(await services.limits.upload(session.userId));
  const actor = { userId: session.userId, address };
  const onBehalf = studentId === null ? null : { studentId, may: mayActOnBehalf };
  return { id: await uploadDocument(services, actor, { kind, ...file, body }, onBehalf) };
}

/**
 * GET /files/documents/{id}?mode&expires&signature: one file, through a link of `documents.link`. The permission is
 * checked again, and the look is in the audit log before a byte is sent.
 */
export const fileEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  openFile(c, services, address).catch(refusalPage);

async function openFile(c: Context, services: Services, address: string): Promise<Response> {
  const { database, refusals } = services;
  const documentId = c.req.param("id") ?? "";
  const refuse = async ({ userId }: Session) => {
    const things = [documentId].filter((id) => /^[\w-]{8,64}$/.test(id));
    const by = { action: "access-refused", actorId: userId, address } as const;
    await refusals.record({ ...by, procedure: "GET /files/documents", subjectId: null, things });
    return unreadable("not-found", 404);
  };
  const mode = linkModes.find((each) => each === c.req.query("mode"));
  const path = documentPath(documentId);
  const session = await linkHolder(c, services, { path, mode, again: "open the file", refuse });
  if (session instanceof Response) return session;
  const document = await documentFor(database.db, session, documentId);
  if (!document) return await refuse(session);
  const { file, student } = document;
  const right = await requireLookReason(database.db, session, student);
  await recordAudit(database.db, {
    action: mode === "view" ? "document-viewed" : "document-downloaded",
    actorId: session.userId,
    subjectId: student.id,
    address,
    detail: { ...right, document: file.id, kind: file.kind },
  });
  return await sendFile(services, file, mode === "view");
}

/** Answers with a file that has the rules of documents. */
type SentFile = Pick<StoredDocument, "id" | "storageKey" | "name" | "type" | "size">;

export async function sendFile(
  { storage, log }: Services,
  file: SentFile,
  inline: boolean,
): Promise<Response> {
  if (!(await storage.disk.exists(file.storageKey))) {
    log.error({ file: file.id }, "a file is gone from the store");
    return unreadable("data-loss", 500);
  }
  const bytes = Readable.toWeb(await storage.disk.getStream(file.storageKey));
  return new Response(bytes, {
    headers: {
      ...fileHeaders(downloadName(file.name, file.type), file.type, inline),
      "content-length": String(file.size),
    },
  });
}
