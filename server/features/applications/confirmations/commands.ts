import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { ApplicationState } from "#domain/application.ts";
import { applicationName } from "#domain/application-news.ts";
import { nextSteps, sendsApplication } from "#domain/application-step.ts";
import type { FrozenList } from "#domain/confirmation.ts";
import { isStudent } from "#domain/permission.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { applicationTopic } from "#protocol/live-topic.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { lockForResponsible, lockStudent } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { studentOf } from "../queries.ts";
import { application, confirmation } from "../tables.ts";
import { currentList, latestConfirmation } from "./queries.ts";

type Asked = { id: string; applicationId: string; list: FrozenList };

/** Asks the student to confirm a list. */
export const newsOfRequest = (studentId: string, { id, applicationId, list }: Asked): News => ({
  userId: studentId,
  kind: "confirmationAsked",
  eventKey: `confirmation-asked:${id}`,
  topic: `application:${applicationId}`,
  about: { application: applicationName(list) },
  ids: { studentId, applicationId },
  path: applicationPath(applicationId),
});

/** Tells whoever asked for it that the student has confirmed the list. */
export const newsOfConfirmed = (
  askedBy: string,
  student: { id: string; name: string },
  { id, applicationId, list }: Asked,
): News => ({
  userId: askedBy,
  kind: "listConfirmed",
  eventKey: `list-confirmed:${id}`,
  topic: `application:${applicationId}`,
  about: { student: student.name, application: applicationName(list) },
  ids: { studentId: student.id, applicationId },
  path: applicationPath(applicationId),
});

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
    if (!isSendable(state)) throw Refusal.conflict();
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
    await notify(services, tx, newsOfRequest(student.id, { id, applicationId, list }));
    await broadcast(services, tx, applicationId, [student.id, student.assignedAgentId, actor.userId]);
  });
}

const isSendable = (state: ApplicationState): boolean => nextSteps("agent", state).some(sendsApplication);

/**
 * Confirms the list that the student saw, by its hash. Refused as a conflict if the list has changed, if nobody asked for
 * it, or if it can't be sent any more. The caller has demanded a recent login.
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
    const { state, current } = await lockList(tx, applicationId);
    // An admin may have sent it without a confirmation, which can't be given afterwards.
    if (!isSendable(state)) throw Refusal.conflict();
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
      await notify(
        services,
        tx,
        newsOfConfirmed(latest.askedBy, student, { id: latest.id, applicationId, list: current.list }),
      );
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
