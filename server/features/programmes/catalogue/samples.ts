import { and, eq, isNull, sql } from "drizzle-orm";
import { calendarDate } from "#domain/calendar-date.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { RowValidator } from "../imports/judge-rows.ts";
import { applyRows } from "../imports/run-import.ts";
import { programme } from "../tables.ts";
import { sampleRows, sampleSource } from "./sample-rows.ts";

/** Adds the missing sample programmes, and returns their number. Removed ones are not missing. */
export async function storeSamples(tx: Transaction): Promise<number> {
  const today = calendarDate(new Date());
  const samples = await tx
    .select({ sourceId: programme.sourceId })
    .from(programme)
    .where(eq(programme.source, sampleSource));
  const presentIds = new Set(samples.map(({ sourceId }) => sourceId));
  const rows = sampleRows(today)
    .filter(({ sourceId }) => !presentIds.has(sourceId))
    .map((form, at) => ({ number: at + 1, form, problem: null }));
  const verdicts = await new RowValidator(today, () => sampleSource).judge(tx, rows, true);
  return (await applyRows(tx, verdicts)).length;
}

/** Adds the missing sample programmes. Those that staff have removed stay removed. */
export async function addSamples({ database }: Pick<Services, "database">, actor: Actor): Promise<number> {
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const count = await storeSamples(tx);
    await recordAudit(tx, { action: "samples-added", ...actedBy(actor), detail: { count: String(count) } });
    return count;
  });
}

/** Whether sample programmes are in the catalogue. */
export async function hasSamples(db: Reader): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(programme)
    .where(and(eq(programme.sample, true), isNull(programme.removedAt)))
    .limit(1);
  return rows.length > 0;
}
