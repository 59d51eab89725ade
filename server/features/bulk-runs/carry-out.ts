import { and, asc, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import { type BulkAct, type BulkReason, bulkLimits } from "#domain/bulk-run.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { viewerById } from "#server/features/account/queries.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { BlockedStep } from "#server/features/planner/blocked-steps.ts";
import type { Transaction } from "#server/platform/database.ts";
import { errorCode } from "#server/platform/error-code.ts";
import type { Queue } from "#server/platform/jobs.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { acts, type Item } from "./acts.ts";
import { bulkItem, bulkRun } from "./tables.ts";

const payload = z.object({ run: z.string() });
/** Rows that one job carries out; the next job does the others, so that each ends long before it counts as lost. */
const rowsPerJob = 100;
export const bulkRunQueue: Queue<z.infer<typeof payload>> = { name: "bulk-run", payload };

type Run = typeof bulkRun.$inferSelect;

/**
 * Carries out the next rows of a run. A row's change and its outcome are written in one transaction, and a row with an
 * outcome is skipped, so that each row is done once, even after a crash or beside another worker.
 */
export async function carryOutRun(services: Services, runId: string): Promise<void> {
  const { db } = services.database;
  const [run] = await db
    .select()
    .from(bulkRun)
    .where(and(eq(bulkRun.id, runId), isNotNull(bulkRun.startedAt), isNull(bulkRun.finishedAt)));
  if (!run) return;
  const waiting = await db
    .select()
    .from(bulkItem)
    .where(and(eq(bulkItem.runId, runId), isNull(bulkItem.outcome)))
    .orderBy(asc(bulkItem.position))
    .limit(rowsPerJob);
  // Only people to invite aren't students yet.
  for (const item of waiting) await carryOutRow(services, run, { ...item, studentId: item.studentId ?? "" });
  await continueRun(services, run);
}

/** Leaves the other rows to the next job, or finishes the run. */
async function continueRun(services: Services, run: Run): Promise<void> {
  await services.database.transaction(async (tx) => {
    const isUnfinished = and(eq(bulkRun.id, run.id), isNull(bulkRun.finishedAt));
    const [current] = await tx.select({ id: bulkRun.id }).from(bulkRun).where(isUnfinished).for("update");
    if (!current) return;
    const waiting = await tx.$count(bulkItem, and(eq(bulkItem.runId, run.id), isNull(bulkItem.outcome)));
    if (waiting > 0) return await services.jobs.sendAll(bulkRunQueue, [{ payload: { run: run.id } }], tx);
    const { passing, finish } = acts[run.act];
    // Failed rows can be tried again, which needs the whole input.
    const failed = await tx.$count(bulkItem, hasFailed(run.id));
    const deletedFields = failed > 0 ? [] : [...passing];
    const input = sql`${bulkRun.input} - ${sql.param(deletedFields)}::text[]`;
    await tx.update(bulkRun).set({ finishedAt: sql`now()`, input }).where(isUnfinished);
    await finish?.(services, tx, actorOf(run), run.id);
  });
}

export const hasFailed = (runId: string) => and(eq(bulkItem.runId, runId), eq(bulkItem.outcome, "failed"));

const actorOf = ({ by, address }: Run) => ({ userId: by, address });

const isWaiting = (run: Run, { position }: Item) =>
  and(eq(bulkItem.runId, run.id), eq(bulkItem.position, position), isNull(bulkItem.outcome));

async function carryOutRow(services: Services, run: Run, item: Item): Promise<void> {
  try {
    await applyRow(services, run, item);
  } catch (error) {
    const reason = reasonOf(error, run.act);
    if (reason === "unexpected")
      services.log.error({ err: error, run: run.id }, "a row of a bulk run failed");
    await services.database.db
      .update(bulkItem)
      .set({ outcome: reason === "unexpected" ? "failed" : "skipped", reason, at: sql`now()` })
      .where(isWaiting(run, item));
  }
}

async function applyRow(services: Services, run: Run, item: Item): Promise<void> {
  await services.database.transaction(async (tx) => {
    const [current] = await tx
      .select({ position: bulkItem.position })
      .from(bulkItem)
      .where(isWaiting(run, item))
      .for("update");
    if (!current) return;
    // The row is locked, so that concurrent jobs count it once.
    const allowance = await paceOf(services, tx, run, item);
    const reason = await refundFailure(
      allowance,
      acts[run.act].apply(services, tx, actorOf(run), item, run.input),
    );
    if (reason !== null) await allowance?.refund();
    await tx
      .update(bulkItem)
      .set({ outcome: reason === null ? "done" : "skipped", reason, at: sql`now()` })
      .where(isWaiting(run, item));
  });
}

/** Counts an invitation, or a student whom an agent takes on, like a single one; null if nothing is counted. */
async function paceOf(services: Services, tx: Transaction, { act, by }: Run, { expected }: Item) {
  if (act === "invite") return requireAllowance(await services.limits.invitation(by), "resource-exhausted");
  if ((act !== "assign" && act !== "import") || expected.to !== by) return null;
  const viewer = await viewerById(tx, by, { lacksSecondFactor: false });
  if (viewer === null) throw new Refusal("permission-denied");
  return await countAgentPace(services, { userId: by, role: viewer.role }, "assignment");
}

const reasons: Partial<Record<ErrorCode, BulkReason>> = {
  "not-found": "gone",
  "permission-denied": "anotherAgents",
  "failed-precondition": "meanwhile",
  "application/unconfirmed": "unconfirmed",
  "already-exists": "openAlready",
  "resource-exhausted": "tooMany",
};

const invitationReasons: typeof reasons = {
  "permission-denied": "meanwhile",
  "failed-precondition": "declined",
  "already-exists": "invitedAlready",
  "resource-exhausted": "dailyLimit",
};

/** PostgreSQL's codes for a transaction that may be tried again: a serialization failure and a deadlock. */
const retryable: ReadonlySet<string> = new Set(["40001", "40P01"]);

/** Returns why a row was not done. Rethrows an outage: the job is retried and continues with this row. */
function reasonOf(error: unknown, act: BulkAct): BulkReason {
  if (error instanceof BlockedStep) return "blocked";
  if (error instanceof Refusal && error.code !== "unavailable")
    return (act === "invite" ? invitationReasons : reasons)[error.code] ?? "unexpected";
  if (error instanceof Refusal || Refusal.ofOutage(error) || retryable.has(errorCode(error) ?? ""))
    throw error;
  return "unexpected";
}

/** Removes runs that are no longer kept, and those that were not started within a day. */
export async function tidyBulkRuns({ database }: Services): Promise<void> {
  const before = (days: number) => lt(bulkRun.frozenAt, sql`now() - make_interval(days => ${days})`);
  await database.db
    .delete(bulkRun)
    .where(or(before(bulkLimits.keptDays), and(before(1), isNull(bulkRun.startedAt))));
}
