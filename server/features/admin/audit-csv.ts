import type { AuditEntry } from "#contract/audit.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import { csvLine } from "#server/platform/csv.ts";
import type { Cursor } from "#server/platform/cursor.ts";
import type { Reader } from "#server/platform/database.ts";
import { type AuditQuery, type LinkedEntry, listAudit } from "./audit-log.ts";

/** Entries that are read at once: so many are in memory, however long the log is. */
const batchSize = 1000;

const header = [
  "Time (UTC)",
  "What",
  "Action",
  "Who",
  "Who (id)",
  "Whom",
  "Whom (id)",
  "From address",
  "Details",
  "Position",
  "Hash",
];

export const whoOf = (actor: AuditEntry["actor"]): readonly [name: string, id: string] =>
  actor.kind === "account" ? [actor.email ?? "", actor.id] : [actor.kind, ""];

const cellsOf = ({ at, action, actor, subject, address, detail, position, hash }: LinkedEntry): string[] => [
  at.toISOString(),
  isAuditAction(action) ? auditActions[action] : "",
  action,
  ...whoOf(actor),
  subject?.email ?? "",
  subject?.id ?? "",
  address ?? "",
  Object.entries(detail)
    .map(([key, value]) => `${key}: ${value}`)
    .join("; "),
  String(position ?? ""),
  hash ?? "",
];

/** The entries as CSV, newest first, a batch of lines at a time; those that come meanwhile are not among them. */
export async function* auditCsv(db: Reader, query: AuditQuery | null): AsyncGenerator<string> {
  yield csvLine(header);
  let cursor: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(db, query, cursor, batchSize);
    yield page.entries.map((entry) => csvLine(cellsOf(entry))).join("");
    cursor = page.next;
  } while (cursor);
}
