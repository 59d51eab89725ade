import { eq, sql } from "drizzle-orm";
import type { AccountStatus } from "#domain/account.ts";
import { isOpen } from "#domain/application-step.ts";
import type { DocumentKind } from "#domain/document.ts";
import type { ShortlistForm } from "#domain/shortlist.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { currentDocuments } from "#server/features/documents/queries.ts";
import { shortlistItem } from "#server/features/shortlist/tables.ts";
import type { Reader } from "#server/platform/database.ts";

export type KnownAccount = AccountStatus & { id: string };

/** The content of the database before an import. */
export type StoredData = {
  /** The ids of all rows that an import ever wrote, whatever became of them. */
  imported: Set<string>;
  accounts: Map<string, KnownAccount>;
  /** Addresses with an account, and those of denied agents. */
  takenEmails: ReadonlySet<string>;
  /** Admins' ids by address. */
  admins: ReadonlyMap<string, string>;
};

export async function readStored(db: Reader): Promise<StoredData> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select string_to_table(detail->>'rows', ' ') as id from ${audit} where action = 'imported'`,
  );
  const accounts = await db
    .select({ id: user.id, email: user.email, role: user.role, status: user.status })
    .from(user);
  const denied = await db.select({ email: deniedAgent.email }).from(deniedAgent);
  return {
    imported: new Set(rows.map(({ id }) => id)),
    accounts: new Map(accounts.map(({ email: _unused, ...account }) => [account.id, account])),
    takenEmails: new Set([...accounts, ...denied].map(({ email }) => email)),
    admins: new Map(accounts.flatMap(({ id, email, role }) => (role === "admin" ? [[email, id]] : []))),
  };
}

/** The rows that a student already has, against which imported ones are compared. */
export type ExistingItems = {
  slots: Set<DocumentKind>;
  /** Programme and intake of each open application. */
  open: Set<string>;
  applications: number;
  shortlist: ShortlistForm[];
};

export const noItems = (): ExistingItems => ({
  slots: new Set(),
  open: new Set(),
  applications: 0,
  shortlist: [],
});

/** Returns the key by which the database's index finds open applications. */
export const openKey = ({ program, startDate }: { program: string; startDate: string }): string =>
  `${program.trim().toLowerCase()} ${startDate}`;

export async function itemsOf(db: Reader, studentId: string): Promise<ExistingItems> {
  const documents = await currentDocuments(db, [studentId]);
  const applications = await db.select().from(application).where(eq(application.studentId, studentId));
  const shortlist = await db.select().from(shortlistItem).where(eq(shortlistItem.studentId, studentId));
  return {
    slots: new Set(documents.map(({ kind }) => kind)),
    open: new Set(applications.filter(({ state }) => isOpen(state)).map(openKey)),
    applications: applications.length,
    shortlist,
  };
}
