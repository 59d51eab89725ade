import { randomUUID } from "node:crypto";
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { type StudentRow, type StudentView, studentView } from "#contract/student-rows.ts";
import { stateLabels } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { countryName } from "#domain/country.ts";
import { moneyInput } from "#domain/currency.ts";
import { documentKinds } from "#domain/document.ts";
import { isAdmin, mayManageStudents } from "#domain/permission.ts";
import { type Identity, identityFields, profileLabel } from "#domain/profile.ts";
import { exportLimits, purposeProblem } from "#domain/student-export.ts";
import { fitOutcomeLabels } from "#domain/student-fit.ts";
import { type StudentColumn, studentColumns } from "#domain/student-list.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { identitiesOf } from "#server/features/profile/queries.ts";
import { type Columns, writeCsv } from "#server/platform/csv.ts";
import { readCursor } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { countStudents, listStudents, studentCursor, withFits } from "./list-students.ts";
import { studentExport } from "./tables.ts";

export const studentExportPath = (id: string): string => `/files/student-exports/${encodeURIComponent(id)}`;

type ExportForm = {
  view: StudentView;
  columns: StudentColumn[];
  studentIds?: string[] | undefined;
  identity: boolean;
  purpose: string;
};

/** Stores an export for a link, and returns its id. Identity details are only for admins, who must give a purpose. */
export async function prepareExport(
  services: Services,
  actor: Actor,
  { view, columns, studentIds, identity, purpose }: ExportForm,
): Promise<string> {
  const problem = identity ? purposeProblem(purpose) : null;
  return await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, identity ? isAdmin : mayManageStudents);
    if (problem) throw Refusal.of(problem);
    const students = await countStudents(tx, actor.userId, { ...view, ids: studentIds }, exportLimits.rows);
    if (studentIds && students === 0) throw new Refusal("not-found");
    if (students > exportLimits.rows) {
      const limit = exportLimits.rows.toLocaleString("en");
      const message = `These are more than ${limit} students. Please narrow the list with a filter.`;
      throw new Refusal("form/incomplete", { message });
    }
    const id = randomUUID();
    const row = { id, by: actor.userId, view, columns, studentIds: studentIds ?? null, identity };
    await tx.insert(studentExport).values({ ...row, purpose: identity ? purpose.trim() : "" });
    return id;
  });
}

/** Returns the filters of an export for the audit log, without the words of a search, which may name a person. */
function filtersIn({ search, fits, sort: _sort, direction: _direction, ...filters }: StudentView): string {
  return [
    ...Object.entries(filters).map(([name, value]) => `${name} ${value}`),
    ...(fits ? [`fits ${fits.programmeId}`] : []),
    ...(search ? ["search"] : []),
  ].join(", ");
}

/**
 * Returns an export of the actor's own; null for any other. Refuses an actor who may no longer make it. Writes the
 * audit entry, with the number of students.
 */
export async function openExport(services: Services, actor: Actor, id: string) {
  return await services.database.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(studentExport)
      .where(and(eq(studentExport.id, id), eq(studentExport.by, actor.userId)));
    if (!row) return null;
    await lockActor(tx, actor, row.identity ? isAdmin : mayManageStudents);
    const view = studentView.parse(row.view);
    const viewOfRows = { ...view, ids: row.studentIds ?? undefined };
    const detail: AuditDetail = {
      columns: row.columns.join(", "),
      filters: filtersIn(view),
      rows: String(await countStudents(tx, actor.userId, viewOfRows, exportLimits.rows)),
      ...(row.identity && { reason: row.purpose }),
    };
    await recordAudit(tx, { action: "students-exported", ...actedBy(actor), detail });
    return row;
  });
}

/** Number of rows that are read into memory at a time. */
const batchSize = 500;
/** A row of the file. `identity` is null if the export has no identity details. */
type ExportRow = StudentRow & { agentEmail: string; identity: Identity | null };

const texts: Record<Exclude<StudentColumn, "deposit">, (row: ExportRow) => string> = {
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  country: ({ country }) => countryName(country),
  applications: ({ applications }) =>
    applications
      .map((application) => `${applicationName(application)}: ${stateLabels[application.state]}`)
      .join("; "),
  documents: ({ documents }) => `${documents.uploaded} of ${documentKinds.length}`,
  progress: ({ progress }) => String(progress.overall),
};

const depositColumns: Columns<ExportRow> = {
  "Deposit due": ({ deposit }) => deposit?.due ?? "",
  "Deposit amount": ({ deposit }) => (deposit ? moneyInput(deposit) : ""),
  "Deposit currency": ({ deposit }) => deposit?.currency ?? "",
};

/** Returns the file's columns for one of the view. A deposit has separate columns for its amount and currency. */
const columnsFor = (column: StudentColumn): Columns<ExportRow> =>
  column === "deposit" ? depositColumns : { [studentColumns[column]]: texts[column] };

/**
 * Streams an export as CSV in batches. With identity details, audits the view of each student before their row is sent.
 */
export function studentsCsv(
  services: Services,
  actor: Actor,
  row: typeof studentExport.$inferSelect,
): AsyncGenerator<string> {
  const columns: Columns<ExportRow> = {
    Name: ({ name }) => name,
    ...Object.fromEntries(row.columns.flatMap((column) => Object.entries(columnsFor(column)))),
    ...(studentView.parse(row.view).fits && {
      Fit: ({ fit }: ExportRow) => (fit ? fitOutcomeLabels[fit.outcome] : ""),
      Gap: ({ fit }: ExportRow) => fit?.reason ?? "",
    }),
    Agent: ({ agent }) => agent?.name ?? "",
    "Agent email": ({ agentEmail }) => agentEmail,
    ...(row.identity &&
      Object.fromEntries(
        identityFields.map((field) => [
          profileLabel[field],
          ({ identity }: ExportRow) => identity?.[field] ?? "",
        ]),
      )),
    Id: ({ id }) => id,
  };
  return writeCsv(columns, batches(services, actor, row), (batch) => batch);
}

async function* batches(services: Services, actor: Actor, row: typeof studentExport.$inferSelect) {
  const { database } = services;
  const ids = row.studentIds ?? undefined;
  const view = await withFits(database.searchDb, actor.userId, { ...studentView.parse(row.view), ids });
  let cursor = null;
  for (let rows = 0; rows < exportLimits.rows; ) {
    const query = { ...view, cursor, size: batchSize };
    const page = await listStudents(database, actor.userId, query, (search) => search());
    const batch = page.students.slice(0, exportLimits.rows - rows);
    yield await withDetails(services, actor, row, batch);
    rows += batch.length;
    if (page.next === null) return;
    cursor = readCursor(page.next, studentCursor);
  }
}

async function withDetails(
  { database }: Services,
  actor: Actor,
  { identity, purpose }: { identity: boolean; purpose: string },
  batch: readonly StudentRow[],
): Promise<ExportRow[]> {
  const agentIds = [...new Set(batch.flatMap(({ agent }) => agent?.id ?? []))];
  const ids = batch.map(({ id }) => id);
  return await database.transaction(async (tx) => {
    // An actor who has lost the role in the meantime gets no further rows.
    await lockActor(tx, actor, identity ? isAdmin : mayManageStudents);
    const agents = await tx
      .select({ id: user.id, email: user.email })
      .from(user)
      .where(inArray(user.id, agentIds));
    const emails = new Map(agents.map(({ id, email }) => [id, email]));
    if (identity) {
      const detail: AuditDetail = { right: "admin", reason: purpose, as: "export" };
      const entry = { action: "identity-viewed", ...actedBy(actor), detail } as const;
      await recordAudit(tx, ...ids.map((subjectId) => ({ ...entry, subjectId })));
    }
    const identities = identity ? await identitiesOf(tx, ids) : new Map<string, Identity>();
    return batch.map((student) => ({
      ...student,
      agentEmail: emails.get(student.agent?.id ?? "") ?? "",
      identity: identities.get(student.id) ?? null,
    }));
  });
}

/** Deletes exports that are older than a day. */
export async function tidyExports({ database }: Pick<Services, "database">): Promise<void> {
  await database.db.delete(studentExport).where(lt(studentExport.createdAt, sql`now() - interval '1 day'`));
}
