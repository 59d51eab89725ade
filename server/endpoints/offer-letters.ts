import type { Context } from "hono";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { uploadRefusal } from "#domain/document.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { requireMover, uploadLetter } from "#server/features/offers/commands/upload-letter.ts";
import { letterFor, letterPath } from "#server/features/offers/letters.ts";
import type { Services } from "#server/services.ts";
import { linkedFile } from "./linked-file.ts";
import { answerUpload, fileIn, uploader } from "./uploads.ts";

/**
 * POST /files/offer-letters/{applicationId}: the letter of an offer as the raw body, with its name in X-File-Name, from
 * the assigned agent or an admin. Returns `{ id }`, or `{ code, message }` about this file.
 */
export const letterUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await uploader(c, services, () => true);
  const applicationId = c.req.param("id") ?? "";
  await requireMover(services, session, applicationId);
  const file = fileIn(c, uploadRefusal);
  requireAllowance(await services.limits.upload(session.userId));
  const actor = { userId: session.userId, address };
  return { id: await uploadLetter(services, actor, { applicationId, ...file }) };
}

/** GET /files/offer-letters/{applicationId}?mode&expires&signature: a letter, through a link of `offers.letterLink`. */
export const letterEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  linkedFile(c, services, address, {
    what: "document",
    pathOf: letterPath,
    procedure: "GET /files/offer-letters",
    async open(db, session, id) {
      const current = await letterFor(db, session, id);
      if (!current) return null;
      const { letter, student } = current;
      const right = await requireViewReason(db, session, student);
      const detail: AuditDetail = { ...right, application: id, kind: "offer-letter" };
      return { file: { ...letter, id, storageKey: letter.key }, studentId: student.id, detail };
    },
  });
