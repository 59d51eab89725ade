import { sql } from "drizzle-orm";
import { intakeOf } from "#server/features/programmes/joined.ts";
import type { Reader } from "#server/platform/database.ts";

type Join = { id: string; into: string };

/** Counts the items that a join of two programmes moves, and the students who have both of them. */
export async function itemsOfJoin(tx: Reader, { id, into }: Join) {
  const { rows } = await tx.execute<{ shortlisted: number; doubled: number }>(sql`
    select (count(*) - count(kept.id))::int as shortlisted, count(kept.id)::int as doubled
    from shortlist_item moved
    left join shortlist_item kept on kept.student_id = moved.student_id and kept.programme_id = ${into}
    where moved.programme_id = ${id}`);
  const { shortlisted = 0, doubled = 0 } = rows[0] ?? {};
  return { shortlisted, doubled };
}

/**
 * Moves the items of a programme to the one that it is joined into. A student who has both keeps one item, which takes
 * over the other's intake if it has none. The caller holds the locks of both programmes.
 */
export async function moveItems(tx: Reader, { id, into }: Join): Promise<void> {
  await tx.execute(sql`
    with doubled as (
      delete from shortlist_item lost using shortlist_item kept
      where lost.programme_id = ${id} and kept.programme_id = ${into} and kept.student_id = lost.student_id
      returning kept.id as kept, lost.intake_id as intake)
    update shortlist_item set intake_id = ${intakeOf(into, sql`doubled.intake`)} from doubled
    where shortlist_item.id = doubled.kept and shortlist_item.intake_id is null`);
  await tx.execute(sql`
    update shortlist_item set programme_id = ${into}, intake_id = ${intakeOf(into, sql`shortlist_item.intake_id`)}
    where programme_id = ${id}`);
}
