import { and, asc, eq, inArray, isNull, type SQL } from "drizzle-orm";
import {
  type Fee,
  type IntakeDeadline,
  type IntakeEntry,
  type ProgrammeEntry,
  sortedDeadlines,
  sortedFees,
} from "#domain/programme.ts";
import type { RequirementSet } from "#domain/requirement.ts";
import type { Reader } from "#server/platform/database.ts";
import {
  intakeDeadline,
  nationalityGroup,
  programme,
  programmeFee,
  programmeIntake,
  requirement,
  requirementSet,
} from "./tables.ts";

/** A stored programme with the entry that it was stored from. */
export type StoredProgramme = {
  id: string;
  slug: string;
  institutionId: string;
  version: number;
  checkedBy: string | null;
  removedAt: Date | null;
  /** The ids of its intakes, in the order of the entry. */
  intakeIds: string[];
  entry: ProgrammeEntry;
};

/** Copies an entry for a response. */
export const entryForm = (entry: ProgrammeEntry) => ({
  ...entry,
  intakes: entry.intakes.map((intake) => ({ ...intake, deadlines: [...intake.deadlines] })),
  fees: [...entry.fees],
  requirementSets: entry.requirementSets.map((set) => [...set]),
});

function groupBy<Row, Value>(rows: readonly Row[], key: (row: Row) => string, value: (row: Row) => Value) {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const group = groups.get(key(row)) ?? [];
    groups.set(key(row), group);
    group.push(value(row));
  }
  return groups;
}

/** Reads the requirement sets of these entry requirements, by their ids. */
export async function setsOf(db: Reader, ids: readonly number[]): Promise<Map<number, RequirementSet[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(requirementSet)
    .where(inArray(requirementSet.entryRequirementsId, [...ids]))
    .orderBy(asc(requirementSet.entryRequirementsId), asc(requirementSet.place));
  const requirementIds = [...new Set(rows.flatMap(({ requirementIds }) => requirementIds))];
  const contents = await db
    .select({ id: requirement.id, content: requirement.content })
    .from(requirement)
    .where(inArray(requirement.id, requirementIds));
  const contentOf = new Map(contents.map(({ id, content }) => [id, content]));
  const sets = new Map<number, RequirementSet[]>();
  for (const { entryRequirementsId, requirementIds } of rows) {
    const list = sets.get(entryRequirementsId) ?? [];
    sets.set(entryRequirementsId, list);
    list.push(requirementIds.flatMap((id) => contentOf.get(id) ?? []));
  }
  return sets;
}

async function deadlinesOf(db: Reader, intakeIds: readonly string[]): Promise<Map<string, IntakeDeadline[]>> {
  if (intakeIds.length === 0) return new Map();
  const rows = await db
    .select({
      intakeId: intakeDeadline.intakeId,
      kind: intakeDeadline.kind,
      group: nationalityGroup.name,
      date: intakeDeadline.date,
      time: intakeDeadline.time,
      hard: intakeDeadline.hard,
    })
    .from(intakeDeadline)
    .leftJoin(nationalityGroup, eq(nationalityGroup.id, intakeDeadline.groupId))
    .where(inArray(intakeDeadline.intakeId, [...intakeIds]));
  return groupBy(
    rows,
    ({ intakeId }) => intakeId,
    ({ kind, group, date, time, hard }): IntakeDeadline => ({ kind, group, date, time, hard }),
  );
}

/**
 * Reads whole programmes as entries, in no particular order. `which` has to keep their number small. Storing an entry
 * again changes nothing.
 */
export async function readEntries(db: Reader, which: SQL): Promise<StoredProgramme[]> {
  const programmes = await db.select().from(programme).where(which);
  const ids = programmes.map(({ id }) => id);
  if (ids.length === 0) return [];
  const intakes = await db
    .select()
    .from(programmeIntake)
    .where(and(inArray(programmeIntake.programmeId, ids), isNull(programmeIntake.droppedAt)))
    .orderBy(asc(programmeIntake.year), asc(programmeIntake.month));
  const deadlines = await deadlinesOf(
    db,
    intakes.map(({ id }) => id),
  );
  const intakesOf = groupBy(
    intakes,
    ({ programmeId }) => programmeId,
    ({ id, year, month, state }) => ({
      id,
      intake: {
        year,
        month,
        state,
        deadlines: sortedDeadlines(deadlines.get(id) ?? []),
      } satisfies IntakeEntry,
    }),
  );
  const fees = await db.select().from(programmeFee).where(inArray(programmeFee.programmeId, ids));
  const feesOf = groupBy(
    fees,
    ({ programmeId }) => programmeId,
    ({ kind, amount, currency, per, academicYear, audience }): Fee => ({
      kind,
      amount,
      currency,
      per,
      academicYear,
      audience,
    }),
  );
  const sets = await setsOf(db, [
    ...new Set(programmes.flatMap(({ entryRequirementsId }) => entryRequirementsId ?? [])),
  ]);
  return programmes.map((row): StoredProgramme => {
    const ownIntakes = intakesOf.get(row.id) ?? [];
    const { title, level, field, award, months, mode, language, url, checkedOn, source, sourceId, sample } =
      row;
    return {
      id: row.id,
      slug: row.slug,
      institutionId: row.institutionId,
      version: row.version,
      checkedBy: row.checkedBy,
      removedAt: row.removedAt,
      intakeIds: ownIntakes.map(({ id }) => id),
      entry: {
        title,
        level,
        field,
        award,
        months,
        mode,
        language,
        url,
        checkedOn,
        source,
        sourceId,
        sample,
        intakes: ownIntakes.map(({ intake }) => intake),
        fees: sortedFees(feesOf.get(row.id) ?? []),
        requirementSets: row.entryRequirementsId === null ? [] : (sets.get(row.entryRequirementsId) ?? []),
      },
    };
  });
}
