import type { AccountRow } from "#contract/accounts.ts";
import type { AuditEntry } from "#contract/audit.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import { type Columns, writeCsv } from "#server/platform/csv.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Cursor } from "#server/platform/keyset-list.ts";
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

const accountColumns: Columns<AccountRow> = {
  Email: ({ email }) => email,
  Name: ({ name }) => name,
  Role: ({ role }) => role,
  Status: ({ status }) => status,
  Verified: ({ emailVerified }) => (emailVerified ? "yes" : "no"),
  "Since (UTC)": ({ since }) => since.toISOString(),
  "Last login (UTC)": ({ lastLogin }) => lastLogin?.toISOString() ?? "",
  Students: ({ students }) => String(students),
  "Erased on (UTC)": ({ erasedOn }) => erasedOn?.toISOString() ?? "",
  Id: ({ id }) => id,
};

/** Streams accounts as CSV, a page at a time. */
export const accountsCsv = (all: AsyncIterable<{ accounts: AccountRow[] }>): AsyncGenerator<string> =>
  writeCsv(accountColumns, all, ({ accounts }) => accounts);

/** Entries that are read into memory at a time, however long the log is. */
const batchSize = 1000;

export const actorNameAndId = (actor: AuditEntry["actor"]): readonly [name: string, id: string] =>
  actor.kind === "account" ? [actor.email ?? "", actor.id] : [actor.kind, ""];

const auditColumns: Columns<LinkedEntry> = {
  "Time (UTC)": ({ at }) => at.toISOString(),
  What: ({ action }) => (isAuditAction(action) ? auditActions[action] : ""),
  Action: ({ action }) => action,
  Who: ({ actor }) => actorNameAndId(actor)[0],
  "Who (id)": ({ actor }) => actorNameAndId(actor)[1],
  Whom: ({ subject }) => subject?.email ?? "",
  "Whom (id)": ({ subject }) => subject?.id ?? "",
  "From address": ({ address }) => address ?? "",
  Details: ({ detail }) =>
    Object.entries(detail)
      .map(([key, value]) => `${key}: ${value}`)
      .join("; "),
  Position: ({ position }) => String(position ?? ""),
  Hash: ({ hash }) => hash ?? "",
};

/**
 * Streams the entries as CSV, newest first, a batch of lines at a time. Entries that are written meanwhile are left
 * out.
 */
export const auditCsv = (db: Reader, query: AuditQuery | null): AsyncGenerator<string> =>
  writeCsv(
    auditColumns,
    pages((cursor) => listAudit(db, query, cursor, batchSize)),
    ({ entries }) => entries,
  );
