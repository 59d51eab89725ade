import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { StudentView } from "#contract/student-rows.ts";
import { type AnsweredSet, answerProgramme } from "#domain/eligibility.ts";
import { outcomeReason } from "#domain/eligibility-words.ts";
import type { Equivalence } from "#domain/qualification.ts";
import type { RequirementSet } from "#domain/requirement.ts";
import { type Fit, type FitCounts, type FitOutcome, isFitOutcome, maxCompared } from "#domain/student-fit.ts";
import { user } from "#server/features/account/tables.ts";
import { sharesPapersWith } from "#server/features/assignments/queries.ts";
import { setsOf } from "#server/features/programmes/entries.ts";
import { equivalences } from "#server/features/programmes/finding/for-student.ts";
import { isProgramme, startOfIntake } from "#server/features/programmes/joined.ts";
import { programme, programmeListing } from "#server/features/programmes/tables.ts";
import { recordsOf } from "#server/features/study-record/read-records.ts";
import type { Reader } from "#server/platform/database.ts";

/** A programme that students are compared with: its sets, and the day for which it is judged. */
type FitQuestion = { sets: readonly RequirementSet[]; start: string; tables: readonly Equivalence[] };
type FitFilter = NonNullable<StudentView["fits"]>;

/** Returns the programme; null if there is no such programme or intake. */
async function judgedProgramme(db: Reader, { programmeId, intakeId }: FitFilter) {
  const [row] = await db
    .select({
      id: programme.id,
      slug: programme.slug,
      title: programme.title,
      judgedFor: programmeListing.judgedFor,
      entryRequirementsId: programme.entryRequirementsId,
    })
    .from(programme)
    .innerJoin(programmeListing, eq(programmeListing.id, programme.id))
    .where(isProgramme(programmeId));
  if (!row) return null;
  const start = intakeId === undefined ? row.judgedFor : await startOfIntake(db, row.id, intakeId);
  if (start === null) return null;
  const id = row.entryRequirementsId;
  const sets = id === null ? [] : ((await setsOf(db, [id])).get(id) ?? []);
  return { slug: row.slug, title: row.title, sets, start, tables: await equivalences(db) };
}

/** Returns the condition that an approved agent or an admin may see a student's papers (`maySeePapers`). */
export const readableDocuments = (viewerId: string): SQL => sql`(
  (${user.assignedAgentId} = ${viewerId} and ${sharesPapersWith(viewerId)})
  or exists (select from "user" viewer where viewer.id = ${viewerId} and viewer.role = 'admin'))`;

const hasRecord = sql`"user".id in (
  select student_id from record_qualification union all select student_id from record_test
  union all select student_id from study_record where work_months is not null
  union all select user_id from profile where date_of_birth is not null)`;

/** Number of students whose records are in memory at a time. */
const chunkSize = 500;

type StudentFit = { outcome: FitOutcome; sets: readonly AnsweredSet[] };

export type Fits = {
  programme: { slug: string; title: string; start: string };
  /** The listed students, with their outcomes. */
  byStudent: ReadonlyMap<string, StudentFit>;
  counts: FitCounts;
  /** Whether there are more students with a record than are compared. */
  more: boolean;
};

/**
 * Compares the students who meet a condition, and whose papers the viewer may see, with a programme. Reads their
 * records in chunks. Returns null if there is no such programme.
 */
export async function fitsOf(
  db: Reader,
  viewerId: string,
  condition: SQL | undefined,
  filter: FitFilter,
): Promise<Fits | null> {
  const programme = await judgedProgramme(db, filter);
  if (programme === null) return null;
  const visible = and(condition, readableDocuments(viewerId));
  const recorded = and(visible, hasRecord);
  const rows = await db
    .select({ id: user.id })
    .from(user)
    .where(recorded)
    .orderBy(asc(user.id))
    .limit(maxCompared + 1);
  const more = rows.length > maxCompared;
  const withRecord = more ? await db.$count(user, recorded) : rows.length;
  const noRecord = (await db.$count(user, visible)) - withRecord;
  const counts = { mayEnter: 0, gap: 0, notKnown: 0, no: 0, noRecord };
  const byStudent = new Map<string, StudentFit>();
  for (let begin = 0; begin < Math.min(rows.length, maxCompared); begin += chunkSize) {
    const ids = rows.slice(begin, Math.min(begin + chunkSize, maxCompared)).map(({ id }) => id);
    for (const { id, outcome, sets } of await answered(db, ids, programme)) {
      counts[outcome]++;
      const isListed = filter.outcome === undefined || filter.outcome === outcome;
      if (isListed && isFitOutcome(outcome)) byStudent.set(id, { outcome, sets });
    }
  }
  const { slug, title, start } = programme;
  return { programme: { slug, title, start }, byStudent, counts, more };
}

async function answered(db: Reader, ids: readonly string[], { sets, start, tables }: FitQuestion) {
  const records = await recordsOf(db, ids);
  return Array.from(records, ([id, record]) => ({ id, ...answerProgramme(sets, record, start, tables) }));
}

/** Returns the outcome and reason of a listed student. Only the rows of a page need the text. */
export const fitOf = ({ outcome, sets }: StudentFit): Fit => ({
  outcome,
  reason: outcomeReason(outcome, sets),
});
