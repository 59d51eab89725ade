import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { applicationName } from "#domain/application-news.ts";
import { nextSteps, sendsApplication } from "#domain/application-step.ts";
import { isStudent } from "#domain/permission.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { applicationTopic } from "#protocol/live-topic.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { lockForResponsible, lockStudent } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { studentOf } from "../queries.ts";
import { application, confirmation } from "../tables.ts";
import { currentList, latestConfirmation } from "./queries.ts";

/**
 * Freezes what would be sent for an application and asks its student to confirm it. Does nothing if the student was asked
 * about exactly this list already.
 */
export async function askConfirmation(
  services: Services,
  actor: Actor,
  applicationId: string,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockForResponsible(tx, actor, await studentOf(tx, applicationId));
    const { state, current } = await lockList(tx, applicationId);
    if (!nextSteps("agent", state).some(sendsApplication)) throw Refusal.conflict();
    const latest = await latestConfirmation(tx, applicationId);
    if (latest?.hash === current.hash) return;
    const [id, { list, hash }] = [randomUUID(), current];
    await tx
      .insert(confirmation)
      .values({ id, applicationId, list, hash, askedBy: actor.userId, askedAt: new Date() });
    const audited = {
      ...actedBy(actor),
      subjectId: student.id,
      detail: { application: applicationId, hash },
    };
    await recordAudit(tx, { action: "confirmation-asked", ...audited });
    await notify(services, tx, {
      userId: student.id,
      kind: "confirmationAsked",
      eventKey: `confirmation-asked:${id}`,
      topic: `application:${applicationId}`,
      about: { application: applicationName(list) },
      ids: { studentId: student.id, applicationId },
      path: applicationPath(applicationId),
    });
    await broadcast(services, tx, applicationId, [student.id, student.assignedAgentId, actor.userId]);
  });
}

/**
 * Confirms the list that the student saw, by its hash. Refused as a conflict if the list has changed, or if nobody asked
 * for it. The caller has demanded a recent login.
 */
export async function confirmList(
  services: Services,
  actor: Actor,
  { applicationId, hash }: { applicationId: string; hash: string },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const studentId = await studentOf(tx, applicationId);
    const student = await lockStudent(tx, actor.userId);
    await lockActor(tx, actor, isStudent);
    if (!student || studentId !== student.id) throw new Refusal("not-found");
    const { current } = await lockList(tx, applicationId);
    const latest = await latestConfirmation(tx, applicationId);
    if (!latest || latest.hash !== hash || current.hash !== hash) throw Refusal.conflict();
    const confirmed = await tx
      .update(confirmation)
      .set({ confirmedAt: new Date() })
      .where(and(eq(confirmation.id, latest.id), isNull(confirmation.confirmedAt)))
      .returning({ id: confirmation.id });
    if (confirmed.length === 0) return;
    const audited = {
      ...actedBy(actor),
      subjectId: student.id,
      detail: { application: applicationId, hash },
    };
    await recordAudit(tx, { action: "list-confirmed", ...audited });
    if (latest.askedBy !== null)
      await notify(services, tx, {
        userId: latest.askedBy,
        kind: "listConfirmed",
        eventKey: `list-confirmed:${latest.id}`,
        topic: `application:${applicationId}`,
        about: { student: student.name, application: applicationName(current.list) },
        ids: { studentId: student.id, applicationId },
        path: applicationPath(applicationId),
      });
    await broadcast(services, tx, applicationId, [student.id, student.assignedAgentId, latest.askedBy]);
  });
}

/**
 * Locks an application, whose student is locked already: a change of documents takes that student's exclusive lock, so
 * the list stays as it is until the transaction ends.
 */
async function lockList(tx: Transaction, applicationId: string) {
  const [row] = await tx
    .select({ state: application.state })
    .from(application)
    .where(eq(application.id, applicationId))
    .for("update");
  const current = await currentList(tx, applicationId);
  if (!row || current === null) throw new Refusal("not-found");
  return { state: row.state, current };
}

async function broadcast(
  services: Services,
  tx: Transaction,
  applicationId: string,
  people: readonly (string | null)[],
): Promise<void> {
  await services.live.publish(applicationTopic(applicationId), "{}", tx);
  await broadcastDashboards(services, tx, "applications", ...people);
}
