import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { StudentRow } from "#contract/students.ts";
import { nameParts } from "#domain/name-search.ts";
import {
  type SortDirection,
  type StudentFilter,
  type StudentSituation,
  type StudentSort,
  statesIn,
} from "#domain/student-list.ts";
import { studentsPerPage } from "#protocol/page-sizes.ts";
import { isInIndex, matching, readInOrder } from "#server/features/account/search-text.ts";
import { user } from "#server/features/account/tables.ts";
import { erasuresOf } from "#server/features/auctions/settlement/erased-on.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import {
  ascending,
  type Cursor,
  cursorForm,
  descending,
  firstFull,
  paginate,
  writeCursor,
} from "#server/platform/keyset-list.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import { progressOfStudents } from "./progress-of-students.ts";

export type StudentQuery = {
  search: string;
  filter: StudentFilter;
  situation?: StudentSituation | undefined;
  sort: StudentSort;
  direction: SortDirection;
  cursor: Cursor | null;
  limit?: number | undefined;
};

const agent = alias(user, "agent");

/** The expression that each order compares, as in the indexes of `user`. */
const keys: Record<StudentSort, SQL<string>> = {
  name: sql<string>`lower(${user.name})`,
  email: sql<string>`${user.email}`,
  country: sql<string>`lower(country_name(${user.country}))`,
};

const orders = { ascending, descending };
const orderOf = ({ sort, direction }: StudentQuery) => orders[direction](keys[sort], user.id);
export const studentCursor = cursorForm("text", "text");

function filtered(filter: StudentFilter, viewerId: string): SQL | undefined {
  if (filter === "mine") return eq(user.assignedAgentId, viewerId);
  return filter === "unassigned" ? sql`${user.assignedAgentId} is null` : undefined;
}

/**
 * Selects students by the kind of work that waits with them. The table is named in full: within the subqueries a bare
 * `id` would be another table's.
 */
function inSituation(situation: StudentSituation | undefined): SQL | undefined {
  if (situation === undefined) return undefined;
  if (situation === "documentsToReview")
    return sql`"user".id in (select student_id from document where state = 'uploaded' and replaced_at is null)`;
  const states = statesIn(situation);
  return states === null
    ? sql`not exists (select from application where student_id = "user".id)`
    : sql`"user".id in (select student_id from application where state = any(${sql.param([...states])}::text[]))`;
}

function ordered(query: StudentQuery): SQL[] {
  const { filter, sort, direction } = query;
  // The column is null for all students without an agent. Sorting by it lets PostgreSQL read the index in its order.
  if (filter === "unassigned" && sort === "name")
    return orders[direction](user.assignedAgentId, keys.name, user.id).by;
  return orderOf(query).by;
}

/** Sorts the same way, but without an index: a search finds its rows first, and sorts them afterwards. */
const sorted = ({ sort, direction }: StudentQuery) => orders[direction](sql`${keys[sort]} || ''`, user.id).by;

const conditionOf = (viewerId: string, query: StudentQuery) =>
  and(
    sql`${user.role} = 'student'`,
    filtered(query.filter, viewerId),
    inSituation(query.situation),
    orderOf(query).after(query.cursor),
  );

/** Counts the students in a situation; null without a situation, for a search and for further pages. */
async function totalOf(db: Reader, viewerId: string, query: StudentQuery): Promise<number | null> {
  if (query.situation === undefined || query.cursor !== null || query.search.trim() !== "") return null;
  return await db.$count(user, conditionOf(viewerId, query));
}

/** Selects the columns of a row, from the table or from a part of it that was read first. */
const columns = ({ sort }: StudentQuery) => ({
  id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  country: user.country,
  status: user.status,
  agentId: user.assignedAgentId,
  key: keys[sort].as("key"),
});

function page(db: Reader, query: StudentQuery, condition: SQL | undefined, order: SQL[]) {
  return db
    .select({ ...columns(query), agentName: agent.name })
    .from(user)
    .leftJoin(agent, eq(agent.id, user.assignedAgentId))
    .where(condition)
    .orderBy(...order)
    .limit(studentsPerPage + 1);
}

/** Searches the first rows of the requested order only. */
function amongFirst(db: Reader, query: StudentQuery, all: SQL | undefined, parts: readonly string[]) {
  const first = db
    .select({ ...columns(query), searchText: user.searchText })
    .from(user)
    .where(all)
    .orderBy(...ordered(query))
    .limit(readInOrder)
    .as("first");
  return db
    .select({
      id: first.id,
      name: first.name,
      email: first.email,
      phone: first.phone,
      country: first.country,
      status: first.status,
      agentId: first.agentId,
      key: first.key,
      agentName: agent.name,
    })
    .from(first)
    .leftJoin(agent, eq(agent.id, first.agentId))
    .where(matching(first.searchText, parts))
    .orderBy(...orders[query.direction](first.key, first.id).by)
    .limit(studentsPerPage + 1);
}

/**
 * Returns the queries for a page of Manage Students and the row after it. A search has two steps, because PostgreSQL
 * guesses too often wrongly whether a text is common.
 */
export function studentPages(db: Reader, viewerId: string, query: StudentQuery) {
  const parts = nameParts(query.search);
  const all = conditionOf(viewerId, query);
  if (parts.length === 0) return [page(db, query, all, ordered(query))];
  const matches = and(all, matching(user.searchText, parts));
  if (!parts.some(isInIndex)) return [page(db, query, matches, ordered(query))];
  return [amongFirst(db, query, all, parts), page(db, query, matches, sorted(query))];
}

type Row = Awaited<ReturnType<typeof page>>[number];

const rowOf = ({ id, name, email, phone, country, status, agentId, agentName }: Row) => ({
  id,
  name,
  email,
  phone,
  country,
  disabled: status === "disabled",
  agent: agentId === null ? null : { id: agentId, name: agentName ?? "" },
});

type Connections = Pick<Database, "db" | "searchDb">;

/** Returns the page for the response; `next` is null on the last one. */
export async function listStudents(
  { db, searchDb }: Connections,
  viewerId: string,
  query: StudentQuery,
  queueSearch: QueueSearch,
) {
  const read = (from: Reader) =>
    firstFull(
      studentsPerPage,
      studentPages(from, viewerId, query).map((step) => () => step),
    );
  const isSearch = query.search.trim() !== "";
  const candidates = await (isSearch ? queueSearch(() => read(searchDb)) : read(db));
  const { rows, next } = paginate(candidates, query.limit ?? studentsPerPage, ({ key, id }) =>
    writeCursor([key, id]),
  );
  const ids = rows.map(({ id }) => id);
  const progress = await progressOfStudents(db, ids);
  // An unused account of an active student is not leaving yet.
  const leaving = rows.filter(({ status }) => status !== "active").map(({ id }) => id);
  const erasures = await erasuresOf(db, leaving);
  // Students who were deleted between the two queries are left out.
  const students = rows.flatMap((row): StudentRow[] => {
    const howFar = progress.get(row.id);
    return howFar ? [{ ...rowOf(row), erasedOn: erasures.get(row.id) ?? null, ...howFar }] : [];
  });
  return { students, total: await totalOf(db, viewerId, query), next };
}
