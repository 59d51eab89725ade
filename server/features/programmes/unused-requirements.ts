import { sql } from "drizzle-orm";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Number of rows that one transaction checks or removes. */
const batchSize = 1_000;

/**
 * Removes entry requirements that no programme has any more, and then requirements that no set has. Run every night.
 * Leaves the rest to the next night while programmes are being stored, which find or add such rows, so that nobody
 * waits.
 */
export async function removeUnusedRequirements(
  { database }: Pick<Services, "database">,
  size = batchSize,
): Promise<void> {
  const exclusively = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result | null> =>
    database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${advisoryLocks.requirements}) as free`,
      );
      return rows[0]?.free === true ? await work(tx) : null;
    });
  for (let last = 0; ; ) {
    const after = last;
    const next = await exclusively((tx) => removeEntryRequirements(tx, after, size));
    if (next === null) return;
    if (next === "end") break;
    last = next;
  }
  while ((await exclusively((tx) => removeRequirements(tx, size))) === size);
}

/** Removes the unused ones of the next entry requirements by id. Returns the last id that it checked. */
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

/** Removes a batch of requirements that no set has, and returns their number. */
async function removeRequirements(tx: Transaction, size: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from requirement where id in (
      select id from requirement
      where id not in (select unnest(requirement_ids) from requirement_set)
      order by id limit ${size})`);
  return rowCount ?? 0;
}
