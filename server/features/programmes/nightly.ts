import { and, asc, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Services } from "#server/services.ts";
import { moveDeadlines } from "./intake-deadlines.ts";
import { refreshListingOf } from "./listing.ts";
import { intakeDeadline, programme } from "./tables.ts";

/** Programmes whose listing is refreshed in one transaction: changes of these wait for it. */
const batchSize = 500;

/**
 * Refreshes the listing of the whole catalogue, since intakes and deadlines pass, rates take effect and checks age, and
 * before it the moments of coming deadlines, since the rules of zones change. Run every night, in batches that lock few
 * programmes at a time; only what has changed is written.
 */
export async function refreshCatalogue(
  { database }: Pick<Services, "database">,
  size = batchSize,
): Promise<void> {
  for (let last: string | null = null; ; ) {
    const after: string | null = last;
    const next: string | null = await database.transaction(async (tx) => {
      const rows = await tx
        .select({ id: programme.id })
        .from(programme)
        .where(and(isNull(programme.removedAt), after === null ? undefined : gt(programme.id, after)))
        .orderBy(asc(programme.id))
        .limit(size)
        .for("no key update");
      const ids = rows.map(({ id }) => id);
      await moveDeadlines(tx, and(inArray(programme.id, ids), gt(intakeDeadline.dueAt, sql`now()`)));
      await refreshListingOf(tx, ids);
      return rows.length < size ? null : (rows.at(-1)?.id ?? null);
    });
    if (next === null) return;
    last = next;
  }
}
