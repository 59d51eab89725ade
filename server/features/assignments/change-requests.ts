import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { isOverdue } from "#domain/agent-change.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Reader } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { changeRequest } from "./tables.ts";

const agent = alias(user, "agent");
const isOpen = isNull(changeRequest.closedAt);
const order = ascending(changeRequest.dueAt, changeRequest.id);
export const changeRequestCursor = cursorForm("time", "text");

/** Lists a page of the open requests for another agent, those due first at the beginning, and counts all of them. */
export async function openChangeRequests(
  db: Reader,
  { cursor, limit = adminRowsPerPage }: { cursor: Cursor | null; limit?: number | undefined },
) {
  const candidates = await db
    .select({
      id: changeRequest.id,
      student: { id: user.id, name: user.name },
      agentId: agent.id,
      agentName: agent.name,
      reason: changeRequest.reason,
      askedAt: changeRequest.askedAt,
      dueAt: changeRequest.dueAt,
    })
    .from(changeRequest)
    .innerJoin(user, eq(user.id, changeRequest.studentId))
    .leftJoin(agent, eq(agent.id, changeRequest.agentId))
    .where(and(isOpen, order.after(cursor)))
    .orderBy(...order.by)
    .limit(adminRowsPerPage + 1);
  const { rows, next } = paginate(candidates, limit, ({ dueAt, id }) => writeCursor([dueAt, id]));
  const now = new Date();
  const requests = rows.map(({ agentId, agentName, ...row }) => ({
    ...row,
    overdue: isOverdue(row.dueAt, now),
    agent: agentId === null ? null : { id: agentId, name: agentName ?? "" },
  }));
  return { requests, total: await db.$count(changeRequest, isOpen), next };
}

/** Returns a student's own open request; null when there is none. Only admins see its reason. */
export async function ownChangeRequest(db: Reader, studentId: string) {
  const [row] = await db
    .select({ askedAt: changeRequest.askedAt, dueAt: changeRequest.dueAt })
    .from(changeRequest)
    .where(and(eq(changeRequest.studentId, studentId), isOpen))
    .orderBy(asc(changeRequest.askedAt));
  return row ?? null;
}

/** Keeps the notifications of students who ask for another agent while the request is open. */
export const unansweredRequests: NotificationCheck<"agentChangeAsked"> = async (db, notifications) => {
  const studentIds = notifications.flatMap(({ ids }) => ids?.studentId ?? []);
  const open = await db
    .select({ studentId: changeRequest.studentId })
    .from(changeRequest)
    .where(and(inArray(changeRequest.studentId, studentIds), isOpen));
  return notifications.filter(({ ids }) => open.some(({ studentId }) => studentId === ids?.studentId));
};
