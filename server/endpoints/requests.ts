import { Readable } from "node:stream";
import type { Context } from "hono";
import { linkModes } from "#contract/documents.ts";
import { downloadName, fileProblem, uploadRefusal } from "#domain/document.ts";
import { isApprovedAgent, isStudent } from "#domain/permission.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { requireLookReason } from "#server/features/assignments/commands/look-reason.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { requestedFileFor, requestFilePath, supplyRequest } from "#server/features/planner/request-files.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { fileHeaders, linkHolder, refusalPage, unreadable } from "./downloads.ts";
import { announcedSize, answerUpload, bodyOf, nameIn } from "./uploads.ts";

/**
 * POST /files/requests/{id}: the file that a student was asked for, as it is, with its name in X-File-Name; the assigned
 * agent may send it in the student's place. Answers `{ id }` of the request, or `{ code, message }` about this file.
 */
export const requestUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await services.sessions.check(c.req.header("cookie") ?? null);
  if (!session) throw new Refusal("unauthenticated");
  if (!(isStudent(session) || isApprovedAgent(session)) || c.req.header("x-csrf-token") !== "orpc")
    throw new Refusal("permission-denied");
  const requestId = c.req.param("id") ?? "";
  const body = bodyOf(c);
  const file = { name: nameIn(c), size: body ? announcedSize(c) : 0 };
  const problem = fileProblem(file);
  if (problem || !body) throw Refusal.of(uploadRefusal[problem ?? "empty"]);
  demandAllowance(await services.limits.upload(session.userId));
  await supplyRequest(services, { userId: session.userId, address }, { requestId, ...file, body });
  return { id: requestId };
}

/**
 * GET /files/requests/{id}?mode&expires&signature: the file of a request, through a link of `planner.requestLink`. The
 * permission is checked again, and the look is in the audit log before a byte is sent.
 */
export const requestFileEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  openFile(c, services, address).catch(refusalPage);

async function openFile(c: Context, services: Services, address: string): Promise<Response> {
  const { database, refusals, storage, log } = services;
  const requestId = c.req.param("id") ?? "";
  const refuse = async ({ userId }: Session) => {
    const things = [requestId].filter((id) => /^[\w-]{8,64}$/.test(id));
    const by = { action: "access-refused", actorId: userId, address } as const;
    await refusals.record({ ...by, procedure: "GET /files/requests", subjectId: null, things });
    return unreadable("not-found", 404);
  };
  const mode = linkModes.find((each) => each === c.req.query("mode"));
  const path = requestFilePath(requestId);
  const session = await linkHolder(c, services, { path, mode, again: "open the file", refuse });
  if (session instanceof Response) return session;
  const requested = await requestedFileFor(database.db, session, requestId);
  if (!requested) return await refuse(session);
  const { file, student } = requested;
  const right = await requireLookReason(database.db, session, student);
  await recordAudit(database.db, {
    action: mode === "view" ? "document-viewed" : "document-downloaded",
    actorId: session.userId,
    subjectId: student.id,
    address,
    detail: { ...right, request: file.id },
  });
  if (!(await storage.disk.exists(file.storageKey))) {
    log.error({ request: file.id }, "the file of a request is gone");
    return unreadable("data-loss", 500);
  }
  const bytes = Readable.toWeb(await storage.disk.getStream(file.storageKey));
  return new Response(bytes, {
    headers: {
      ...fileHeaders(downloadName(file.name, file.type), file.type, mode === "view"),
      "content-length": String(file.size),
    },
  });
}
