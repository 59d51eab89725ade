import { and, gt, isNull, sql } from "drizzle-orm";
import type { Services } from "#server/services.ts";
import { moveDeadlines } from "./intake-deadlines.ts";
import { refreshInBatches } from "./listing.ts";
import { intakeDeadline, programme } from "./tables.ts";

/**
 * Refreshes the listing of the whole catalogue every night, because intakes and deadlines pass, rates take effect and
 * checks age. First recomputes upcoming deadlines, because the rules of time zones change. Writes only what has
 * changed.
 */
export async function refreshCatalogue(
  { database }: Pick<Services, "database">,
  size?: number,
): Promise<void> {
  const rows = await database.db
    .select({ id: programme.id })
    .from(programme)
    .where(isNull(programme.removedAt))
    .orderBy(programme.title);
  await refreshInBatches(
    database,
    rows.map(({ id }) => id),
    (tx, which) => moveDeadlines(tx, and(which, gt(intakeDeadline.dueAt, sql`now()`))),
    size,
  );
}
