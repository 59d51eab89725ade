import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { takeBackMinutes } from "#domain/assignment.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { acts } from "./acts.ts";
import { bulkRunQueue, hasFailed } from "./carry-out.ts";
import { lockRun, takeBackDeadline } from "./commands.ts";
import { bulkItem, bulkRun } from "./tables.ts";

type Run = typeof bulkRun.$inferSelect;

/**
 * Puts the failed rows of a finished run back into the queue; of concurrent calls, only the first one does. The run
 * counts as started again, so that its final step covers these rows only.
 */
export async function retryRun(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayManageStudents);
    const run = await lockRun(tx, actor, id);
    if (run.startedAt === null) throw Refusal.conflict();
    if (run.finishedAt === null) return;
    const rows = await tx
      .update(bulkItem)
      .set({ outcome: null, reason: null, at: null })
      .where(hasFailed(id))
      .returning({ position: bulkItem.position });
    if (rows.length === 0) return;
    await refuseWithoutEffect(tx, actor, run);
    await tx.update(bulkRun).set({ startedAt: sql`now()`, finishedAt: null }).where(eq(bulkRun.id, id));
    const detail: AuditDetail = { act: run.act, run: id, rows: String(rows.length) };
    await recordAudit(tx, { action: "bulk-run-retried", ...actedBy(actor), detail });
    await services.jobs.sendAll(bulkRunQueue, [{ payload: { run: id } }], tx);
  });
}

const refusal = (message: string) => new Refusal("failed-precondition", { message });

async function refuseWithoutEffect(tx: Transaction, actor: Actor, { id, act, undoes }: Run): Promise<void> {
  if ((await tx.$count(bulkRun, eq(bulkRun.undoes, id))) > 0)
    throw refusal("These students were given back, so nothing is tried again.");
  if (undoes !== null && takeBackDeadline(await lockRun(tx, actor, undoes)) === null)
    throw refusal(`Students can be given back for ${takeBackMinutes} minutes.`);
  const isWhole = sql`${bulkRun.input} ?& ${sql.param([...acts[act].passing])}::text[]`;
  if ((await tx.$count(bulkRun, and(eq(bulkRun.id, id), isWhole))) === 0)
    throw refusal("What you wrote isn't kept any more. Please choose these students again.");
}

/** Deletes a text that was blacked out in a conversation from its author's runs that keep it for failed rows. */
export async function deleteText(
  _services: Services,
  tx: Transaction,
  { authorId, text }: { authorId: string; text: string },
): Promise<void> {
  const runs = await tx
    .select({ id: bulkRun.id, text: sql<string | null>`${bulkRun.input} ->> 'text'` })
    .from(bulkRun)
    .where(and(eq(bulkRun.by, authorId), eq(bulkRun.act, "message"), isNotNull(bulkRun.startedAt)));
  const matching = runs.filter((run) => run.text?.trim() === text).map(({ id }) => id);
  if (matching.length === 0) return;
  await tx
    .update(bulkRun)
    .set({ input: sql`${bulkRun.input} - 'text'` })
    .where(inArray(bulkRun.id, matching));
}
