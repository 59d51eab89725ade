import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { LookRow, LookSubject } from "#contract/looks.ts";
import { documentKinds } from "#domain/document.ts";
import { lookActions, lookRights, pageOfLooks } from "#domain/look.ts";
import { looksPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { messageFile } from "#server/features/conversations/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { request } from "#server/features/planner/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, writeCursor } from "#server/platform/keyset-list.ts";

/** Entries that are read at a time, until a page is full. */
const batchSize = 200;

const newest = descending(audit.at, audit.id);
/** PostgreSQL's times have microseconds, which JavaScript's would cut off. */
const exactTime = sql<string>`to_char(${audit.at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
export const lookCursor = cursorForm("exactTime", "number");

/** Entries of earlier versions don't name the right. */
const detailForm = z
  .object({
    right: z.enum(lookRights).optional().catch(undefined),
    reason: z.string().optional().catch(undefined),
    as: z.string().optional().catch(undefined),
    kind: z.enum(documentKinds).nullable().catch(null),
    request: z.string().optional().catch(undefined),
    application: z.string().optional().catch(undefined),
  })
  .catch({ kind: null });

const detailOf = (key: "document" | "request" | "application" | "file") =>
  sql`${audit.detail} ->> ${sql.raw(`'${key}'`)}`;
/** Files that staff sent in messages aren't the student's papers: the audit log's entries about them name no right. */
const isOfPapers = sql`(${audit.action} not like 'message-file-%' or ${audit.detail} ->> 'right' is not null)`;

/** Reads looks by others at a student's papers, newest first, without the network address. */
async function looksFrom(db: Reader, studentId: string, cursor: Cursor | null) {
  const rows = await db
    .select({
      id: audit.id,
      at: audit.at,
      exactTime,
      action: audit.action,
      by: sql<string>`${audit.actorId}`,
      detail: audit.detail,
      role: user.role,
      name: user.name,
      agency: user.agency,
      thingName: sql<
        string | null
      >`coalesce(${document.originalName}, ${request.name}, ${application.program}, ${messageFile.name})`,
    })
    .from(audit)
    .leftJoin(user, eq(user.id, audit.actorId))
    .leftJoin(document, eq(document.id, detailOf("document")))
    .leftJoin(request, eq(request.id, detailOf("request")))
    .leftJoin(application, eq(application.id, detailOf("application")))
    .leftJoin(messageFile, eq(messageFile.id, sql`(${detailOf("file")})::uuid`))
    .where(
      and(
        eq(audit.subjectId, studentId),
        ne(audit.actorId, audit.subjectId),
        inArray(audit.action, [...lookActions]),
        isOfPapers,
        newest.after(cursor),
      ),
    )
    .orderBy(...newest.by)
    .limit(batchSize);
  return rows.map(({ detail, ...row }) => ({ ...row, detail: detailForm.parse(detail ?? {}) }));
}
type Look = Awaited<ReturnType<typeof looksFrom>>[number];

const cursorAfter = ({ exactTime: at, id }: Look): Cursor => [at, String(id)];

/** Lists a page of looks at a student's papers, as the student sees them. */
export async function accessesTo(
  db: Reader,
  studentId: string,
  cursor: Cursor | null,
  limit = looksPerPage,
): Promise<{ looks: LookRow[]; next: string | null }> {
  const entries: Look[] = [];
  for (let from = cursor; ; ) {
    const batch = await looksFrom(db, studentId, from);
    entries.push(...batch);
    const isComplete = batch.length < batchSize;
    const page = pageOfLooks(entries, limit, isComplete);
    const last = entries.at(-1);
    if (page) {
      const lastShown = entries[page.count - 1];
      const hasMore = !isComplete || page.count < entries.length;
      return {
        looks: page.rows.map(rowOf),
        next: hasMore && lastShown ? writeCursor(cursorAfter(lastShown)) : null,
      };
    }
    from = last ? cursorAfter(last) : from;
  }
}

function rowOf(looks: readonly Look[]): LookRow {
  const [latest] = looks;
  const first = looks.at(-1);
  if (!latest || !first) throw new Error("a row has no look");
  const { id, role, name, agency, detail } = latest;
  const right = detail.right ?? (role === "admin" ? "admin" : "agent");
  const inOrder = looks.toReversed();
  const things = new Map(inOrder.map(seenIn).map((each) => [JSON.stringify(each), each]));
  return {
    id: String(id),
    from: first.at,
    to: latest.at,
    viewer: { right, name, agency: right === "agent" ? (agency ?? "") : "" },
    seen: [...things.values()],
    reasons: [...new Set(inOrder.flatMap((look) => look.detail.reason ?? []))],
  };
}

/** Ways of seeing identity details other than on screen, by the entry's `as`. */
const identityThings: Readonly<Record<string, "studentFile" | "export" | "studyRecord">> = {
  "student-file": "studentFile",
  record: "studyRecord",
  export: "export",
};

function seenIn({ action, thingName: name, detail }: Look): LookSubject {
  if (action === "identity-viewed") return { thing: identityThings[detail.as ?? ""] ?? "identity" };
  const isDownload = action === "document-downloaded" || action === "message-file-downloaded";
  if (action.startsWith("message-file-")) return { thing: "messageFile", name, saved: isDownload };
  if (detail.request !== undefined) return { thing: "requestedDocument", name, saved: isDownload };
  if (detail.application !== undefined) return { thing: "offerLetter", name, saved: isDownload };
  return { thing: "document", kind: detail.kind, name, saved: isDownload };
}
