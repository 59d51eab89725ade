import type { Context } from "hono";
import { documentKinds, uploadRefusal } from "#domain/document.ts";
import { isApprovedAgent, isStudent, mayActOnBehalf } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { requireRightToActOnBehalf } from "#server/features/documents/commands/on-behalf.ts";
import { uploadDocument } from "#server/features/documents/commands/upload.ts";
import { documentPath } from "#server/features/documents/links.ts";
import { documentFor } from "#server/features/documents/queries.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { linkedFile } from "./linked-file.ts";
import { answerUpload, fileIn, uploader } from "./uploads.ts";

/**
 * POST /files/documents/{kind}: a student's file as the raw body, with its name in X-File-Name. Returns `{ id }`, or `{
 * code, message }` about this file.
 */
export const uploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

/**
 * POST /files/students/{id}/documents/{kind}: a student's file from the assigned agent, on the student's behalf.
 * Request and response are those of a student's own upload.
 */
export const uploadOnBehalfEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address, c.req.param("id") ?? ""), services.log);

/** `studentId`: the student on whose behalf an agent uploads; null for a student's own file. */
async function upload(c: Context, services: Services, address: string, studentId: string | null = null) {
  const session = await uploader(c, services, studentId === null ? isStudent : isApprovedAgent);
  const kind = documentKinds.find((each) => each === c.req.param("kind"));
  if (kind === undefined) throw new Refusal("not-found");
  if (studentId !== null) await requireRightToActOnBehalf(services.database.db, session.userId, studentId);
  const file = fileIn(c, uploadRefusal);
  requireAllowance(await services.limits.upload(session.userId));
  const actor = { userId: session.userId, address };
  const onBehalf = studentId === null ? null : { studentId, may: mayActOnBehalf };
  return { id: await uploadDocument(services, actor, { kind, ...file }, onBehalf) };
}

/** GET /files/documents/{id}?mode&expires&signature: one file, through a link of `documents.link`. */
export const fileEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  linkedFile(c, services, address, {
    what: "document",
    pathOf: documentPath,
    procedure: "GET /files/documents",
    async open(db, session, id) {
      const document = await documentFor(db, session, id);
      if (!document) return null;
      const { file, student } = document;
      const right = await requireViewReason(db, session, student);
      return { file, studentId: student.id, detail: { ...right, document: file.id, kind: file.kind } };
    },
  });
