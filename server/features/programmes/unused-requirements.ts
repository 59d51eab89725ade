import { sql } from "drizzle-orm";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Rows that one transaction looks at, or removes. */
const batchSize = 1_000;

/**
 * Removes entry requirements that no programme has any more, and then single requirements that none of the others ask
 * for. Run every night. While programmes are being stored, which find these rows or add them, it leaves the rest to the
 * next night, so that nobody waits.
 */
export async function removeUnusedRequirements(
  { database }: Pick<Services, "database">,
  size = batchSize,
): Promise<void> {
  const alone = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result | null> =>
    database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${advisoryLocks.requirements}) as free`,
      );
      return rows[0]?.free === true ? await work(tx) : null;
    });
  for (let last = 0; ; ) {
    const after = last;
    const next = await alone((tx) => removeEntryRequirements(tx, after, size));
    if (next === null) return;
    if (next === "end") break;
    last = next;
  }
  while ((await alone((tx) => removeRequirements(tx, size))) === size);
}

/** Removes the unused ones of the next entry requirements by their ids. Returns the last id that it looked at. */
async function removeEntryRequirements(
  tx: Transaction,
  after: number,
  size: number,
): Promise<number | "end"> {
  const { rows } = await tx.execute<{ id: number; unused: boolean }>(sql`
    select id, not exists (select from programme where entry_requirements_id = entry_requirements.id) as unused
    from entry_requirements where id > ${after} order by id limit ${size}`);
  const ids = sql`${sql.param(rows.filter(({ unused }) => unused).map(({ id }) => id))}::integer[]`;
  await tx.execute(sql`delete from requirement_set where entry_requirements_id = any(${ids})`);
  await tx.execute(sql`delete from entry_requirements where id = any(${ids})`);
  const last = rows.at(-1);
  return rows.length < size || !last ? "end" : last.id;
}

/** Removes some requirements that no set has; returns how many. */
async function removeRequirements(tx: Transaction, size: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from requirement where id in (
      select id from requirement
      where id not in (select unnest(requirement_ids) from requirement_set)
      order by id limit ${size})`);
  return rowCount ?? 0;
}
