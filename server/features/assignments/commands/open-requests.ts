import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { dateFormats } from "#domain/date-format.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import type { StudentRecord } from "../queries.ts";
import { changeRequest } from "../tables.ts";

const { formatDate } = dateFormats("UTC");

/**
 * Closes the open requests of students whose agent changes in another way, at the time of the transaction. Resolves to
 * how many there were.
 */
export async function closeRequests(
  tx: Transaction,
  studentIds: readonly string[],
  closedBy: string | null,
): Promise<number> {
  const closed = await tx
    .update(changeRequest)
    .set({ closedAt: sql`now()`, closedBy })
    .where(and(inArray(changeRequest.studentId, [...studentIds]), isNull(changeRequest.closedAt)))
    .returning({ id: changeRequest.id });
  return closed.length;
}

/**
 * Reopens the request that the transaction at `closedAt` closed by assigning the student, and notifies admins again.
 */
export async function reopenRequest(
  services: Services,
  tx: Transaction,
  student: StudentRecord,
  closedAt: Date,
): Promise<void> {
  const isClosedThen = and(
    eq(changeRequest.studentId, student.id),
    eq(changeRequest.closedAt, closedAt),
    isNull(changeRequest.outcome),
  );
  const [request] = await tx
    .update(changeRequest)
    .set({ closedAt: null, closedBy: null })
    .where(isClosedThen)
    .returning();
  if (!request) return;
  const eventKey = `agent-change-reopened:${request.id}:${closedAt.getTime()}`;
  await notifyAdmins(services, tx, student, request, eventKey);
  await services.live.publish("agents", "{}", tx);
}

export async function notifyAdmins(
  services: Services,
  tx: Transaction,
  student: Pick<StudentRecord, "id" | "name">,
  { agentId, dueAt }: Pick<typeof changeRequest.$inferSelect, "agentId" | "dueAt">,
  eventKey: string,
): Promise<void> {
  const [agent] = await tx
    .select({ name: user.name })
    .from(user)
    .where(eq(user.id, agentId ?? ""));
  const notifications = (await activeAdmins(tx)).map(
    (userId): NewNotification => ({
      userId,
      kind: "agentChangeAsked",
      eventKey,
      topic: `agent-change:${student.id}`,
      about: { student: student.name, agent: agent?.name ?? "", day: formatDate(dueAt) },
      ids: { studentId: student.id },
      ...(agentId !== null && { agentId }),
      path: "/admin-dashboard",
    }),
  );
  await notify(services, tx, ...notifications);
}
