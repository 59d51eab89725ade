import { sql } from "drizzle-orm";
import type { ProgrammeRow } from "#contract/catalogue-import.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import type { Reader } from "#server/platform/database.ts";
import { readEntries, type StoredProgramme } from "../entries.ts";
import { rowsOf } from "../store-requirements.ts";

type SourceId = Pick<ProgrammeEntry, "source" | "sourceId">;
/** A parsed row. `origin` is the source and id by which it names its programme. */
export type ReadRow = { number: number; row: ProgrammeRow; origin: SourceId };
export const keyOf = ({ source, sourceId }: SourceId): string | null =>
  sourceId === null ? null : JSON.stringify([source, sourceId]);

/** A programme that a row names. `present` is its id, or that of the programme that it was joined into. */
type NamedProgramme = SourceId & { id: string; present: string };

/** The programmes that the rows of a batch name, by id and by source. */
class StoredRows {
  readonly #byId = new Map<string, StoredProgramme>();
  readonly #byKey = new Map<string | null, StoredProgramme>();
  readonly #joined = new Set<string | null>();
  readonly all: readonly StoredProgramme[];

  constructor(aliases: readonly NamedProgramme[], all: readonly StoredProgramme[]) {
    this.all = all;
    const presentById = new Map(all.map((each) => [each.id, each]));
    for (const { id, present, ...key } of aliases) {
      const programme = presentById.get(present);
      if (!programme) continue;
      this.#byId.set(id, programme);
      this.#byKey.set(keyOf(key), programme);
      if (id !== present) this.#joined.add(keyOf(key));
    }
  }

  /** Whether a source and id are those of a programme that was joined into another. */
  isJoined(origin: SourceId): boolean {
    return origin.sourceId !== null && this.#joined.has(keyOf(origin));
  }

  find({ row: { id }, origin }: ReadRow): StoredProgramme | null | "two" {
    const byKey = origin.sourceId === null ? undefined : this.#byKey.get(keyOf(origin));
    const byId = id === undefined ? undefined : this.#byId.get(id);
    if (byKey && byId && byKey.id !== byId.id) return "two";
    return byId ?? byKey ?? null;
  }
}

/** Reads the programmes that rows name. With `lock` the caller must hold the lock of sources, to prevent joins. */
export async function storedOf(db: Reader, rows: readonly ReadRow[], lock: boolean): Promise<StoredRows> {
  const keys = rows.map(({ row: { id }, origin: { source, sourceId } }) => ({
    id,
    source,
    source_id: sourceId,
  }));
  const { rows: aliases } = await db.execute<NamedProgramme>(sql`
    select id, coalesce(joined_to, id) as present, source, source_id as "sourceId" from programme where id in (
      select programme.id from jsonb_to_recordset(${rowsOf(keys)}) as row (source text, source_id text)
      join programme using (source, source_id)
      union
      select programme.id from jsonb_to_recordset(${rowsOf(keys)}) as row (id uuid) join programme using (id))`);
  const list = rowsOf([...new Set(aliases.map(({ present }) => present))]);
  const arePresent = sql`programme.id in (select jsonb_array_elements_text(${list})::uuid)`;
  if (lock) await db.execute(sql`select id from programme where ${arePresent} order by id for update`);
  return new StoredRows(aliases, await readEntries(db, arePresent));
}
