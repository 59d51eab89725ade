import { hash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Requirement, RequirementSet } from "#domain/requirement.ts";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Transaction } from "#server/platform/database.ts";

/** Serialises a value with sorted keys, so that equal values have the same text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
const hashOf = (value: unknown): string => hash("sha256", canonical(value));

/** Passes rows to a statement as one parameter, however many there are. */
export const rowsOf = (rows: readonly unknown[]) => sql`${JSON.stringify(rows)}::jsonb`;

type RequirementRow = { id: number; hash: string };
const idsByHash = (rows: readonly RequirementRow[]) => new Map(rows.map((row) => [row.hash, row.id]));

/** Returns the ids of requirements by their hashes, and adds missing ones. */
async function requirementIds(tx: Transaction, all: readonly Requirement[]): Promise<Map<string, number>> {
  const byHash = new Map(all.map((content) => [hashOf(content), content]));
  const rows = Array.from(byHash, ([key, content]) => ({ hash: key, content }));
  // Inserts in the order of the hashes, so that two transactions can't deadlock.
  await tx.execute(sql`insert into requirement (hash, content)
    select hash, content from jsonb_to_recordset(${rowsOf(rows)}) as row (hash text, content jsonb)
    where not exists (select from requirement stored where stored.hash = row.hash)
    order by hash on conflict do nothing`);
  const result = await tx.execute<RequirementRow>(sql`select id, hash from requirement
    where hash in (select jsonb_array_elements_text(${rowsOf([...byHash.keys()])}))`);
  return idsByHash(result.rows);
}

async function addEntryRequirements(
  tx: Transaction,
  missing: ReadonlyMap<string, readonly RequirementSet[]>,
): Promise<void> {
  const ids = await requirementIds(tx, [...missing.values()].flat(2));
  const newRows = await tx.execute<RequirementRow>(sql`insert into entry_requirements (hash)
    select hash from jsonb_array_elements_text(${rowsOf([...missing.keys()])}) as hash
    order by hash on conflict do nothing returning id, hash`);
  const sets = newRows.rows.flatMap(({ id, hash: key }) =>
    (missing.get(key) ?? []).map((set, place) => ({
      id,
      place,
      requirements: set.flatMap((each) => ids.get(hashOf(each)) ?? []),
    })),
  );
  if (sets.length > 0)
    await tx.execute(sql`insert into requirement_set (entry_requirements_id, place, requirement_ids)
      select id, place, requirements
      from jsonb_to_recordset(${rowsOf(sets)}) as row (id integer, place integer, requirements integer[])`);
}

/**
 * Returns the id of the entry requirements of each programme, or null for one without any. Equal ones are stored once.
 */
export async function entryRequirementsIds(
  tx: Transaction,
  all: readonly (readonly RequirementSet[])[],
): Promise<(number | null)[]> {
  const keys = all.map((sets) => (sets.length === 0 ? null : hashOf(sets)));
  const byHash = new Map(all.flatMap((sets, at) => (keys[at] ? [[keys[at], sets] as const] : [])));
  if (byHash.size === 0) return keys.map(() => null);
  // Prevents the removal of existing rows before a programme of this transaction has them.
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${advisoryLocks.requirements})`);
  const readIds = async () =>
    idsByHash(
      (
        await tx.execute<RequirementRow>(sql`select id, hash from entry_requirements
          where hash in (select jsonb_array_elements_text(${rowsOf([...byHash.keys()])}))`)
      ).rows,
    );
  let ids = await readIds();
  const missing = new Map([...byHash].filter(([key]) => !ids.has(key)));
  if (missing.size > 0) {
    await addEntryRequirements(tx, missing);
    ids = await readIds();
  }
  return keys.map((key) => {
    if (key === null) return null;
    const id = ids.get(key);
    if (id === undefined) throw new Error("The entry requirements were neither added nor there");
    return id;
  });
}
