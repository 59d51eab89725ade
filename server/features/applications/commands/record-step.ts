import { type ApplicationState, stateNews } from "#domain/application.ts";
import { studentPath } from "#protocol/addresses.ts";
import { type Actor, type AuditAction, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
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
  { application, from, to, note }: TakenStep,
): Promise<void> {
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
  const byStudent = actor.userId === student.id;
  const notified = byStudent ? student.assignedAgentId : student.id;
  const news = {
    kind: "applicationMoved" as const,
    eventKey: `application-moved:${application.id}:${application.version}`,
    topic: `application:${application.id}`,
    about: {
      program: application.program,
      state: stateNews[to],
      ...(byStudent && { student: student.name }),
      ...(note && { note }),
    },
    path: byStudent ? studentPath(student, "applications") : "/application",
  };
  if (notified !== null) await notify(services, tx, { ...news, userId: notified });
  await broadcastDashboards(services, tx, student.id, student.assignedAgentId, actor.userId);
}
