import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { ApplicationState } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import { nextSteps, sendsApplication } from "#domain/application-step.ts";
import { confirmationState, type FrozenList } from "#domain/confirmation.ts";
import { isStudent } from "#domain/permission.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { applicationTopic } from "#protocol/live-topic.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { lockForResponsible, lockStudent } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { requireMailboxProof } from "#server/features/second-factor/mailbox-proof.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { studentOf } from "../queries.ts";
import { application, confirmation } from "../tables.ts";
import { currentList, latestConfirmation } from "./queries.ts";

type ConfirmationRequest = { id: string; applicationId: string; list: FrozenList };

/** Returns the notification that asks the student to confirm a list. */
export const notificationOfRequest = (
  studentId: string,
  { id, applicationId, list }: ConfirmationRequest,
): NewNotification => ({
  userId: studentId,
  kind: "confirmationAsked",
  eventKey: `confirmation-asked:${id}`,
  topic: `application:${applicationId}`,
  about: { application: applicationName(list) },
  ids: { studentId, applicationId },
  path: applicationPath(applicationId),
});

/** Returns the notification that the student has confirmed the list, for the user who asked for it. */
export const notificationOfConfirmed = (
  askedBy: string,
  student: { id: string; name: string },
  { id, applicationId, list }: ConfirmationRequest,
): NewNotification => ({
  userId: askedBy,
  kind: "listConfirmed",
  eventKey: `list-confirmed:${id}`,
  topic: `application:${applicationId}`,
  about: { student: student.name, application: applicationName(list) },
  ids: { studentId: student.id, applicationId },
  path: applicationPath(applicationId),
});

/**
 * Freezes what would be sent for an application and asks its student to confirm it. Does nothing if the student was
 * asked about exactly this list already.
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
    const auditEntry = {
      ...actedBy(actor),
      subjectId: student.id,
      detail: { application: applicationId, hash },
    };
    await recordAudit(tx, { action: "confirmation-asked", ...auditEntry });
    await notify(services, tx, notificationOfRequest(student.id, { id, applicationId, list }));
    await broadcast(services, tx, applicationId, [student.id, student.assignedAgentId, actor.userId]);
  });
}

const isSendable = (state: ApplicationState): boolean => nextSteps("agent", state).some(sendsApplication);

/**
 * Confirms the current list, identified by the hash that the student saw; it may have changed since they were asked.
 * Refuses with a conflict if the hash is outdated, if nobody has asked for this application, or if it can't be sent any
 * more; with `account/mailbox-code` if the session may belong to someone who only knows the password. The caller has
 * required a recent login.
 */
export async function confirmList(
  services: Services,
  { session, ...actor }: Actor & { session: Session },
  { applicationId, hash }: { applicationId: string; hash: string },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const studentId = await studentOf(tx, applicationId);
    const student = await lockStudent(tx, actor.userId);
    await lockActor(tx, actor, isStudent);
    if (!student || studentId !== student.id) throw new Refusal("not-found");
    const { state: applicationState, current } = await lockList(tx, applicationId);
    // An admin may have sent it without a confirmation, which can't be given afterwards.
    if (!isSendable(applicationState)) throw Refusal.conflict();
    const latest = await latestConfirmation(tx, applicationId);
    if (!latest || current.hash !== hash) throw Refusal.conflict();
    const state = confirmationState(latest, hash);
    if (state === "confirmed") return;
    await requireMailboxProof(tx, session);
    const confirmedAt = new Date();
    const { askedBy } = latest;
    const isAsked = state === "asked";
    const id = isAsked ? latest.id : randomUUID();
    if (isAsked) await tx.update(confirmation).set({ confirmedAt }).where(eq(confirmation.id, id));
    else
      await tx
        .insert(confirmation)
        .values({ id, applicationId, list: current.list, hash, askedBy, askedAt: confirmedAt, confirmedAt });
    const auditEntry = {
      ...actedBy(actor),
      subjectId: student.id,
      detail: { application: applicationId, hash },
    };
    await recordAudit(tx, { action: "list-confirmed", ...auditEntry });
    if (askedBy !== null)
      await notify(
        services,
        tx,
        notificationOfConfirmed(askedBy, student, { id, applicationId, list: current.list }),
      );
    await broadcast(services, tx, applicationId, [student.id, student.assignedAgentId, askedBy]);
  });
}

/**
 * Locks an application and returns its list. The caller has locked the student: a change of documents takes that
 * student's exclusive lock, so the list can't change until the transaction ends.
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
