import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AccountRow, AccountSummary } from "#contract/accounts.ts";
import { type Role, roles, type Status } from "#domain/account.ts";
import { statusesOf } from "#domain/account-list.ts";
import { nameParts } from "#domain/name-search.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { isInIndex, matching, rowsScannedFirst } from "#server/features/account/search-text.ts";
import { user } from "#server/features/account/tables.ts";
import { erasedOn } from "#server/features/auctions/settlement/erased-on.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import {
  type Cursor,
  cursorForm,
  descending,
  firstFull,
  mergeNewest,
  paginate,
} from "#server/platform/keyset-list.ts";
import type { QueueSearch } from "#server/platform/searches.ts";

export type AccountQuery = {
  search: string;
  role?: Role | undefined;
  status?: Status | undefined;
  cursor: Cursor | null;
  limit?: number | undefined;
};

/** Newest audit log entries of an account that are searched for its last login. */
const searchedEntries = 300;

type Kind = { role: Role; status: Status };

/** Returns the kinds of account that match the query. Each is read in order by its own index. */
const kindsOf = ({ role, status }: AccountQuery): Kind[] =>
  roles
    .filter((each) => role === undefined || each === role)
    .flatMap((each) => statusesOf[each].map((status) => ({ role: each, status })))
    .filter((kind) => status === undefined || kind.status === status);

const columns = {
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  status: user.status,
  emailVerified: user.emailVerified,
  createdAt: user.createdAt,
  searchText: user.searchText,
};

const newest = descending(user.createdAt, user.id);
/** Sorts the same way, but without an index: a search finds its rows first, and sorts them afterwards. */
const sorted = descending(sql`${user.createdAt} + interval '0'`, user.id);
export const accountCursor = cursorForm("time", "text");

/** Writes the role into the statement as text, so that the partial indexes apply. */
const isOf = ({ role, status }: Kind) =>
  and(sql`${user.role} = ${sql.raw(`'${role}'`)}`, eq(user.status, status));

const inOrder = (db: Reader, kind: Kind, query: AccountQuery, limit: number) =>
  db
    .select(columns)
    .from(user)
    .where(and(isOf(kind), newest.after(query.cursor)))
    .orderBy(...newest.by)
    .limit(limit);

function amongNewest(db: Reader, kind: Kind, query: AccountQuery, parts: readonly string[]) {
  const first = inOrder(db, kind, query, rowsScannedFirst).as("first");
  return db
    .select()
    .from(first)
    .where(matching(first.searchText, parts))
    .orderBy(...descending(first.createdAt, first.id).by)
    .limit(adminRowsPerPage + 1);
}

/** Searches all accounts of a kind. Students have an index of their texts; agents and admins are few. */
const amongAll = (db: Reader, kind: Kind, query: AccountQuery, parts: readonly string[]) =>
  db
    .select(columns)
    .from(user)
    .where(and(isOf(kind), newest.after(query.cursor), matching(user.searchText, parts)))
    .orderBy(...sorted.by)
    .limit(adminRowsPerPage + 1);

type Row = Awaited<ReturnType<typeof inOrder>>[number];

/** Reads the first rows of a kind; a search has two steps, as in Manage Students (docs/adr/0013). */
async function rowsOf(db: Reader, kind: Kind, query: AccountQuery): Promise<Row[]> {
  const parts = nameParts(query.search);
  if (parts.length === 0) return await inOrder(db, kind, query, adminRowsPerPage + 1);
  const near = () => amongNewest(db, kind, query, parts);
  const all = () => amongAll(db, kind, query, parts);
  return await firstFull(adminRowsPerPage, parts.some(isInIndex) ? [near, all] : [all]);
}

const position = ({ createdAt, id }: Row) => [createdAt, id] as const;

type AccountFacts = { students: number; lastLogin: Date | null; erasedOn: Date | null };

/** Reads what the accounts' own rows don't contain: an agent's students, the last login, and the day of erasure. */
async function readFacts(db: Reader, ids: readonly string[]): Promise<Map<string, AccountFacts>> {
  const assigned = sql`select count(*) from "user" student
    where student.role = 'student' and student.assigned_agent_id = ${user.id}`;
  const ofSession = sql`select max(${session.createdAt}) from ${session} where ${session.userId} = ${user.id}`;
  const ofLog = sql`select max(at) from (
    select ${audit.at}, ${audit.action} from ${audit} where ${audit.actorId} = ${user.id}
    order by ${audit.at} desc limit ${sql.raw(String(searchedEntries))}
  ) lately where action in ('sign-in', 'sign-up')`;
  const rows = await db
    .select({
      id: user.id,
      students: sql<number>`(${assigned})`.mapWith(Number),
      lastLogin: sql<Date | null>`greatest((${ofSession}), (${ofLog}))`.mapWith(user.createdAt),
      erasedOn,
    })
    .from(user)
    .where(sql`${user.id} = any(${sql.param(ids)})`)
    .prepare("accounts_more")
    .execute();
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/** Lists a page of all accounts, newest first; `next` is null on the last one. */
export async function listAccounts(
  { db, searchDb }: Pick<Database, "db" | "searchDb">,
  query: AccountQuery,
  queueSearch: QueueSearch = (work) => work(),
) {
  const read = (from: Reader) => mergeNewest(kindsOf(query), (kind) => rowsOf(from, kind, query), position);
  const isSearch = query.search.trim() !== "";
  const candidates = await (isSearch ? queueSearch(() => read(searchDb)) : read(db));
  const { rows, next } = paginate(candidates, query.limit ?? adminRowsPerPage, position);
  const facts = await readFacts(
    db,
    rows.map(({ id }) => id),
  );
  // Accounts that were deleted between the two queries are left out.
  const accounts = rows.flatMap((row): AccountRow[] => {
    const { id, email, name, role, status, emailVerified, createdAt: since } = row;
    const rest = facts.get(id);
    return rest ? [{ id, email, name, role, status, emailVerified, since, ...rest }] : [];
  });
  return { accounts, next };
}

const agent = alias(user, "agent");

/** Returns the summary at the top of an account's page; null for an unknown id. */
export async function accountSummary(db: Reader, userId: string): Promise<AccountSummary | null> {
  const { phone, agency, country } = user;
  const { searchText: _searchText, createdAt, ...fields } = columns;
  const [row] = await db
    .select({
      ...fields,
      since: createdAt,
      phone,
      agency,
      country,
      agent: { id: agent.id, name: agent.name },
    })
    .from(user)
    .leftJoin(agent, eq(agent.id, user.assignedAgentId))
    .where(eq(user.id, userId));
  const facts = (await readFacts(db, [userId])).get(userId);
  return row && facts ? { ...row, ...facts } : null;
}
