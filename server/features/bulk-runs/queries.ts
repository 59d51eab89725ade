import { and, asc, count, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { BulkItem, BulkRun } from "#contract/bulk-runs.ts";
import { deadlineForm } from "#contract/deadline.ts";
import { applicationStates } from "#domain/application.ts";
import type { BulkOutcome } from "#domain/bulk-run.ts";
import { requestKinds, requestTitle } from "#domain/document-request.ts";
import { bulkItemsPerPage, bulkRunsListed } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { namingFields } from "#server/features/applications/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { paginate } from "#server/platform/keyset-list.ts";
import { takeBackDeadline } from "./commands.ts";
import { bulkItem, bulkRun } from "./tables.ts";

const inputForm = z.object({
  agentId: z.string().nullish(),
  from: z.enum(applicationStates).optional(),
  to: z.enum(applicationStates).optional(),
  note: z.string().optional(),
  text: z.string().optional(),
  title: z.string().optional(),
  kind: z.enum(requestKinds).optional(),
  name: z.string().optional(),
  reason: z.string().optional(),
  due: deadlineForm.nullish(),
});
type Input = z.infer<typeof inputForm>;

/** Returns the text that is sent; of a task, its title. */
const textOf = ({ text = "", title, kind, name = "" }: Input): string =>
  kind === undefined ? (title ?? text) : requestTitle({ kind, name });

/** Returns the further text: the text of a task, the reason of a request, or the note for the next agent. */
const noteOf = ({ title, text = "", reason, note = "" }: Input): string =>
  title === undefined ? (reason ?? note) : text;

type Run = typeof bulkRun.$inferSelect;

/** Returns a user's own run with its counts; null for any other. */
export async function runOf(db: Reader, userId: string, id: string): Promise<BulkRun | null> {
  const own = await db
    .select()
    .from(bulkRun)
    .where(and(eq(bulkRun.id, id), eq(bulkRun.by, userId)));
  return (await describeRuns(db, own))[0] ?? null;
}

/** Lists a user's started runs, the latest first. */
export async function runsOf(db: Reader, userId: string): Promise<BulkRun[]> {
  const own = await db
    .select()
    .from(bulkRun)
    .where(and(eq(bulkRun.by, userId), sql`${bulkRun.startedAt} is not null`))
    .orderBy(desc(bulkRun.frozenAt), desc(bulkRun.id))
    .limit(bulkRunsListed);
  return await describeRuns(db, own);
}

async function describeRuns(db: Reader, runs: readonly Run[]): Promise<BulkRun[]> {
  const ids = runs.map(({ id }) => id);
  if (ids.length === 0) return [];
  const inputs = new Map(runs.map(({ id, input }) => [id, inputForm.parse(input)]));
  const agentIds = [...inputs.values()].flatMap(({ agentId }) => agentId ?? []);
  const [counts, agents, undone] = await Promise.all([
    db
      .select({
        runId: bulkItem.runId,
        outcome: bulkItem.outcome,
        reason: bulkItem.reason,
        number: count(),
      })
      .from(bulkItem)
      .where(inArray(bulkItem.runId, ids))
      .groupBy(bulkItem.runId, bulkItem.outcome, bulkItem.reason),
    db
      .select({ id: user.id, name: user.name })
      .from(user)
      .where(sql`${user.id} = any(${sql.param(agentIds)}::text[])`),
    db.select({ undoes: bulkRun.undoes }).from(bulkRun).where(inArray(bulkRun.undoes, ids)),
  ]);
  return runs.map((run) => {
    const own = counts.filter(({ runId }) => runId === run.id);
    const number = (outcome: BulkOutcome | null) =>
      own.reduce((sum, each) => (each.outcome === outcome ? sum + each.number : sum), 0);
    const input = inputs.get(run.id) ?? {};
    const { agentId, from, to, note = "", due = null } = input;
    const move = from && to ? { from, to, note } : null;
    const isUndone = undone.some(({ undoes }) => undoes === run.id);
    return {
      id: run.id,
      act: run.act,
      agent: agents.find(({ id }) => id === agentId) ?? null,
      move,
      text: textOf(input),
      note: move ? "" : noteOf(input),
      due,
      frozenAt: run.frozenAt,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      waiting: number(null),
      done: number("done"),
      skipped: number("skipped"),
      failed: number("failed"),
      reasons: own
        .flatMap(({ reason, number: rows }) => (reason === null ? [] : [{ reason, rows }]))
        .toSorted((one, other) => other.rows - one.rows),
      takeBackUntil: isUndone || number("done") === 0 ? null : takeBackDeadline(run),
    };
  });
}

/** Lists a page of the rows of a user's own run, all or those with one outcome; empty for any other run. */
export async function itemsOf(
  db: Reader,
  userId: string,
  runId: string,
  { outcome, after = 0 }: { outcome?: BulkOutcome | undefined; after?: number | undefined },
  size = bulkItemsPerPage,
) {
  const rows = await db
    .select({
      position: bulkItem.position,
      studentId: user.id,
      name: user.name,
      email: user.email,
      application: namingFields,
      expected: bulkItem.expected,
      outcome: bulkItem.outcome,
      reason: bulkItem.reason,
    })
    .from(bulkItem)
    .innerJoin(bulkRun, and(eq(bulkRun.id, bulkItem.runId), eq(bulkRun.by, userId)))
    .leftJoin(user, eq(user.id, bulkItem.studentId))
    .leftJoin(application, eq(application.id, bulkItem.applicationId))
    .where(
      and(
        eq(bulkItem.runId, runId),
        gt(bulkItem.position, after),
        outcome === undefined ? undefined : eq(bulkItem.outcome, outcome),
      ),
    )
    .orderBy(asc(bulkItem.position))
    .limit(size + 1);
  const page = paginate(rows, size, ({ position }) => position);
  const items = page.rows.map(
    ({ studentId, name, email, expected: { invitation }, ...item }): BulkItem => ({
      ...item,
      invited: invitation
        ? { name: `${invitation.firstName} ${invitation.lastName}`.trim(), email: invitation.email }
        : null,
      student: studentId === null ? null : { id: studentId, name: name ?? "", email: email ?? "" },
    }),
  );
  return { items, next: page.next };
}
