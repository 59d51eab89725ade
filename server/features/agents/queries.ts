import { and, count, eq, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { AgentCard } from "#contract/agents.ts";
import type { Status } from "#domain/account.ts";
import type { AgentTab } from "#domain/agent-approval.ts";
import { nameParts } from "#domain/name-search.ts";
import { agentsPerPage } from "#protocol/page-sizes.ts";
import { matching } from "#server/features/account/search-text.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { erasedOn } from "#server/features/auctions/settlement/erased-on.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import {
  type Cursor,
  cursorForm,
  descending,
  mergeNewest,
  paginate,
  writeCursor,
} from "#server/platform/keyset-list.ts";
import type { QueueSearch } from "#server/platform/searches.ts";

/** A card with the time that it is sorted by, which is known even if the date to show isn't. */
type ListedAgent = { listedAt: Date; card: AgentCard };

/** The parts of the search, and the cursor. Without parts, every agent matches. */
type AgentQuery = { parts: readonly string[]; cursor: Cursor | null };

const admin = alias(user, "admin");
const student = alias(user, "student");

export const agentCursor = cursorForm("time", "text");

type DecidedStatus = Exclude<Status, "active">;
const decisionOf: Record<DecidedStatus, { at: PgColumn; by: PgColumn | null }> = {
  pending: { at: user.createdAt, by: null },
  approved: { at: user.approvedAt, by: user.approvedBy },
  revoked: { at: user.revokedAt, by: user.revokedBy },
  disabled: { at: user.disabledAt, by: user.disabledBy },
  leaving: { at: user.disabledAt, by: null },
};

/** Reads a page of the agents in one status. Agents without a known date are sorted by their sign-up. */
async function inStatus(
  db: Reader,
  status: DecidedStatus,
  { parts, cursor }: AgentQuery,
): Promise<ListedAgent[]> {
  const { at, by } = decisionOf[status];
  const listedAt = sql<Date>`coalesce(${at}, ${user.createdAt})`.mapWith(user.createdAt);
  const newest = descending(listedAt, user.id);
  const students = db
    .select({ number: count() })
    .from(student)
    .where(and(eq(student.role, "student"), eq(student.assignedAgentId, user.id)));
  const rows = await db
    .select({
      listedAt,
      card: {
        id: user.id,
        name: user.name,
        email: user.email,
        emailVerified: user.emailVerified,
        phone: user.phone,
        agency: user.agency,
        country: user.country,
        students: sql<number>`(${students})`.mapWith(Number),
        date: sql<Date | null>`${at}`.mapWith(user.createdAt),
        by: admin.email,
        erasedOn,
        wasApproved: sql<boolean>`${user.approvedAt} is not null`,
      },
    })
    .from(user)
    .leftJoin(admin, by ? eq(admin.id, by) : sql`false`)
    .where(
      and(
        eq(user.role, "agent"),
        eq(user.status, status),
        newest.after(cursor),
        matching(sql`(${user.searchText} || plain_name(' ' || ${user.agency}))`, parts),
      ),
    )
    .orderBy(...newest.by)
    .limit(agentsPerPage + 1);
  return rows.map((row) => ({ listedAt: row.listedAt, card: { kind: status, ...row.card } }));
}

/** Empty fields of a denied agent, whose record only keeps the address. */
const emptyFields = {
  name: "",
  emailVerified: false,
  phone: "",
  agency: "",
  country: "",
  students: 0,
  erasedOn: null,
  wasApproved: false,
};

async function denied(db: Reader, { parts, cursor }: AgentQuery): Promise<ListedAgent[]> {
  const newest = descending(deniedAgent.deniedAt, deniedAgent.id);
  const rows = await db
    .select({ id: deniedAgent.id, email: deniedAgent.email, date: deniedAgent.deniedAt, by: admin.email })
    .from(deniedAgent)
    .leftJoin(admin, eq(admin.id, deniedAgent.deniedBy))
    .where(and(newest.after(cursor), matching(sql`plain_name(' ' || ${deniedAgent.email})`, parts)))
    .orderBy(...newest.by)
    .limit(agentsPerPage + 1);
  return rows.map((row) => ({ listedAt: row.date, card: { kind: "denied", ...emptyFields, ...row } }));
}

const kindsIn: Record<AgentTab, readonly (DecidedStatus | "denied")[]> = {
  pending: ["pending"],
  approved: ["approved"],
  former: ["revoked", "denied", "disabled", "leaving"],
};

const position = ({ listedAt, card }: ListedAgent) => [listedAt, card.id] as const;

const readTab = (db: Reader, tab: AgentTab, query: AgentQuery) =>
  mergeNewest(
    kindsIn[tab],
    (kind) => (kind === "denied" ? denied(db, query) : inStatus(db, kind, query)),
    position,
  );

type Connections = Pick<Database, "db" | "searchDb">;
type AgentListInput = { tab: AgentTab; search: string; cursor: Cursor | null; limit?: number | undefined };

/** Lists a page of a tab of the admin dashboard, newest first; `next` is null on the last one. */
export async function listAgents(
  { db, searchDb }: Connections,
  { tab, search, cursor, limit = agentsPerPage }: AgentListInput,
  queueSearch: QueueSearch,
) {
  const query = { parts: nameParts(search), cursor };
  const candidates = await (query.parts.length > 0
    ? queueSearch(() => readTab(searchDb, tab, query))
    : readTab(db, tab, query));
  const { rows, next } = paginate(candidates, limit, (last) => writeCursor(position(last)));
  return { agents: rows.map(({ card }) => card), next };
}

export async function countAgents(db: Reader): Promise<Record<AgentTab, number>> {
  const [byStatus, denials] = await Promise.all([
    db
      .select({ status: user.status, number: count() })
      .from(user)
      .where(eq(user.role, "agent"))
      .groupBy(user.status),
    db.$count(deniedAgent),
  ]);
  const countOf = (status: Status) => byStatus.find((row) => row.status === status)?.number ?? 0;
  const former = countOf("revoked") + countOf("disabled") + countOf("leaving") + denials;
  return { pending: countOf("pending"), approved: countOf("approved"), former };
}
