import { and, count, desc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { AgentCard } from "#contract/agents.ts";
import type { Status } from "#domain/account.ts";
import type { AgentTab } from "#domain/agent-approval.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import type { Database } from "#server/platform/database.ts";

type Reader = Database["db"];
/** Where a page goes on: below this moment, or at it with a smaller id. */
export type Cursor = { date: Date; id: string };
/** A card with the moment it is listed at, even where the date to show is unknown. */
type Listed = { listedAt: Date; card: AgentCard };

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

/**
 * Disabled agents, by their last `account-disabled` in the audit log. One who has none there was disabled nobody
 * knows when: listed at their sign-up, without a date.
 */
async function disabled(db: Reader, cursor: Cursor | null) {
  const last = db
    .select({
      at: sql`date_trunc('milliseconds', ${audit.at})`.mapWith(audit.at).as("at"),
      by: audit.actorId,
    })
    .from(audit)
    .where(and(eq(audit.subjectId, user.id), eq(audit.action, "account-disabled")))
    .orderBy(desc(audit.at))
    .limit(1)
    .as("last");
  const listedAt = sql<Date>`coalesce(${last.at}, ${user.createdAt})`.mapWith(user.createdAt);
  return await db
    .select({
      id: user.id,
      name: user.name,
      email: user.email,
      agency: user.agency,
      date: last.at,
      listedAt,
      by: admin.email,
    })
    .from(user)
    .leftJoinLateral(last, sql`true`)
    .leftJoin(admin, eq(admin.id, last.by))
    .where(and(eq(user.role, "agent"), eq(user.status, "disabled"), below(listedAt, user.id, cursor)))
    .orderBy(desc(listedAt), desc(user.id))
    .limit(agentsPerPage + 1);
}

const pages: Record<AgentTab, (db: Reader, cursor: Cursor | null) => Promise<Listed[]>> = {
  pending: async (db, cursor) =>
    (await inStatus(db, "pending", user.createdAt, null, cursor)).map((row) => dated("pending", row)),
  approved: async (db, cursor) =>
    (await inStatus(db, "approved", user.approvedAt, user.approvedBy, cursor)).map((row) =>
      dated("approved", row),
    ),
  former: async (db, cursor) => {
    const [revoked, gone, out] = await Promise.all([
      inStatus(db, "revoked", user.revokedAt, user.revokedBy, cursor),
      denied(db, cursor),
      disabled(db, cursor),
    ]);
    const all = [
      ...revoked.map((row) => dated("revoked", row)),
      ...gone.map((row) => dated("denied", { ...row, name: "", agency: "" })),
      ...out.map(({ listedAt, ...row }) => ({ listedAt, card: card("disabled", row) })),
    ];
    return all.toSorted(newestFirst);
  },
};

const newestFirst = (a: Listed, b: Listed): number =>
  b.listedAt.getTime() - a.listedAt.getTime() || (a.card.id < b.card.id ? 1 : -1);

type Row = Omit<AgentCard, "kind">;
const card = (kind: AgentCard["kind"], { id, name, email, agency, date, by }: Row): AgentCard => ({
  id,
  kind,
  name,
  email,
  agency,
  date,
  by,
});

const dated = (kind: AgentCard["kind"], row: Row & { date: Date }): Listed => ({
  listedAt: row.date,
  card: card(kind, row),
});

/** A page of a tab of the admin dashboard, newest first; `next` is null on the last one. */
export async function listAgents(db: Reader, tab: AgentTab, cursor: Cursor | null) {
  const found = await pages[tab](db, cursor);
  const listed = found.slice(0, agentsPerPage);
  const last = listed.at(-1);
  const next = found.length > agentsPerPage && last ? { date: last.listedAt, id: last.card.id } : null;
  return { agents: listed.map((each) => each.card), next };
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
  const former = of("revoked") + of("disabled") + (gone?.number ?? 0);
  return { pending: of("pending"), approved: of("approved"), former };
}
