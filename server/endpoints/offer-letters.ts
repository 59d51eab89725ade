import { Readable } from "node:stream";
import type { Context } from "hono";
import { linkModes } from "#contract/documents.ts";
import { downloadName, fileProblem, uploadRefusal } from "#domain/document.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { requireLookReason } from "#server/features/assignments/commands/look-reason.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { demandMover, uploadLetter } from "#server/features/offers/commands/upload-letter.ts";
import { letterFor, letterPath } from "#server/features/offers/letters.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { fileHeaders, linkHolder, refusalPage, unreadable } from "./downloads.ts";
import { announcedSize, answerUpload, bodyOf, nameIn } from "./uploads.ts";

/**
 * POST /files/offer-letters/{applicationId}: the letter of an offer, as it is, with its name in X-File-Name, from the
 * assigned agent or an admin. Answers `{ id }`, or `{ code, message }` about this file.
 */
export const letterUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await services.sessions.check(c.req.header("cookie") ?? null);
  if (!session) throw new Refusal("unauthenticated");
  if (c.req.header("x-csrf-token") !== "orpc") throw new Refusal("permission-denied");
  const applicationId = c.req.param("id") ?? "";
  await demandMover(services, session, applicationId);
  const body = bodyOf(c);
  const file = { name: nameIn(c), size: body ? announcedSize(c) : 0 };
  const problem = fileProblem(file);
  if (problem || !body) throw Refusal.of(uploadRefusal[problem ?? "empty"]);
  demandAllowance(await services.limits.upload(session.userId));
  const actor = { userId: session.userId, address };
  return { id: await uploadLetter(services, actor, { applicationId, ...file, body }) };
}

/**
 * GET /files/offer-letters/{applicationId}?mode&expires&signature: a letter, through a link of `offers.letterLink`. The
 * permission is checked again, and the look is in the audit log before a byte is sent.
 */
export const letterEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  openLetter(c, services, address).catch(refusalPage);

async function openLetter(c: Context, services: Services, address: string): Promise<Response> {
  const { database, refusals, storage, log } = services;
  const applicationId = c.req.param("id") ?? "";
  const refuse = async ({ userId }: Session) => {
    const things = [applicationId].filter((id) => /^[\w-]{8,64}$/.test(id));
    const by = { action: "access-refused", actorId: userId, address } as const;
    await refusals.record({ ...by, procedure: "GET /files/offer-letters", subjectId: null, things });
    return unreadable("not-found", 404);
  };
  const mode = linkModes.find((each) => each === c.req.query("mode"));
  const path = letterPath(applicationId);
  const session = await linkHolder(c, services, { path, mode, again: "open the letter", refuse });
  if (session instanceof Response) return session;
  const opened = await letterFor(database.db, session, applicationId);
  if (!opened) return await refuse(session);
  const { letter, student } = opened;
  const right = await requireLookReason(database.db, session, student);
  const inline = mode === "view";
  await recordAudit(database.db, {
    action: inline ? "document-viewed" : "document-downloaded",
    actorId: session.userId,
    subjectId: student.id,
    address,
    detail: { ...right, application: applicationId, kind: "offer-letter" },
  });
  if (!(await storage.disk.exists(letter.key))) {
    log.error({ application: applicationId }, "the file of an offer letter is gone");
    return unreadable("data-loss", 500);
  }
  return new Response(Readable.toWeb(await storage.disk.getStream(letter.key)), {
    headers: {
      ...fileHeaders(downloadName(letter.name, letter.type), letter.type, inline),
      "content-length": String(letter.size),
    },
  });
}
