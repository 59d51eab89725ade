import type pg from "pg";
import { z } from "zod";
import { answerProgramme } from "#domain/eligibility.ts";
import { outcomeReason } from "#domain/eligibility-words.ts";
import { type Outcome, outcomes } from "#domain/outcome.ts";
import { startDay } from "#domain/programme.ts";
import type { ProgrammeSort } from "#domain/programme-list.ts";
import type { Equivalence } from "#domain/qualification.ts";
import { searchWords } from "#domain/search-words.ts";
import type { StudyRecord } from "#domain/study-record.ts";
import { programmesPerPage } from "#protocol/page-sizes.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, firstFull, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { searchFor } from "#server/platform/search-query.ts";
import { gradeEquivalence } from "../tables.ts";
import { type ListedRow, positionOf, readCards } from "./cards.ts";
import { orders, type ProgrammeFilters, programmeWords } from "./conditions.ts";
import { countByRank, firstByRank, pageByRank, type StudentQuery } from "./judged-statements.ts";
import { type AnsweredCatalogue, type RequirementIndex, rankOf } from "./requirement-index.ts";

type StudentSort = ProgrammeSort | "gaps";
export type StudentInput = {
  search: string;
  filters: ProgrammeFilters;
  outcome: Outcome | undefined;
  sort: StudentSort;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** The cursor of the order by gaps, which has the rank of the outcome before the position by title. */
const gapsCursor = cursorForm(z.string().regex(/^[0-3]$/), z.enum(["true", "false"]), "text", "uuid");
export const studentCursor = (sort: StudentSort): z.ZodType<Cursor> =>
  sort === "gaps" ? gapsCursor : orders[sort].cursor;

/** Returns the consultancy's grade equivalences. */
export const equivalences = async (db: Reader): Promise<Equivalence[]> =>
  await db
    .select({
      fromScale: gradeEquivalence.fromScale,
      fromGrade: gradeEquivalence.fromGrade,
      toScale: gradeEquivalence.toScale,
      toGrade: gradeEquivalence.toGrade,
      firstYear: gradeEquivalence.firstYear,
      lastYear: gradeEquivalence.lastYear,
      source: gradeEquivalence.source,
    })
    .from(gradeEquivalence);

/** Selects the days for which programmes are judged, with one index lookup for each. */
const startsOfCatalogue = `
  with recursive start(day) as (
    (select judged_for from programme_listing where not removed order by judged_for limit 1)
    union all
    select (select judged_for from programme_listing where not removed and judged_for > day order by judged_for limit 1)
    from start where day is not null)
  select day::text from start where day is not null`;

type StudentRow = ListedRow & {
  rank: number;
  entryRequirementsId: number | null;
  /** The first day of the month that it is judged for. */
  judgedFor: string;
};
type StudentPage = { rows: StudentRow[]; counts: { rank: number; count: number }[] };

/** Finds a page in two steps, like lists: common matches are found among the first programmes of the order. */
async function findRows(
  pool: pg.Pool,
  answers: AnsweredCatalogue,
  query: StudentQuery,
): Promise<StudentRow[]> {
  const run = async (statement: pg.QueryConfig) => (await pool.query<StudentRow>(statement)).rows;
  return await firstFull(query.limit, [
    () => run(firstByRank(answers, query)),
    () => run(pageByRank(answers, query)),
  ]);
}

/**
 * Finds a page by gaps: the programmes of each outcome by title, best outcome first, and then in the same order those
 * that nobody has checked for long.
 */
async function findByGaps(
  pool: pg.Pool,
  answers: AnsweredCatalogue,
  query: Omit<StudentQuery, "sort">,
  counts: StudentPage["counts"],
): Promise<StudentRow[]> {
  const [rankBefore, ...position] = query.cursor ?? [];
  const hasProgrammes = (rank: number) =>
    counts.some((each) => each.rank === rank) && (query.rank ?? rank) === rank;
  const parts = [false, true].flatMap((stale) => [...outcomes.keys()].map((rank) => ({ stale, rank })));
  const isAtCursor = ({ stale, rank }: (typeof parts)[number]) =>
    String(rank) === rankBefore && String(stale) === position[0];
  const rows: StudentRow[] = [];
  for (const part of parts.slice(Math.max(0, parts.findIndex(isAtCursor)))) {
    if (rows.length > query.limit) break;
    if (!hasProgrammes(part.rank)) continue;
    const cursor = isAtCursor(part) ? position : null;
    rows.push(...(await findRows(pool, answers, { ...query, ...part, sort: "title", cursor })));
  }
  return rows;
}

/** Lists programmes with their outcome for a student's record, and the number of programmes with each outcome. */
export async function programmesForStudent(
  { searchPool, searchDb }: Pick<Database, "searchPool" | "searchDb">,
  index: RequirementIndex,
  { record, groups }: { record: StudyRecord; groups: readonly string[] },
  { search, filters, outcome: outcomeFilter, sort, cursor, limit = programmesPerPage }: StudentInput,
) {
  await index.refresh(searchDb);
  const tables = await equivalences(searchDb);
  const intake = filters.intake === undefined ? null : intakeStart(filters.intake);
  const starts =
    intake === null
      ? (await searchPool.query<{ day: string }>(startsOfCatalogue)).rows.map(({ day }) => day)
      : [intake];
  const answers = await index.answer(record, starts, tables);
  const find = async (words: string | null): Promise<StudentPage> => {
    const rank = outcomeFilter && rankOf(outcomeFilter);
    const query = { words, filters, rank, stale: undefined, cursor, limit };
    const { rows: counts } = await searchPool.query<StudentPage["counts"][number]>(
      countByRank(answers, words, filters),
    );
    const rows =
      sort === "gaps"
        ? await findByGaps(searchPool, answers, query, counts)
        : await findRows(searchPool, answers, { ...query, sort });
    return { rows, counts };
  };
  const words = searchWords(search);
  const isEmpty = ({ counts }: StudentPage) => counts.length === 0;
  const { answer, corrected } =
    words.length === 0
      ? { answer: await find(null), corrected: null }
      : await searchFor<StudentPage>(searchPool, programmeWords, words, isEmpty, find);
  const { rows, counts } = answer;
  const page = paginate(rows, limit, (row) =>
    writeCursor([...(sort === "gaps" ? [String(row.rank)] : []), ...positionOf(row)]),
  );
  const countOf = (outcome: Outcome) => counts.find(({ rank }) => rank === rankOf(outcome))?.count ?? 0;
  const cards = await readCards(searchPool, page.rows, filters, groups);
  return {
    programmes: page.rows.flatMap((row) => {
      const card = cards.get(row.id);
      if (!card) return [];
      const outcome = outcomes[row.rank] ?? "notKnown";
      const sets = index.setsOf(row.entryRequirementsId);
      const answeredSets = answerProgramme(sets, record, intake ?? row.judgedFor, tables).sets;
      return [{ ...card, outcome, reason: outcomeReason(outcome, answeredSets) }];
    }),
    next: page.next,
    corrected,
    outcomes: {
      mayEnter: countOf("mayEnter"),
      gap: countOf("gap"),
      notKnown: countOf("notKnown"),
      no: countOf("no"),
    },
  };
}

const intakeStart = (intake: string): string =>
  startDay({ year: Number(intake.slice(0, 4)), month: Number(intake.slice(5)) });
