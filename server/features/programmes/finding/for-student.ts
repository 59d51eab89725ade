import { z } from "zod";
import { answerProgramme, type Outcome, outcomes } from "#domain/eligibility.ts";
import { outcomeReason } from "#domain/eligibility-words.ts";
import { startDay } from "#domain/programme.ts";
import type { ProgrammeSort } from "#domain/programme-list.ts";
import type { Equivalence } from "#domain/qualification.ts";
import { searchWords } from "#domain/search-words.ts";
import type { StudyRecord } from "#domain/study-record.ts";
import { programmesPerPage } from "#protocol/page-sizes.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import { type Cursor, cursorForm, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { gradeEquivalence } from "../tables.ts";
import { type CardRow, cardOf, cardsOf, positionOf } from "./cards.ts";
import { beyond, conditions, orders, type ProgrammeFilters, type Put, statement } from "./conditions.ts";
import { type AnsweredCatalogue, type RequirementIndex, rankOf, rankOfNone } from "./requirement-index.ts";
import { searchFor } from "./words.ts";

type StudentSort = ProgrammeSort | "gaps";
export type StudentQuery = {
  search: string;
  filters: ProgrammeFilters;
  outcome: Outcome | undefined;
  sort: StudentSort;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** A cursor of the order by gaps has the rank of the outcome before the position by title. */
const gapsCursor = cursorForm(z.string().regex(/^[0-3]$/), z.enum(["true", "false"]), "text", "uuid");
export const studentCursor = (sort: StudentSort): z.ZodType<Cursor> =>
  sort === "gaps" ? gapsCursor : orders[sort].cursor;

/** Reads the consultancy's tables of what grades count as. */
export const equivalences = async (db: Reader): Promise<Equivalence[]> =>
  await db
    .select({
      fromScale: gradeEquivalence.fromScale,
      fromGrade: gradeEquivalence.fromGrade,
      toScale: gradeEquivalence.toScale,
      toGrade: gradeEquivalence.toGrade,
      firstYear: gradeEquivalence.firstYear,
      lastYear: gradeEquivalence.lastYear,
    })
    .from(gradeEquivalence);

/** Reads the days for which programmes are judged, each by one look into their index. */
const startsOfCatalogue = `
  with recursive start(day) as (
    (select judged_for from programme where removed_at is null order by judged_for limit 1)
    union all
    select (select judged_for from programme where removed_at is null and judged_for > day order by judged_for limit 1)
    from start where day is not null)
  select day::text from start where day is not null`;

type StudentRow = CardRow & { rank: number; entryRequirementsId: number | null };
type Found = { programmes: StudentRow[]; ranks: { rank: number; count: number }[] };

/** Selects the rank of each programme's outcome, from the answers of the domain. */
function judged({ ranks, size, parts }: AnsweredCatalogue, intake: string | undefined, put: Put) {
  const bytes = `${put(ranks)}::bytea`;
  const rank = (part: string) =>
    `coalesce(case when entry_requirements_id < ${size} then get_byte(${bytes}, ${part} + entry_requirements_id) end, ${rankOfNone})`;
  if (intake !== undefined) return { rank: rank("0"), join: "" };
  return {
    rank: rank("part"),
    join: `left join unnest(${put([...parts.keys()])}::date[], ${put([...parts.values()])}::int[]) era(start, part)
      on start = judged_for`,
  };
}

const pageFor = (answers: AnsweredCatalogue, query: StudentQuery, words: string | null) =>
  statement(undefined, (put) => {
    const { filters, outcome, sort, cursor, limit = programmesPerPage } = query;
    const order = orders[sort === "gaps" ? "title" : sort];
    const { rank, join } = judged(answers, filters.intake, put);
    const where = ["removed_at is null", ...conditions(words, filters, put)].join(" and ");
    const further = () => {
      if (cursor === null || sort !== "gaps") return beyond(order, cursor, put);
      const [last, stale, title, id] = cursor;
      return [
        `(rank, stale, key, id) > (${put(last)}::int, ${put(stale)}::boolean, ${put(title)}, ${put(id)}::uuid)`,
      ];
    };
    const chosen = [...(outcome === undefined ? [] : [`rank = ${rankOf(outcome)}`]), ...further()];
    const byRank = sort === "gaps" ? "rank," : "";
    const page = `select id, stale, key, rank, "entryRequirementsId" from judged
      where ${chosen.join(" and ").replaceAll(order.key, "key") || "true"}
      order by ${byRank} stale, key, id limit ${limit + 1}`;
    const cards = cardsOf(page, {
      order: sort === "gaps" ? "page.rank," : "",
      more: `, page.rank, page."entryRequirementsId"`,
    });
    return `with judged as materialized (
        select id, stale, ${order.key} as key, ${rank} as rank, entry_requirements_id as "entryRequirementsId"
        from programme ${join} where ${where})
      select (${cards}) as programmes, (
        select coalesce(json_agg(counted), '[]') from (
          select rank, count(*)::int as count from judged group by rank) counted) as ranks`;
  });

/** Lists programmes with what a student's record answers, and how many have each outcome. */
export async function programmesForStudent(
  { searchPool, searchDb }: Pick<Database, "searchPool" | "searchDb">,
  index: RequirementIndex,
  record: StudyRecord,
  query: StudentQuery,
) {
  const { filters } = query;
  await index.refresh(searchDb);
  const tables = await equivalences(searchDb);
  const starts =
    filters.intake === undefined
      ? (await searchPool.query<{ day: string }>(startsOfCatalogue)).rows.map(({ day }) => day)
      : [startOf(filters.intake)];
  const answers = index.answer(record, starts, tables);
  const find = async (words: string | null): Promise<Found> =>
    (await searchPool.query<Found>(pageFor(answers, query, words))).rows[0] ?? { programmes: [], ranks: [] };
  const words = searchWords(query.search);
  const { answer: found } =
    words.length === 0
      ? { answer: await find(null) }
      : await searchFor<Found>(searchPool, words, ({ ranks }) => ranks.length === 0, find);
  const { rows, next } = paginate(found.programmes, query.limit ?? programmesPerPage, (row) =>
    writeCursor([...(query.sort === "gaps" ? [String(row.rank)] : []), ...positionOf(row, query.sort)]),
  );
  const countOf = (outcome: Outcome) => found.ranks.find(({ rank }) => rank === rankOf(outcome))?.count ?? 0;
  return {
    programmes: rows.map((row) => {
      const start = filters.intake === undefined ? row.judgedFor : startOf(filters.intake);
      const outcome = outcomes[row.rank] ?? "notKnown";
      const sets = index.setsOf(row.entryRequirementsId);
      const reason = outcomeReason(outcome, answerProgramme(sets, record, start, tables).sets);
      return { ...cardOf(row), outcome, reason };
    }),
    next,
    outcomes: {
      mayEnter: countOf("mayEnter"),
      gap: countOf("gap"),
      notKnown: countOf("notKnown"),
      no: countOf("no"),
    },
  };
}

const startOf = (intake: string): string =>
  startDay({ year: Number(intake.slice(0, 4)), month: Number(intake.slice(5)) });
