import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { StudentRow, StudentView } from "#contract/students.ts";
import type { Currency } from "#domain/currency.ts";
import { nameParts, phoneDigits } from "#domain/name-search.ts";
import { type StudentFilter } from "#domain/student-list.ts";
import { studentsPerPage } from "#protocol/page-sizes.ts";
import {
  isInIndex,
  matching,
  matchingPhone,
  rowsScannedFirst,
} from "#server/features/account/search-text.ts";
import { user } from "#server/features/account/tables.ts";
import { applicationsOfStudents } from "#server/features/applications/queries.ts";
import { readErasureDates } from "#server/features/auctions/settlement/erased-on.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import {
  ascending,
  type Cursor,
  countUpTo,
  cursorForm,
  descending,
  firstFull,
  paginate,
  writeCursor,
} from "#server/platform/keyset-list.ts";
import type { QueueSearch } from "#server/platform/searches.ts";
import { Refusal } from "#server/refusal.ts";
import { type Fits, fitOf, fitsOf, readableDocuments } from "./fits.ts";
import { progressOfStudents } from "./progress-of-students.ts";
import {
  applicationFilters,
  depositsOf,
  isFiltered,
  isResponsible,
  matchesFacets,
  sortKeys,
  waitsFor,
} from "./student-filters.ts";

/** A page of a view. `size` is the number of rows, by default 50; `limit` is a smaller one from the caller. */
export type StudentQuery = StudentView & {
  cursor: Cursor | null;
  limit?: number | undefined;
  size?: number;
  /** Restricts the list to these students. */
  ids?: readonly string[] | undefined;
  /** The outcomes of students for the programme of the filter `fits`, once they are known. */
  fitting?: Fits;
};
const sizeOf = ({ size = studentsPerPage }: StudentQuery) => size;

const agent = alias(user, "agent");

const orders = { ascending, descending };
const orderOf = ({ sort, direction }: StudentQuery) => orders[direction](sortKeys[sort], user.id);
export const studentCursor = cursorForm("text", "text");

function filtered(filter: StudentFilter, viewerId: string): SQL | undefined {
  if (filter === "mine") return eq(user.assignedAgentId, viewerId);
  return filter === "unassigned" ? sql`${user.assignedAgentId} is null` : undefined;
}

function ordered(query: StudentQuery): SQL[] {
  const { filter, sort, direction } = query;
  // The column is null for all students without an agent. Sorting by it lets PostgreSQL read the index in its order.
  if (filter === "unassigned" && sort === "name")
    return orders[direction](user.assignedAgentId, sortKeys.name, user.id).by;
  return orderOf(query).by;
}

/** Sorts the same way, but without an index: a search finds its rows first, and sorts them afterwards. */
const sorted = ({ sort, direction }: StudentQuery) =>
  orders[direction](sql`${sortKeys[sort]} || ''`, user.id).by;

const among = (ids: readonly string[]) => sql`"user".id = any(${sql.param([...ids])}::text[])`;

const conditionOf = (viewerId: string, query: StudentQuery) =>
  and(
    sql`${user.role} = 'student'`,
    filtered(query.filter, viewerId),
    query.waiting && waitsFor(query.waiting, viewerId),
    depositsOf(query, viewerId),
    matchesFacets(query),
    query.ids && among(query.ids),
    query.fitting && and(among([...query.fitting.byStudent.keys()]), readableDocuments(viewerId)),
    orderOf(query).after(query.cursor),
  );

/** Counts the students that pass the filters; null without filters, for a search and for further pages. */
async function totalOf(db: Reader, viewerId: string, query: StudentQuery): Promise<number | null> {
  if (!isFiltered(query) || query.cursor !== null || query.search.trim() !== "") return null;
  return await db.$count(user, conditionOf(viewerId, query));
}

/** Matches a search as a whole: names and addresses by their parts, telephone numbers by their digits. */
function searched(search: string): SQL | undefined {
  const digits = phoneDigits(search);
  const byName = matching(user.searchText, nameParts(search));
  return digits === null ? byName : or(byName, matchingPhone(user.phone, digits));
}

/**
 * Compares the students who pass the other filters with the programme of `fits`, if there is one. Throws `not-found`
 * for an unknown programme. Callers that read several pages call this once before.
 */
export async function withFits<Query extends Omit<StudentQuery, "cursor">>(
  db: Reader,
  viewerId: string,
  query: Query,
): Promise<Query> {
  if (query.fits === undefined || query.fitting) return query;
  const condition = and(conditionOf(viewerId, { ...query, cursor: null }), searched(query.search));
  const fitting = await fitsOf(db, viewerId, condition, query.fits);
  if (fitting === null) throw new Refusal("not-found");
  return { ...query, fitting };
}

/** Counts the students of a view, up to one more than `max`. */
export async function countStudents(
  db: Reader,
  viewerId: string,
  view: Omit<StudentQuery, "cursor">,
  max: number,
) {
  const query = await withFits(db, viewerId, view);
  const condition = and(conditionOf(viewerId, { ...query, cursor: null }), searched(view.search));
  const [row] = await countUpTo(db, max, user, condition);
  return row?.count ?? 0;
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
  key: sortKeys[sort].as("key"),
});

function page(db: Reader, query: StudentQuery, condition: SQL | undefined, order: SQL[]) {
  return db
    .select({ ...columns(query), agentName: agent.name })
    .from(user)
    .leftJoin(agent, eq(agent.id, user.assignedAgentId))
    .where(condition)
    .orderBy(...order)
    .limit(sizeOf(query) + 1);
}

/** Searches the first rows of the requested order only. */
function amongFirst(db: Reader, query: StudentQuery, all: SQL | undefined, parts: readonly string[]) {
  const first = db
    .select({ ...columns(query), searchText: user.searchText })
    .from(user)
    .where(all)
    .orderBy(...ordered(query))
    .limit(rowsScannedFirst)
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
    .limit(sizeOf(query) + 1);
}

/**
 * Returns the queries for a page of Manage Students and the row after it. A search has two steps, because PostgreSQL
 * often misjudges how common a text is.
 */
export function studentPages(db: Reader, viewerId: string, query: StudentQuery) {
  const parts = nameParts(query.search);
  const all = conditionOf(viewerId, query);
  if (parts.length === 0) return [page(db, query, all, ordered(query))];
  const matches = and(all, searched(query.search));
  if (phoneDigits(query.search) !== null) return [page(db, query, matches, sorted(query))];
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

/**
 * Selects the first deposit due for each of these students for whom the viewer is responsible. Looks it up student by
 * student, because PostgreSQL would join the deposits of all students first.
 */
export const firstDeposits = (viewerId: string, ids: readonly string[]): SQL => sql`
  select "user".id, first.*
  from "user" cross join lateral (
    select amount::float8 as amount, currency, to_char(deposit.due_date, 'YYYY-MM-DD') as due
    from due_thing join offer_deposit deposit on deposit.id = due_thing.id
    where kind = 'deposit' and student_id = "user".id
    order by due_thing.due_at limit 1) first
  where ${among(ids)} and ${isResponsible(viewerId)}`;

async function depositsDue(
  db: Reader,
  viewerId: string,
  ids: readonly string[],
): Promise<Map<string, NonNullable<StudentRow["deposit"]>>> {
  const { rows } = await db.execute<{ id: string; amount: number; currency: Currency; due: string }>(
    firstDeposits(viewerId, ids),
  );
  return new Map(rows.map(({ id, ...deposit }) => [id, deposit]));
}

type Connections = Pick<Database, "db" | "searchDb">;

/** Returns the page for the response; `next` is null on the last one. */
export async function listStudents(
  { db, searchDb }: Connections,
  viewerId: string,
  request: StudentQuery,
  queueSearch: QueueSearch,
) {
  const query =
    request.fits === undefined || request.fitting
      ? request
      : await queueSearch(() => withFits(searchDb, viewerId, request));
  const { fitting } = query;
  const read = (from: Reader) =>
    firstFull(
      sizeOf(query),
      studentPages(from, viewerId, query).map((step) => () => step),
    );
  const isSearch = query.search.trim() !== "";
  const candidates = await (isSearch ? queueSearch(() => read(searchDb)) : read(db));
  const { rows, next } = paginate(candidates, query.limit ?? sizeOf(query), ({ key, id }) =>
    writeCursor([key, id]),
  );
  const ids = rows.map(({ id }) => id);
  const [progress, applications, deposits] = await Promise.all([
    progressOfStudents(db, ids),
    applicationsOfStudents(db, ids, applicationFilters(query)),
    depositsDue(db, viewerId, ids),
  ]);
  // An unused account of an active student is not leaving yet.
  const leaving = rows.filter(({ status }) => status !== "active").map(({ id }) => id);
  const erasures = await readErasureDates(db, leaving);
  // Students who were deleted between the two queries are left out.
  const students = rows.flatMap((row): StudentRow[] => {
    const countedProgress = progress.get(row.id);
    const ownApplications = applications.get(row.id) ?? [];
    const fit = fitting?.byStudent.get(row.id);
    return countedProgress
      ? [
          {
            ...rowOf(row),
            erasedOn: erasures.get(row.id) ?? null,
            ...countedProgress,
            applications: ownApplications,
            deposit: deposits.get(row.id) ?? null,
            ...(fit && { fit: fitOf(fit) }),
          },
        ]
      : [];
  });
  return { students, total: await totalOf(db, viewerId, query), next, fits: fitting ?? null };
}
