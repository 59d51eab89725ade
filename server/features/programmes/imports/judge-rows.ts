import { sql } from "drizzle-orm";
import { type ProgrammeRow, programmeRow, type RowReport } from "#contract/catalogue-import.ts";
import { keysOf } from "#domain/keys-of.ts";
import type { InstitutionEntry, IntakeEntry, ProgrammeEntry } from "#domain/programme.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import type { Reader } from "#server/platform/database.ts";
import type { StoredProgramme } from "../entries.ts";
import { lockSources, type ProgrammeToStore } from "../store.ts";
import { canonical, rowsOf } from "../store-requirements.ts";
import { nationalityGroup } from "../tables.ts";
import {
  addInstitutions,
  findInstitutions,
  institutionKey,
  type KnownInstitution,
  newInstitution,
} from "./institutions.ts";
import type { FileRow } from "./json-rows.ts";
import { keyOf, type ReadRow, storedOf } from "./stored-rows.ts";

/** A row with its outcome. `store` is null if nothing changes, `before` if the programme enters the catalogue. */
export type JudgedRow = {
  report: RowReport;
  store: ProgrammeToStore | null;
  before: Pick<StoredProgramme, "entry" | "institutionId" | "checkedBy"> | null;
};

type RowRefusal = { number: number; title: string; why: string };

/** A row as it is to be stored, and the existing programme. */
type AcceptedRow = ReadRow & {
  entry: ProgrammeEntry;
  existing: StoredProgramme | null;
  isReturning: boolean;
};

/** Returns the fields in which two entries differ. */
const changedFields = (one: ProgrammeEntry, other: ProgrammeEntry): string[] =>
  keysOf(one).filter((field) => canonical(one[field]) !== canonical(other[field]));

function titleOf(form: unknown): string {
  const title: unknown = new Map(Object.entries(Object(form))).get("title");
  return typeof title === "string" ? title.slice(0, 120) : "";
}

/**
 * Judges the rows of a file or a call in batches: new, changed, unchanged or refused. Remembers the programmes of
 * earlier rows.
 */
export class RowValidator {
  /** Numbers of rows by the key or the id of their programme. */
  readonly #seen = new Map<string, number>();
  readonly #today: string;
  readonly #source: () => string;
  /** Names of new institutions, by their keys. */
  readonly newInstitutions = new Map<string, string>();

  /** `source` returns the source of rows that name none. */
  constructor(today: string, source: () => string) {
    this.#today = today;
    this.#source = source;
  }

  /** The keys of all programmes that rows have named by source and id, each as JSON of the two. */
  get keys(): string[] {
    return [...this.#seen.keys()].filter((key) => key.startsWith("["));
  }

  /**
   * Judges a batch. With `write` it needs a transaction, keeps its locks until that ends, and adds missing
   * institutions.
   */
  async judge(db: Reader, rows: readonly FileRow[], write: boolean): Promise<JudgedRow[]> {
    if (write) await lockSources(db);
    const reads = rows.map((row) => this.#read(row));
    const readable = reads.flatMap((row) => ("row" in row ? [row] : []));
    const groups = await groupNames(db, readable);
    const rowInstitutions = readable.map(({ row }) => row.institution);
    const institutions = await findInstitutions(db, rowInstitutions, write);
    const catalogue = await storedOf(db, readable, write);
    const returning = await removedByUndo(db, catalogue.all);
    const missing = new Map<string, InstitutionEntry>();
    const accept = (read: ReadRow): AcceptedRow | RowRefusal => {
      const { number, row, origin } = read;
      const refuse = (why: string) => ({ number, title: row.title, why });
      const existing = catalogue.find(read);
      if (existing === "two") return refuse("Its id and its source id name two different programmes.");
      const whole = wholeEntry(read, existing?.entry ?? null, catalogue.isJoined(origin));
      const entry = checkProgramme(whole, this.#today);
      if ("code" in entry) return refuse(entry.message);
      // Another programme may have this source and id, because that was not looked up.
      if (existing && keyOf(entry) !== keyOf(existing.entry) && ![null, keyOf(origin)].includes(keyOf(entry)))
        return refuse("A programme that gets another source or source id must name both.");
      const group = unknownGroup(row, groups);
      if (group !== null) return refuse(`There is no group of nationalities called “${group}”.`);
      const key = institutionKey(row.institution);
      const institution = institutions.has(key) ? null : newInstitution(row.institution);
      if (institution && "problem" in institution) return refuse(institution.problem);
      const earlier = this.#remember(number, keyOf(entry), existing?.id ?? row.id ?? null);
      if (earlier !== null) return refuse(`Row ${earlier} is the same programme.`);
      const isReturning = existing?.removedAt != null && returning.has(existing.id);
      if (existing?.removedAt != null && !isReturning)
        return refuse("Staff have removed this programme. Bring it back first.");
      if (institution) missing.set(key, institution);
      return { ...read, entry, existing, isReturning };
    };
    const verdicts = reads.map((read) => ("row" in read ? accept(read) : read));
    for (const [key, { name }] of missing) this.newInstitutions.set(key, name);
    if (write)
      for (const [key, at] of await addInstitutions(db, [...missing.values()])) institutions.set(key, at);
    return verdicts.map((each) =>
      "row" in each
        ? outcomeOf(each, institutions.get(institutionKey(each.row.institution)) ?? null)
        : refusal(each),
    );
  }

  #read({ number, form, problem }: FileRow): ReadRow | RowRefusal {
    if (problem !== null) return { number, title: titleOf(form), why: problem };
    const parsed = programmeRow.safeParse(form);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return { number, title: titleOf(form), why: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` };
    }
    const row = parsed.data;
    const source = row.source.trim() || this.#source();
    const sourceId = row.sourceId?.trim() ?? null;
    return row.id === undefined && sourceId === null
      ? { number, title: row.title, why: "It has no source id, by which it would be known the next time." }
      : { number, row, origin: { source, sourceId } };
  }

  /** Returns the number of an earlier row of the same programme; null for the first. */
  #remember(number: number, ...names: readonly (string | null)[]): number | null {
    const keys = names.filter((name) => name !== null);
    for (const key of keys) {
      const earlier = this.#seen.get(key);
      if (earlier !== undefined) return earlier;
    }
    for (const key of keys) this.#seen.set(key, number);
    return null;
  }
}

function refusal({ number, title, why }: RowRefusal): JudgedRow {
  const report = { number, title, outcome: "refused", fields: [], why, id: null } as const;
  return { report: { ...report, fields: [] }, store: null, before: null };
}

const emptyFields = { award: "", months: null, sample: false, intakes: [], fees: [], requirementSets: [] };

/**
 * Completes a row with the stored fields of its programme, or with empty ones for a new programme. A row of a joined
 * programme changes the one that it was joined into, which keeps its own source and id.
 */
function wholeEntry(
  { row, origin }: ReadRow,
  entry: ProgrammeEntry | null,
  isJoined: boolean,
): ProgrammeEntry {
  const former = entry ?? { ...emptyFields, ...origin };
  const {
    award = former.award,
    months = former.months,
    sample = former.sample,
    sourceId = former.sourceId,
    fees = former.fees,
    requirementSets = former.requirementSets,
    id: _,
    institution: __,
    ...facts
  } = row;
  const deadlinesOf = ({ year, month }: Pick<IntakeEntry, "year" | "month">) =>
    former.intakes.find((intake) => intake.year === year && intake.month === month)?.deadlines ?? [];
  const intakes = row.intakes?.map((intake) => ({
    ...intake,
    deadlines: intake.deadlines ?? deadlinesOf(intake),
  }));
  return {
    ...facts,
    award,
    months,
    sample,
    source: isJoined ? former.source : row.source.trim() || former.source,
    sourceId: isJoined ? former.sourceId : sourceId,
    intakes: intakes ?? former.intakes,
    fees,
    requirementSets,
  };
}

/**
 * Compares a row with the existing programme. Never makes a programme's check older, so that a later check by staff
 * keeps its day.
 */
function outcomeOf(
  { number, row: { id }, entry: rowEntry, existing, isReturning }: AcceptedRow,
  institution: KnownInstitution | null,
): JudgedRow {
  const keepsCheck = existing !== null && existing.entry.checkedOn >= rowEntry.checkedOn;
  const entry = keepsCheck ? { ...rowEntry, checkedOn: existing.entry.checkedOn } : rowEntry;
  const fields =
    existing === null
      ? []
      : [
          ...changedFields(existing.entry, entry),
          ...(existing.institutionId === institution?.id ? [] : ["institution"]),
          ...(isReturning ? ["removed"] : []),
        ];
  const outcome = existing === null ? "new" : fields.length > 0 ? "changed" : "unchanged";
  const report = { number, title: entry.title, outcome, fields, why: "", id: existing?.id ?? null } as const;
  if (outcome === "unchanged" || institution === null) return { report, store: null, before: null };
  return {
    report,
    before: existing === null || isReturning ? null : existing,
    store: {
      id: existing?.id ?? null,
      newId: id,
      institution,
      entry,
      checkedBy: keepsCheck ? existing.checkedBy : null,
    },
  };
}

/** Returns the ids of those programmes that the undo of an import removed, rather than staff. */
async function removedByUndo(
  db: Reader,
  programmes: readonly StoredProgramme[],
): Promise<ReadonlySet<string>> {
  const removed = programmes.flatMap(({ id, removedAt }) => (removedAt === null ? [] : [id]));
  if (removed.length === 0) return new Set();
  const { rows } = await db.execute<{ id: string }>(sql`select id from programme
    where id in (select jsonb_array_elements_text(${rowsOf(removed)})::uuid)
      and exists (select from programme_import where undone_at = removed_at)`);
  return new Set(rows.map(({ id }) => id));
}

const groupsIn = ({ intakes = [] }: ProgrammeRow) =>
  intakes.flatMap(({ deadlines = [] }) => deadlines.flatMap(({ group }) => group ?? []));

async function groupNames(db: Reader, rows: readonly ReadRow[]): Promise<ReadonlySet<string>> {
  if (rows.every(({ row }) => groupsIn(row).length === 0)) return new Set();
  const groups = await db.select({ name: nationalityGroup.name }).from(nationalityGroup);
  return new Set(groups.map(({ name }) => name));
}

const unknownGroup = (row: ProgrammeRow, groups: ReadonlySet<string>): string | null =>
  groupsIn(row).find((group) => !groups.has(group)) ?? null;
