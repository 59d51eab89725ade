import { eq } from "drizzle-orm";
import type { ApplicationState } from "#domain/application.ts";
import type { NamedApplication } from "#domain/application-notification.ts";
import type { Mover } from "#domain/application-step.ts";
import { isOfferState } from "#domain/offer.ts";
import { applicationTopic } from "#protocol/live-topic.ts";
import { lockForMover } from "#server/features/applications/commands.ts";
import { application, applicationStep } from "#server/features/applications/tables.ts";
import type { StudentRecord } from "#server/features/assignments/queries.ts";
import { type Actor, type AuditEntry, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

type OpenApplication = NonNullable<Awaited<ReturnType<typeof lockForMover>>["application"]>;
/** A locked application with an offer, and its student. */
export type OpenOffer = { student: StudentRecord; application: OpenApplication };

/**
 * Locks an application until the transaction ends, so that changes of its offer run one after the other. Throws
 * `not-found` unless the actor has one of these roles, and a conflict unless the offer is open.
 */
export const lockOpenOffer = (
  tx: Transaction,
  actor: Actor,
  applicationId: string,
  parts: readonly Mover[],
): Promise<OpenOffer> => lockOffer(tx, actor, applicationId, { parts, isFit: isOfferState });

/** Locks an application like `lockOpenOffer`, and throws a conflict unless `isFit` accepts its state. */
export async function lockOffer(
  tx: Transaction,
  actor: Actor,
  applicationId: string,
  { parts, isFit }: { parts: readonly Mover[]; isFit: (state: ApplicationState) => boolean },
): Promise<OpenOffer> {
  const { student, mover, application } = await lockForMover(tx, actor, applicationId);
  if (mover === null || !parts.includes(mover) || !application) throw new Refusal("not-found");
  if (!isFit(application.state)) throw Refusal.conflict();
  return { student, application };
}

/** Returns the values that name an application in notifications. */
export const applicationNameFields = ({ program, university, startDate, year }: NamedApplication) => ({
  program,
  intake: startDate,
  ...(university && { university }),
  ...(year !== null && { year: String(year) }),
});

/** Adds a change of the offer to the application's timeline. Raises the version, so that stale steps fail. */
export async function addToTimeline(
  tx: Transaction,
  actor: Actor,
  { id, state, version }: OpenApplication,
  note: string,
): Promise<void> {
  await tx
    .update(application)
    .set({ version: version + 1, updatedAt: new Date() })
    .where(eq(application.id, id));
  await tx
    .insert(applicationStep)
    .values({ applicationId: id, actorId: actor.userId, from: state, to: state, note });
}

/** Writes the audit entry of a change and makes every open page refetch the offer. */
export async function recordChange(
  services: Services,
  tx: Transaction,
  actor: Actor,
  { student, application: { id } }: OpenOffer,
  { action, detail = {} }: Pick<AuditEntry, "action" | "detail">,
): Promise<void> {
  await recordAudit(tx, {
    action,
    ...actedBy(actor),
    subjectId: student.id,
    detail: { application: id, ...detail },
  });
  await services.live.publish(applicationTopic(id), "{}", tx);
  await broadcastDashboards(services, tx, "applications", student.id, student.assignedAgentId, actor.userId);
}
