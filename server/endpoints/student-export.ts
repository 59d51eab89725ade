import type { Context } from "hono";
import { openExport, studentExportPath, studentsCsv } from "#server/features/students/export-students.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { answerCsv, Downloads, fileRefuser, linkHolder, refusalPage } from "./downloads.ts";

/** Milliseconds after which a download is cut off. */
const longest = 10 * 60_000;

/**
 * GET /files/student-exports/{id}?mode&expires&signature: students as CSV, by a link of `students.exportLink`. The
 * permission is checked again, and the export is in the audit log before a byte is sent. Rows are read in batches, as
 * fast as the client reads.
 */
export function studentExportEndpoint(services: Services) {
  const downloads = new Downloads();
  return async (c: Context, address: string): Promise<Response> => {
    const id = c.req.param("id") ?? "";
    const refuse = fileRefuser(services, { address, procedure: "GET /files/student-exports" }, id);
    const path = studentExportPath(id);
    const session = await linkHolder(c, services, { path, mode: "download", again: "export", refuse });
    if (session instanceof Response) return session;
    const actor = { userId: session.userId, address };
    const gather = async () => {
      const row = await openExport(services, actor, id).catch((error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      });
      if (row === null) return { response: await refuse(session), body: null };
      return answerCsv("students", studentsCsv(services, actor, row), longest);
    };
    return await downloads.answer(actor, gather, c.req.raw.signal).catch(refusalPage);
  };
}
