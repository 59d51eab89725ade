import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { deadlineInstant } from "#domain/deadline.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { entryRequirementsIds, rowsOf } from "./store-requirements.ts";

type StoredInstitution = { id: string; name: string; zone: string };

/** A checked entry to store as a new programme, or as the new content of the programme `id`. */
export type ProgrammeToStore = {
  id: string | null;
  /** The id that a new programme gets; a random one by default. */
  newId?: string | undefined;
  institution: StoredInstitution;
  entry: ProgrammeEntry;
  checkedBy: string | null;
};
type ProgrammeWithId = ProgrammeToStore & { programmeId: string };
type Version = { id: string; version: number };

/** Returns the ids of the nationality groups that the deadlines name. Throws `form/incomplete` for an unknown one. */
async function groupIds(
  tx: Transaction,
  programmes: readonly ProgrammeToStore[],
): Promise<Map<string, string>> {
  const names = new Set(
    programmes.flatMap(({ entry }) =>
      entry.intakes.flatMap(({ deadlines }) => deadlines.flatMap(({ group }) => group ?? [])),
    ),
  );
  if (names.size === 0) return new Map();
  // Locks the groups, so that none is removed while a deadline for it is stored.
  const groups = await tx.execute<{ id: string; name: string }>(sql`select id, name from nationality_group
    where name in (select jsonb_array_elements_text(${rowsOf([...names])})) order by id for key share`);
  const ids = new Map(groups.rows.map(({ id, name }) => [name, id]));
  for (const name of names)
    if (!ids.has(name))
      throw new Refusal("form/incomplete", {
        field: "intakes",
        message: `There is no group of nationalities called "${name}".`,
      });
  return ids;
}

/**
 * Keeps other transactions from storing a source and id until this one ends, so that a free one stays free. Must be
 * called before programmes or institutions are locked.
 */
export const lockSources = (tx: Reader) =>
  tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.programmeSources})`);

const startKey = (programmeId: string, year: number, month: number) => `${programmeId} ${year} ${month}`;

/** Stores the intakes. One that an entry no longer has is marked as dropped. */
async function storeIntakes(
  tx: Transaction,
  programmes: readonly ProgrammeWithId[],
): Promise<Map<string, string>> {
  const existing = programmes.flatMap(({ id }) => id ?? []);
  if (existing.length > 0)
    await tx.execute(sql`update programme_intake set dropped_at = now()
      where dropped_at is null
        and programme_id in (select jsonb_array_elements_text(${rowsOf(existing)})::uuid)`);
  const rows = programmes.flatMap(({ programmeId, entry }) =>
    entry.intakes.map(({ year, month, state }) => ({
      id: randomUUID(),
      programme: programmeId,
      year,
      month,
      state,
    })),
  );
  if (rows.length === 0) return new Map();
  const intakes = await tx.execute<{ id: string; programme: string; year: number; month: number }>(
    sql`insert into programme_intake (id, programme_id, year, month, state)
      select id, programme, year, month, state from jsonb_to_recordset(${rowsOf(rows)})
        as row (id uuid, programme uuid, year integer, month integer, state text)
      on conflict (programme_id, year, month) do update set state = excluded.state, dropped_at = null
      returning id, programme_id as programme, year, month`,
  );
  return new Map(
    intakes.rows.map(({ id, programme, year, month }) => [startKey(programme, year, month), id]),
  );
}

async function storeDeadlines(
  tx: Transaction,
  programmes: readonly ProgrammeWithId[],
  intakes: ReadonlyMap<string, string>,
  groups: ReadonlyMap<string, string>,
): Promise<void> {
  if (intakes.size === 0) return;
  await tx.execute(sql`delete from intake_deadline
    where intake_id in (select jsonb_array_elements_text(${rowsOf([...intakes.values()])})::uuid)`);
  const rows = programmes.flatMap(({ programmeId, entry, institution: { zone } }) =>
    entry.intakes.flatMap(({ year, month, deadlines }) =>
      deadlines.map(({ kind, group, date, time, hard }) => ({
        intake: intakes.get(startKey(programmeId, year, month)),
        kind,
        group: group === null ? null : groups.get(group),
        date,
        time,
        hard,
        due: deadlineInstant({ date, time, zone }),
      })),
    ),
  );
  if (rows.length > 0)
    await tx.execute(sql`insert into intake_deadline (intake_id, kind, group_id, date, time, hard, due_at)
      select intake, kind, "group", date, time, hard, due from jsonb_to_recordset(${rowsOf(rows)})
        as row (intake uuid, kind text, "group" uuid, date date, time text, hard boolean, due timestamptz)`);
}

async function storeFees(tx: Transaction, programmes: readonly ProgrammeWithId[]): Promise<void> {
  const existing = programmes.flatMap(({ id }) => id ?? []);
  if (existing.length > 0)
    await tx.execute(sql`delete from programme_fee
      where programme_id in (select jsonb_array_elements_text(${rowsOf(existing)})::uuid)`);
  const rows = programmes.flatMap(({ programmeId, entry }) =>
    entry.fees.map(({ academicYear, ...fee }) => ({ ...fee, programme: programmeId, year: academicYear })),
  );
  if (rows.length > 0)
    await tx.execute(sql`insert into programme_fee
        (programme_id, kind, per, academic_year, audience, amount, currency)
      select programme, kind, per, year, audience, amount, currency
      from jsonb_to_recordset(${rowsOf(rows)}) as row
        (programme uuid, kind text, per text, year integer, audience text, amount bigint, currency text)`);
}

const slugWords = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80);

/** Returns the slug of a new programme: readable words, and eight digits of its id, which make it unique. */
const newSlug = (title: string, institutionName: string, id: string): string =>
  [slugWords(title), slugWords(institutionName), id.slice(0, 8)].filter((part) => part !== "").join("-");

const columns = sql.raw(`institution_id, title, level, field, award, months, mode, language, url,
  checked_on, checked_by, source, source_id, sample, entry_requirements_id`);
const recordset = sql.raw(`as row (id uuid, slug text, institution_id uuid, title text, level text,
  field text, award text, months integer, mode text, language text, url text, checked_on date, checked_by text,
  source text, source_id text, sample boolean, entry_requirements_id integer)`);

async function storeFacts(
  tx: Transaction,
  programmes: readonly ProgrammeWithId[],
): Promise<Map<string, number>> {
  const requirements = await entryRequirementsIds(
    tx,
    programmes.map(({ entry }) => entry.requirementSets),
  );
  const rows = programmes.map(({ id, programmeId, institution, entry, checkedBy }, at) => ({
    isNew: id === null,
    id: programmeId,
    slug: newSlug(entry.title, institution.name, programmeId),
    institution_id: institution.id,
    title: entry.title,
    level: entry.level,
    field: entry.field,
    award: entry.award,
    months: entry.months,
    mode: entry.mode,
    language: entry.language,
    url: entry.url,
    checked_on: entry.checkedOn,
    checked_by: checkedBy,
    source: entry.source,
    source_id: entry.sourceId,
    sample: entry.sample,
    entry_requirements_id: requirements[at] ?? null,
  }));
  const versions = new Map<string, number>();
  const keep = (result: { rows: Version[] }) => {
    for (const { id, version } of result.rows) versions.set(id, version);
  };
  const newRows = rows.filter(({ isNew }) => isNew);
  if (newRows.length > 0)
    keep(
      await tx.execute<Version>(sql`insert into programme (id, slug, ${columns})
        select id, slug, ${columns} from jsonb_to_recordset(${rowsOf(newRows)}) ${recordset}
        returning id, version`),
    );
  const formerRows = rows.filter(({ isNew }) => !isNew);
  if (formerRows.length > 0)
    keep(
      await tx.execute<Version>(sql`update programme
        set (${columns}) = (select ${columns} from (select row.*) as entry),
          version = version + 1, removed_at = null
        from jsonb_to_recordset(${rowsOf(formerRows)}) ${recordset}
        where programme.id = row.id returning programme.id, version`),
    );
  return versions;
}

/**
 * Stores checked entries in a few statements, however many there are. The caller must hold the locks of the programmes,
 * refresh the listing and write the audit entry. Returns the programmes' ids and versions in the order of the entries.
 */
export async function storeProgrammes(
  tx: Transaction,
  programmes: readonly ProgrammeToStore[],
): Promise<Version[]> {
  if (programmes.length === 0) return [];
  const identified = programmes.map(
    (each): ProgrammeWithId => ({ ...each, programmeId: each.id ?? each.newId ?? randomUUID() }),
  );
  const groups = await groupIds(tx, programmes);
  const versions = await storeFacts(tx, identified);
  await storeDeadlines(tx, identified, await storeIntakes(tx, identified), groups);
  await storeFees(tx, identified);
  return identified.map(({ programmeId: id }) => {
    const version = versions.get(id);
    if (version === undefined) throw new Refusal("not-found");
    return { id, version };
  });
}

/** Stores one checked entry, like `storeProgrammes`. */
export async function storeProgramme(tx: Transaction, toStore: ProgrammeToStore): Promise<Version> {
  const [version] = await storeProgrammes(tx, [toStore]);
  if (!version) throw new Refusal("not-found");
  return version;
}
