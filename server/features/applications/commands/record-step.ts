import { type ApplicationState, stateNews } from "#domain/application.ts";
import type { AuditAction } from "#domain/audit.ts";
import { studentPath } from "#protocol/addresses.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import type { StudentRecord } from "#server/features/students/queries.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { applicationStep } from "../tables.ts";

/** A step that was just taken. `version` is the application's after it; `from` is null for the submission. */
export type TakenStep = {
  application: { id: string; program: string; version: number };
  from: ApplicationState | null;
  to: ApplicationState;
  note: string;
};

const audited = (from: ApplicationState | null): AuditAction =>
  from === null ? "application-submitted" : "application-moved";

/** Puts a step on the timeline and notifies the student, or of a student's own step their agent. */
export async function recordStep(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: StudentRecord,
  step: TakenStep,
): Promise<void> {
  const { application, from, to, note } = step;
  await tx
    .insert(applicationStep)
    .values({ applicationId: application.id, actorId: actor.userId, from, to, note });
  await recordAudit(tx, {
    action: audited(from),
    actorId: actor.userId,
    subjectId: student.id,
    address: actor.address,
    detail: { application: application.id, to, ...(from && { from }) },
  });
  await notify(services, tx, ...newsOfStep(actor, student, step));
  await broadcastDashboards(services, tx, student.id, student.assignedAgentId, actor.userId);
}

/** The student is notified of everyone else's step, the agent of the student's own. */
export function newsOfStep(
  { userId: actorId }: Pick<Actor, "userId">,
  student: Pick<StudentRecord, "id" | "name" | "assignedAgentId">,
  { application, to, note }: TakenStep,
): News[] {
  const byStudent = actorId === student.id;
  const userId = byStudent ? student.assignedAgentId : student.id;
  if (userId === null) return [];
  return [
    {
      userId,
      kind: "applicationMoved",
      eventKey: `application-moved:${application.id}:${application.version}`,
      topic: `application:${application.id}`,
      about: {
        program: application.program,
        state: stateNews[to],
        ...(byStudent && { student: student.name }),
        ...(note && { note }),
      },
      ids: { studentId: student.id, applicationId: application.id },
      path: byStudent ? studentPath(student, "applications") : "/application",
    },
  ];
}
