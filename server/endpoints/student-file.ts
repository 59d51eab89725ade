import type { Context } from "hono";
import { studentFilePath } from "#server/features/documents/links.ts";
import { maySeeDocumentsOf } from "#server/features/documents/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { openStudentFile, type StudentFile } from "#server/features/students/open-student-file.ts";
import { detailsPage, nameInZip, nameOfRequestedInZip } from "#server/features/students/student-file.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { answerZip, Downloads, linkHolder, refusalPage, unreadable } from "./downloads.ts";

/** Milliseconds after which a download is cut off. */
const longest = 10 * 60_000;

/**
 * GET /files/students/{id}?mode&expires&signature: everything that is stored about a student as one zip, by a link of
 * `students.fileLink`. The permission is checked again, and the accesses are in the audit log before a byte is sent.
 * The documents are read from the store as the zip is sent, one after the other.
 */
export function studentFileEndpoint(services: Services) {
  const downloads = new Downloads();
  return async (c: Context, address: string): Promise<Response> => {
    const { storage, log, refusals } = services;
    const studentId = c.req.param("id") ?? "";
    const refuse = async ({ userId }: Session) => {
      const by = { action: "access-refused", actorId: userId, address } as const;
      const [subjectId = null] = studentId.match(/^[\w-]{8,64}$/) ?? [];
      const things = subjectId === null ? [] : [subjectId];
      await refusals.record({ ...by, procedure: "GET /files/students", subjectId, things });
      return unreadable("not-found", 404);
    };
    const path = studentFilePath(studentId);
    const session = await linkHolder(c, services, { path, mode: "download", again: "save the file", refuse });
    if (session instanceof Response) return session;
    const actor = { userId: session.userId, address, session };
    const gather = async () => {
      const file = await openStudentFile(services, actor, studentId).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === "not-found") return null;
        throw error;
      });
      return file === null
        ? { response: await refuse(session), body: null }
        : await answerWith(file, session);
    };
    return await downloads.answer(actor, gather, c.req.raw.signal).catch(refusalPage);

    /** Checks the right for every file, since it may end while the zip is being sent. */
    async function openFor(holder: Session, storageKey: string) {
      if (await maySeeDocumentsOf(services.database.db, holder, studentId))
        return await storage.disk.getStream(storageKey);
      throw new Refusal("not-found");
    }

    async function answerWith(file: StudentFile, holder: Session) {
      const files = [...file.documents, ...file.requested];
      const exists = await Promise.all(files.map((each) => storage.disk.exists(each.storageKey)));
      if (exists.includes(false)) {
        log.error({ student: studentId }, "the file of a document is gone");
        return { response: unreadable("data-loss", 500), body: null };
      }
      const documents = file.documents.map((each) => ({
        name: nameInZip(each),
        size: each.size,
        lastModified: each.uploadedAt,
        open: () => openFor(holder, each.storageKey),
      }));
      const requested = file.requested.map((each) => ({
        name: nameOfRequestedInZip(each),
        size: each.size,
        lastModified: each.suppliedAt,
        open: () => openFor(holder, each.storageKey),
      }));
      const now = new Date();
      const details = { name: "Details.html", text: detailsPage(file, now), lastModified: now };
      return answerZip(file.name, [details, ...documents, ...requested], longest);
    }
  };
}
