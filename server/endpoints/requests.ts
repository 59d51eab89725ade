import type { Context } from "hono";
import { uploadRefusal } from "#domain/document.ts";
import { isApprovedAgent, isStudent } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { requestedFileFor, requestFilePath, supplyRequest } from "#server/features/planner/request-files.ts";
import type { Services } from "#server/services.ts";
import { linkedFile } from "./linked-file.ts";
import { answerUpload, fileIn, uploader } from "./uploads.ts";

/**
 * POST /files/requests/{id}: the file that a student was asked for as the raw body, with its name in X-File-Name; the
 * assigned agent may send it for the student. Returns the request's `{ id }`, or `{ code, message }` about this file.
 */
export const requestUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await uploader(c, services, (each) => isStudent(each) || isApprovedAgent(each));
  const requestId = c.req.param("id") ?? "";
  const file = fileIn(c, uploadRefusal);
  requireAllowance(await services.limits.upload(session.userId));
  await supplyRequest(services, { userId: session.userId, address }, { requestId, ...file });
  return { id: requestId };
}

/** GET /files/requests/{id}?mode&expires&signature: the file of a request, through a link of `planner.requestLink`. */
export const requestFileEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  linkedFile(c, services, address, {
    what: "document",
    pathOf: requestFilePath,
    procedure: "GET /files/requests",
    async open(db, session, id) {
      const current = await requestedFileFor(db, session, id);
      if (!current) return null;
      const { file, student } = current;
      const right = await requireViewReason(db, session, student);
      return { file, studentId: student.id, detail: { ...right, request: file.id } };
    },
  });
