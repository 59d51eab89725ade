import { and, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { AgentCard } from "#contract/agents.ts";
import type { Status } from "#domain/account.ts";
import type { AgentTab } from "#domain/agent-approval.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { type Cursor, paginate, writeCursor } from "#server/platform/cursor.ts";
import type { Reader } from "#server/platform/database.ts";

/** A card with the moment it is listed at, even where the date to show is unknown. */
type Listed = { listedAt: Date; card: AgentCard };

const agentsPerPage = 50;
const admin = alias(user, "admin");
const student = alias(user, "student");

const below = (when: SQL<Date>, id: PgColumn, cursor: Cursor | null) =>
  cursor ? sql`(${when}, ${id}) < (${cursor.key}::timestamptz, ${cursor.id})` : undefined;

type DecidedStatus = Exclude<Status, "active">;
const decided: Record<DecidedStatus, { at: PgColumn; by: PgColumn | null }> = {
  pending: { at: user.createdAt, by: null },
  approved: { at: user.approvedAt, by: user.approvedBy },
  revoked: { at: user.revokedAt, by: user.revokedBy },
  disabled: { at: user.disabledAt, by: user.disabledBy },
};

/** One page of the agents in one status. One whose date nobody knows is listed at their sign-up. */
async function inStatus(db: Reader, status: DecidedStatus, cursor: Cursor | null): Promise<Listed[]> {
  const { at, by } = decided[status];
  const listedAt = sql<Date>`coalesce(${at}, ${user.createdAt})`.mapWith(user.createdAt);
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
      },
    })
    .from(user)
    .leftJoin(admin, by ? eq(admin.id, by) : sql`false`)
    .where(and(eq(user.role, "agent"), eq(user.status, status), below(listedAt, user.id, cursor)))
    .orderBy(desc(listedAt), desc(user.id))
    .limit(agentsPerPage + 1);
  return rows.map((row) => ({ listedAt: row.listedAt, card: { kind: status, ...row.card } }));
}

/** Of a denied application only the address is left. */
const nothingElse = { name: "", emailVerified: false, phone: "", agency: "", country: "", students: 0 };

async function denied(db: Reader, cursor: Cursor | null): Promise<Listed[]> {
  const date = sql<Date>`${deniedAgent.deniedAt}`.mapWith(deniedAgent.deniedAt);
  const rows = await db
    .select({ id: deniedAgent.id, email: deniedAgent.email, date, by: admin.email })
    .from(deniedAgent)
    .leftJoin(admin, eq(admin.id, deniedAgent.deniedBy))
    .where(below(date, deniedAgent.id, cursor))
    .orderBy(desc(date), desc(deniedAgent.id))
    .limit(agentsPerPage + 1);
  return rows.map((row) => ({ listedAt: row.date, card: { kind: "denied", ...nothingElse, ...row } }));
}

const pages: Record<AgentTab, (db: Reader, cursor: Cursor | null) => Promise<Listed[]>> = {
  pending: (db, cursor) => inStatus(db, "pending", cursor),
  approved: (db, cursor) => inStatus(db, "approved", cursor),
  former: async (db, cursor) => {
    const found = await Promise.all([
      inStatus(db, "revoked", cursor),
      denied(db, cursor),
      inStatus(db, "disabled", cursor),
    ]);
    return found.flat().toSorted(newestFirst);
  },
};

const newestFirst = (a: Listed, b: Listed): number =>
  b.listedAt.getTime() - a.listedAt.getTime() || (a.card.id < b.card.id ? 1 : -1);

/** A page of a tab of the admin dashboard, newest first; `next` is null on the last one. */
export async function listAgents(db: Reader, tab: AgentTab, cursor: Cursor | null) {
  const found = await pages[tab](db, cursor);
  const { rows, next } = paginate(found, agentsPerPage, ({ listedAt, card }) =>
    writeCursor(listedAt.toISOString(), card.id),
  );
  return { agents: rows.map(({ card }) => card), next };
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
