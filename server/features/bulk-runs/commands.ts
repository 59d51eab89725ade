import { randomUUID } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { takeBackMinutes } from "#domain/assignment.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { type BulkAct, bulkLimits } from "#domain/bulk-run.ts";
import { normaliseEmail } from "#domain/email.ts";
import type { InvitationForm } from "#domain/invitation.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { readCsv } from "#protocol/read-csv.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import type { ActingStaff, MoveInput } from "./acts.ts";
import { bulkRunQueue } from "./carry-out.ts";
import {
  freezeAssignment,
  freezeImport,
  freezeInvitations,
  freezeMove,
  freezeSending,
  type ImportedRow,
  type NewItem,
  type SendInput,
} from "./freeze.ts";
import { bulkItem, bulkRun } from "./tables.ts";

/** Rows that one statement writes: PostgreSQL takes 65,535 values at most. */
const batchSize = 1000;

export type BulkRequest =
  | { act: "assign"; studentIds: string[]; agentId: string | null; note: string }
  | ({ act: "move"; studentIds: string[] } & MoveInput)
  | ({ studentIds: string[] } & SendInput);

function freeze(tx: Transaction, staff: ActingStaff, bulkRequest: BulkRequest): Promise<NewItem[]> {
  if (bulkRequest.act === "assign") return freezeAssignment(tx, staff, bulkRequest.studentIds, bulkRequest);
  return bulkRequest.act === "move"
    ? freezeMove(tx, staff, bulkRequest.studentIds, bulkRequest)
    : freezeSending(tx, staff, bulkRequest.studentIds, bulkRequest);
}

/** Freezes the rows of an act, each with a reason if it will be skipped. Changes nothing yet. */
export async function prepareRun(
  services: Services,
  actor: Actor,
  bulkRequest: BulkRequest,
): Promise<string> {
  return await services.database.transaction(async (tx) => {
    const staff = await lockActor(tx, actor, mayManageStudents);
    const items = await freeze(tx, staff, bulkRequest);
    if (items.length === 0) throw new Refusal("not-found");
    if (items.length > bulkLimits.students) {
      const message = `At most ${bulkLimits.students} applications at a time. Please choose fewer students.`;
      throw new Refusal("form/incomplete", { field: "studentIds", message });
    }
    const { act, studentIds: _chosen, ...input } = bulkRequest;
    return await writeRun(tx, actor, { act, input }, items);
  });
}

async function writeRun(
  tx: Transaction,
  actor: Actor,
  run: { act: BulkAct; input: object; undoes?: string },
  items: readonly NewItem[],
): Promise<string> {
  const id = randomUUID();
  await tx.insert(bulkRun).values({ id, ...run, by: actor.userId, address: actor.address });
  const rows = items.map(({ reason, applicationId = null, ...item }, index) => ({
    position: index + 1,
    ...item,
    applicationId,
    runId: id,
    reason,
    outcome: reason === null ? null : ("skipped" as const),
  }));
  for (let at = 0; at < rows.length; at += batchSize)
    await tx.insert(bulkItem).values(rows.slice(at, at + batchSize));
  return id;
}

/** The headings of a file's columns, null for one that the file doesn't have. */
export type ImportColumns = { id: string | null; email: string | null; agent: string | null };

/** Reads a file of students and freezes what it would change. Refuses a file that can't be read, naming the row. */
export async function prepareImport(
  services: Services,
  actor: Actor,
  file: string,
  columns: ImportColumns,
  overwrite: boolean,
): Promise<string> {
  const rows = rowsOf(file, columns);
  return await services.database.transaction(async (tx) => {
    const staff = await lockActor(tx, actor, mayManageStudents);
    const items = await freezeImport(tx, staff, rows, overwrite);
    return await writeRun(tx, actor, { act: "import", input: { overwrite } }, items);
  });
}

/** The headings of a file of people to invite, null for one that the file doesn't have. */
export type InvitationColumns = Record<keyof InvitationForm, string | null>;

/** Reads a file of people and freezes their invitations. Refuses a file that can't be read, naming the row. */
export async function prepareInvitations(
  services: Services,
  actor: Actor,
  file: string,
  columns: InvitationColumns,
): Promise<string> {
  const { rows, cellOf } = tableOf(file);
  if (columns.email === null) throw unreadable("Choose the column with the email addresses.");
  const people = rows.map((row) => ({
    number: row.number,
    firstName: cellOf(row, columns.firstName),
    lastName: cellOf(row, columns.lastName),
    email: cellOf(row, columns.email),
    message: cellOf(row, columns.message),
  }));
  return await services.database.transaction(async (tx) => {
    const staff = await lockActor(tx, actor, mayManageStudents);
    return await writeRun(
      tx,
      actor,
      { act: "invite", input: {} },
      await freezeInvitations(tx, staff, people),
    );
  });
}

const unreadable = (message: string) => new Refusal("form/incomplete", { field: "file", message });

/** Reads a file. `cellOf` returns the cell of a row under a heading, empty if there is none. */
function tableOf(file: string) {
  const table = readCsv(file);
  if (table.kind === "problem") throw unreadable(`Row ${table.row}: ${table.message}`);
  if (table.rows.length === 0) throw unreadable("The file has no rows below the headings.");
  const { headings, rows } = table;
  const cellOf = ({ cells }: (typeof rows)[number], heading: string | null) =>
    heading === null ? "" : (cells[headings.indexOf(heading)] ?? "").trim();
  return { headings, rows, cellOf };
}

function rowsOf(file: string, columns: ImportColumns): ImportedRow[] {
  const { headings, rows, cellOf } = tableOf(file);
  const has = (heading: string | null) => heading !== null && headings.includes(heading);
  if (!has(columns.id) && !has(columns.email))
    throw unreadable("Choose the column with the students' ids or email addresses.");
  if (!has(columns.agent)) throw unreadable("Choose the column with the agents' email addresses.");
  return rows.map((row) => ({
    number: row.number,
    id: cellOf(row, columns.id),
    email: normaliseEmail(cellOf(row, columns.email)),
    agent: normaliseEmail(cellOf(row, columns.agent)),
  }));
}

const ownRun = (actor: Actor, id: string) => and(eq(bulkRun.id, id), eq(bulkRun.by, actor.userId));

export async function lockRun(tx: Transaction, actor: Actor, id: string) {
  const [run] = await tx.select().from(bulkRun).where(ownRun(actor, id)).for("update");
  if (!run) throw new Refusal("not-found");
  return run;
}

/**
 * Starts a prepared run. When called again, continues the run where it stopped, so that nothing is done twice. A run
 * that was prepared too long ago is refused as a conflict.
 */
export async function startRun(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const run = await lockRun(tx, actor, id);
    if (run.finishedAt !== null) return;
    if (run.startedAt === null) {
      if (Date.now() - run.frozenAt.getTime() > bulkLimits.startWithinHours * 3_600_000)
        throw Refusal.conflict();
      await begin(services, tx, actor, run);
    } else await services.jobs.sendAll(bulkRunQueue, [{ payload: { run: id } }], tx);
  });
}

async function begin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  { id, act }: { id: string; act: BulkAct },
) {
  await tx.update(bulkRun).set({ startedAt: sql`now()` }).where(eq(bulkRun.id, id));
  const rows = await tx.$count(bulkItem, and(eq(bulkItem.runId, id), isNull(bulkItem.outcome)));
  const detail: AuditDetail = { act, run: id, rows: String(rows) };
  await recordAudit(tx, { action: "bulk-run-started", ...actedBy(actor), detail });
  await services.jobs.sendAll(bulkRunQueue, [{ payload: { run: id } }], tx);
}

/** Undoes the assignments of a run, within some minutes. Returns the run that does it, the same one for all calls. */
export async function takeBackRun(services: Services, actor: Actor, id: string): Promise<string> {
  return await services.database.transaction(async (tx) => {
    const run = await lockRun(tx, actor, id);
    const [earlier] = await tx.select({ id: bulkRun.id }).from(bulkRun).where(eq(bulkRun.undoes, id));
    if (earlier) return earlier.id;
    if (takeBackDeadline(run) === null) throw Refusal.conflict();
    const doneItems = await tx
      .select()
      .from(bulkItem)
      .where(and(eq(bulkItem.runId, id), eq(bulkItem.outcome, "done")))
      .orderBy(asc(bulkItem.position));
    const items = doneItems.map(({ position, studentId, expected: { from = null, to = null } }) => ({
      position,
      studentId,
      expected: { from: to, to: from },
      reason: null,
    }));
    const undo = { act: "takeBack", input: { runId: id }, undoes: id } as const;
    const undoing = await writeRun(tx, actor, undo, items);
    await begin(services, tx, actor, { id: undoing, act: undo.act });
    return undoing;
  });
}

/** Returns the time until which a run can be taken back; null if it can't be, or no longer. */
export function takeBackDeadline(
  { act, finishedAt }: Pick<typeof bulkRun.$inferSelect, "act" | "finishedAt">,
  now = new Date(),
): Date | null {
  if ((act !== "assign" && act !== "import") || finishedAt === null) return null;
  const deadline = new Date(finishedAt.getTime() + takeBackMinutes * 60_000);
  return deadline < now ? null : deadline;
}
