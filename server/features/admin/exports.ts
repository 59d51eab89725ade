import type { AccountRow } from "#contract/accounts.ts";
import type { AuditEntry } from "#contract/audit.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import type { Cursor } from "#server/platform/cursor.ts";
import type { Reader } from "#server/platform/database.ts";
import { csvLine } from "#server/platform/escape.ts";
import { type AuditQuery, type LinkedEntry, listAudit } from "./audit-log.ts";

/** Reads all pages of a list, one after the other. */
export async function* pages<Page extends { next: Cursor | null }>(
  read: (cursor: Cursor | null) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: Cursor | null = null;
  do {
    const page: Page = await read(cursor);
    yield page;
    cursor = page.next;
  } while (cursor);
}

export const accountHeader = csvLine([
  "Email",
  "Name",
  "Role",
  "Status",
  "Verified",
  "Since (UTC)",
  "Last login (UTC)",
  "Students",
  "Erased on (UTC)",
  "Id",
]);

export const accountLine = (account: AccountRow): string =>
  csvLine([
    account.email,
    account.name,
    account.role,
    account.status,
    account.emailVerified ? "yes" : "no",
    account.since.toISOString(),
    account.lastLogin?.toISOString() ?? "",
    String(account.students),
    account.erasedOn?.toISOString() ?? "",
    account.id,
  ]);

/** Entries that are read into memory at a time, however long the log is. */
const batchSize = 1000;

const auditHeader = [
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

/**
 * Streams the entries as CSV, newest first, a batch of lines at a time. Entries that are written meanwhile are left
 * out.
 */
export async function* auditCsv(db: Reader, query: AuditQuery | null): AsyncGenerator<string> {
  yield csvLine(auditHeader);
  for await (const { entries } of pages((cursor) => listAudit(db, query, cursor, batchSize)))
    yield entries.map((entry) => csvLine(cellsOf(entry))).join("");
}
