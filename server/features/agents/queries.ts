import { and, count, desc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { AgentCard } from "#contract/agents.ts";
import type { Status } from "#domain/account.ts";
import type { AgentTab } from "#domain/agent-approval.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import type { Database } from "#server/platform/database.ts";

type Reader = Database["db"];
/** Where a page goes on: below this moment, or at it with a smaller id. */
export type Cursor = { date: Date; id: string };
type Dated = AgentCard & { date: Date };

const agentsPerPage = 50;
const admin = alias(user, "admin");

const below = (when: SQL<Date>, id: PgColumn, cursor: Cursor | null) =>
  cursor ? or(lt(when, cursor.date), and(eq(when, cursor.date), lt(id, cursor.id))) : undefined;

/** One page of the agents in one status; `when` they came to it and by whom. */
async function inStatus(
  db: Reader,
  status: Status,
  when: PgColumn,
  who: PgColumn | null,
  cursor: Cursor | null,
) {
  const date = sql<Date>`coalesce(${when}, ${user.createdAt})`.mapWith(user.createdAt);
  return await db
    .select({ id: user.id, name: user.name, email: user.email, agency: user.agency, date, by: admin.email })
    .from(user)
    .leftJoin(admin, who ? eq(admin.id, who) : sql`false`)
    .where(and(eq(user.role, "agent"), eq(user.status, status), below(date, user.id, cursor)))
    .orderBy(desc(date), desc(user.id))
    .limit(agentsPerPage + 1);
}

async function denied(db: Reader, cursor: Cursor | null) {
  const date = sql<Date>`${deniedAgent.deniedAt}`.mapWith(deniedAgent.deniedAt);
  return await db
    .select({ id: deniedAgent.id, email: deniedAgent.email, date, by: admin.email })
    .from(deniedAgent)
    .leftJoin(admin, eq(admin.id, deniedAgent.deniedBy))
    .where(below(date, deniedAgent.id, cursor))
    .orderBy(desc(date), desc(deniedAgent.id))
    .limit(agentsPerPage + 1);
}

const pages: Record<AgentTab, (db: Reader, cursor: Cursor | null) => Promise<Dated[]>> = {
  pending: async (db, cursor) =>
    (await inStatus(db, "pending", user.createdAt, null, cursor)).map((row) => card("pending", row)),
  approved: async (db, cursor) =>
    (await inStatus(db, "approved", user.approvedAt, user.approvedBy, cursor)).map((row) =>
      card("approved", row),
    ),
  former: async (db, cursor) => {
    const [revoked, gone] = await Promise.all([
      inStatus(db, "revoked", user.revokedAt, user.revokedBy, cursor),
      denied(db, cursor),
    ]);
    const cards = [
      ...revoked.map((row) => card("revoked", row)),
      ...gone.map((row) => card("denied", { ...row, name: "", agency: "" })),
    ];
    return cards.toSorted((a, b) => b.date.getTime() - a.date.getTime() || (a.id < b.id ? 1 : -1));
  },
};

type Row = { id: string; name: string; email: string; agency: string; date: Date; by: string | null };
const card = (kind: AgentCard["kind"], { id, name, email, agency, date, by }: Row): Dated => ({
  id,
  kind,
  name,
  email,
  agency,
  date,
  by,
});

/** A page of a tab of the admin dashboard, newest first; `next` is null on the last one. */
export async function listAgents(db: Reader, tab: AgentTab, cursor: Cursor | null) {
  const found = await pages[tab](db, cursor);
  const agents = found.slice(0, agentsPerPage);
  const last = agents.at(-1);
  const next = found.length > agentsPerPage && last ? { date: last.date, id: last.id } : null;
  return { agents, next };
}

/** The numbers on the tabs. */
export async function countAgents(db: Reader): Promise<Record<AgentTab, number>> {
  const [byStatus, [gone]] = await Promise.all([
    db
      .select({ status: user.status, number: count() })
      .from(user)
      .where(eq(user.role, "agent"))
      .groupBy(user.status),
    db.select({ number: count() }).from(deniedAgent),
  ]);
  const of = (status: Status) => byStatus.find((row) => row.status === status)?.number ?? 0;
  return { pending: of("pending"), approved: of("approved"), former: of("revoked") + (gone?.number ?? 0) };
}
