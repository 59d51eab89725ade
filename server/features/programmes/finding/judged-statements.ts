import type { ProgrammeSort } from "#domain/programme-list.ts";
import type { Cursor } from "#server/platform/keyset-list.ts";
import {
  type AddParameter,
  beyond,
  conditions,
  inOrderSearchLimit,
  orders,
  type ProgrammeFilters,
  type Statement,
  statement,
} from "./conditions.ts";
import { type AnsweredCatalogue, unrankedPosition } from "./requirement-index.ts";

export type StudentQuery = {
  words: string | null;
  filters: ProgrammeFilters;
  /** Keeps the programmes whose outcome has this rank. */
  rank: number | undefined;
  /** Keeps programmes that nobody has checked for long, or only the others. */
  stale: boolean | undefined;
  sort: ProgrammeSort;
  cursor: Cursor | null;
  limit: number;
};

/** Returns the SQL for a programme's rank in the answers, and the join that finds the part for its start. */
function judged({ ranks, size, parts }: AnsweredCatalogue, { intake }: ProgrammeFilters, bind: AddParameter) {
  const bytes = `${bind(ranks)}::bytea`;
  // A programme whose requirements or start are new is not in the answers yet.
  const rankAt = (part: string) =>
    `coalesce(case when entry_requirements_id < ${size} then get_byte(${bytes}, ${part} + entry_requirements_id) end, ${unrankedPosition})`;
  if (intake !== undefined) return { rank: rankAt("0"), join: "" };
  return {
    rank: rankAt("part"),
    join: `left join unnest(${bind([...parts.keys()])}::date[], ${bind([...parts.values()])}::int[]) era(start, part)
      on start = judged_for`,
  };
}

/** Counts the programmes of each rank. Without words and filters it only reads an index. */
export const countByRank = (
  answers: AnsweredCatalogue,
  words: string | null,
  filters: ProgrammeFilters,
): Statement =>
  statement(undefined, (bind) => {
    const { rank, join } = judged(answers, filters, bind);
    return `select ${rank} as rank, count(*)::int as count from programme_listing ${join}
      where ${["not removed", ...conditions(words, filters, bind)].join(" and ")} group by 1`;
  });

const rankCondition = (rank: number | undefined): string => (rank === undefined ? "true" : `rank = ${rank}`);
const staleConditions = (stale: boolean | undefined): string[] =>
  stale === undefined ? [] : [stale ? "stale" : "not stale"];
const columns = (key: string, rank: string) =>
  `id, stale, ${key} as key, ${rank} as rank, entry_requirements_id as "entryRequirementsId", judged_for::text as "judgedFor"`;

/** Reads a page of the programmes with the rank, words and filters among the first ones in the order. */
export const firstByRank = (answers: AnsweredCatalogue, query: StudentQuery): Statement =>
  statement(undefined, (bind) => {
    const order = orders[query.sort];
    const { rank, join } = judged(answers, query.filters, bind);
    return `select * from (
        select ${columns(order.key, rank)} from (
          select id, stale, ${order.key}, search, judged_for, entry_requirements_id, tuition_rand as fee from programme_listing
          where ${["not removed", ...staleConditions(query.stale), ...beyond(order, query.cursor, bind)].join(" and ")}
          order by stale, ${order.key}, id limit ${inOrderSearchLimit}) first ${join}
        where ${conditions(query.words, query.filters, bind, "fee").join(" and ") || "true"}) judged
      where ${rankCondition(query.rank)} order by stale, key, id limit ${query.limit + 1}`;
  });

/**
 * Returns the ids of the entry requirements that have this rank for some start, so that an index finds the programmes
 * of a rare rank; null for the rank of programmes without requirements.
 */
function idsOfRank({ ranks, size }: AnsweredCatalogue, rank: number): number[] | null {
  if (rank === unrankedPosition) return null;
  const ids = new Set<number>();
  for (const [place, each] of ranks.entries()) if (each === rank) ids.add(place % size);
  return [...ids];
}

/** Reads a page of all programmes with the rank, words and filters. */
export const pageByRank = (answers: AnsweredCatalogue, query: StudentQuery): Statement =>
  statement(undefined, (bind) => {
    const order = orders[query.sort];
    const { rank, join } = judged(answers, query.filters, bind);
    const ids = query.rank === undefined ? null : idsOfRank(answers, query.rank);
    const where = [
      "not removed",
      ...staleConditions(query.stale),
      ...conditions(query.words, query.filters, bind),
      ...beyond(order, query.cursor, bind),
      ...(ids ? [`entry_requirements_id = any(${bind(ids)}::int[])`] : []),
    ];
    // The offset keeps PostgreSQL from scanning the whole order for a rare rank.
    return `select * from (
        select ${columns(order.key, rank)} from programme_listing ${join} where ${where.join(" and ")} offset 0) judged
      where ${rankCondition(query.rank)} order by stale, key, id limit ${query.limit + 1}`;
  });
