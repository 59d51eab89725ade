import { and, count, eq, gte, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { numberOfStudents } from "#domain/student-list.ts";
import { user } from "#server/features/account/tables.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { bulkItem, bulkRun } from "./tables.ts";

const [from, to] = [alias(user, "from_agent"), alias(user, "to_agent")];

/**
 * Notifies each agent once of all students that a run has assigned to or taken from them since it was started, or since
 * its failed rows were tried again, except the run's own actor.
 */
export async function notifyAgents(services: Services, tx: Transaction, actor: Actor, runId: string) {
  const [run] = await tx.select({ startedAt: bulkRun.startedAt }).from(bulkRun).where(eq(bulkRun.id, runId));
  if (!run?.startedAt) return;
  const { startedAt } = run;
  const round = `${runId}:${startedAt.getTime()}`;
  const moves = await tx
    .select({ from: { id: from.id }, to: { id: to.id, name: to.name }, students: count() })
    .from(bulkItem)
    .leftJoin(from, eq(from.id, sql`${bulkItem.expected} ->> 'from'`))
    .leftJoin(to, eq(to.id, sql`${bulkItem.expected} ->> 'to'`))
    .where(
      and(
        eq(bulkItem.runId, runId),
        eq(bulkItem.outcome, "done"),
        gte(bulkItem.at, startedAt),
        isNotNull(bulkItem.studentId),
      ),
    )
    .groupBy(from.id, to.id, to.name);
  const shared = { ids: {}, path: "/manage-students?filter=mine" };
  const gained = Map.groupBy(moves, (move) => move.to?.id ?? null);
  const toNew = [...gained].flatMap(([id, own]): NewNotification[] => {
    const students = numberOfStudents(own.reduce((sum, move) => sum + move.students, 0));
    return id === null
      ? []
      : [
          {
            ...shared,
            userId: id,
            kind: "studentAssigned",
            eventKey: `agent-assigned:${round}`,
            about: { students },
          },
        ];
  });
  const toFormer = moves.flatMap((move): NewNotification[] =>
    move.from === null
      ? []
      : [
          {
            ...shared,
            userId: move.from.id,
            kind: "studentReassigned",
            eventKey: `agent-lost:${round}:${move.to?.id ?? ""}`,
            about: { students: numberOfStudents(move.students), ...(move.to && { agent: move.to.name }) },
            ...(move.to && { agentId: move.to.id }),
          },
        ],
  );
  await notify(services, tx, ...[...toNew, ...toFormer].filter(({ userId }) => userId !== actor.userId));
}
