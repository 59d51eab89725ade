import { eq } from "drizzle-orm";
import type { Mover } from "#domain/application-step.ts";
import {
  areAllSettled,
  type ConditionMark,
  type ConditionState,
  decideClaim,
  decideMark,
} from "#domain/offer.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { staffOf } from "#server/features/assignments/staff.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { applicationOfCondition, conditionsOf } from "../queries.ts";
import { offerCondition } from "../tables.ts";
import { applicationNameFields, lockOpenOffer, type OpenOffer, recordChange } from "./open-offer.ts";

/** Locks a condition and its application, so that the second of two concurrent changes sees the result of the first. */
async function lockCondition(tx: Transaction, actor: Actor, conditionId: string, parts: readonly Mover[]) {
  // The empty id matches no application, so a missing condition takes as long as a forbidden one.
  const applicationId = (await applicationOfCondition(tx, conditionId)) ?? "";
  const open = await lockOpenOffer(tx, actor, applicationId, parts);
  const [condition] = await tx
    .select()
    .from(offerCondition)
    .where(eq(offerCondition.id, conditionId))
    .for("update");
  if (!condition) throw new Refusal("not-found");
  return { open, condition };
}

/** Records the student's claim that a condition is met, and notifies the staff who check it. */
export async function claimCondition(
  services: Services,
  actor: Actor,
  { conditionId, text }: { conditionId: string; text: string },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { open, condition } = await lockCondition(tx, actor, conditionId, ["student"]);
    const outcome = decideClaim(condition.state, text);
    if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    const { claim } = outcome;
    const updatedAt = new Date();
    await tx
      .update(offerCondition)
      .set({ state: "claimed", claim, reason: "", markedBy: null, updatedAt })
      .where(eq(offerCondition.id, condition.id));
    await notify(services, tx, ...(await notificationsOfClaim(tx, open, { ...condition, claim, updatedAt })));
    await recordChange(services, tx, actor, open, {
      action: "condition-claimed",
      detail: { condition: condition.id },
    });
  });
}

type ClaimedCondition = { id: string; text: string; claim: string; updatedAt: Date };

async function notificationsOfClaim(
  tx: Transaction,
  { student, application }: OpenOffer,
  condition: ClaimedCondition,
): Promise<NewNotification[]> {
  const { claim } = condition;
  return (await staffOf(tx, student.id, "guidance")).map((userId) => ({
    userId,
    kind: "conditionClaimed",
    eventKey: `condition-claimed:${condition.id}:${condition.updatedAt.getTime()}`,
    topic: `condition:${condition.id}`,
    about: {
      student: student.name,
      ...applicationNameFields(application),
      condition: condition.text,
      ...(claim && { claim }),
    },
    ids: { studentId: student.id, applicationId: application.id, conditionId: condition.id },
    path: applicationPath(application.id),
  }));
}

/** `seen` is the condition's state when the user decided. */
export type MarkedCondition = {
  conditionId: string;
  seen: ConditionState;
  mark: ConditionMark;
  reason: string;
};

/** Marks a condition as met or waived, or reopens it. Notifies the student, and the agent once all are settled. */
export async function markCondition(
  services: Services,
  actor: Actor,
  { conditionId, seen, mark, reason }: MarkedCondition,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { open, condition } = await lockCondition(tx, actor, conditionId, ["agent", "admin"]);
    const outcome = decideMark({ state: condition.state, seen }, mark, reason);
    if (outcome.kind === "problem") throw Refusal.of(outcome.problem);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    const { state } = outcome;
    const updatedAt = new Date();
    await tx
      .update(offerCondition)
      .set({ state, reason: outcome.reason, markedBy: actor.userId, updatedAt })
      .where(eq(offerCondition.id, condition.id));
    const { student, application } = open;
    await notify(
      services,
      tx,
      {
        userId: student.id,
        kind: "conditionMarked",
        eventKey: `condition-marked:${condition.id}:${updatedAt.getTime()}`,
        topic: `condition:${condition.id}`,
        about: {
          ...applicationNameFields(application),
          condition: condition.text,
          state,
          ...(outcome.reason && { reason: outcome.reason }),
        },
        ids: { studentId: student.id, applicationId: application.id, conditionId: condition.id },
        path: applicationPath(application.id),
      },
      ...(await notificationsOfReady(tx, actor, open, condition.offerId)),
    );
    await recordChange(services, tx, actor, open, {
      action: "condition-marked",
      detail: { condition: condition.id, outcome: state },
    });
  });
}

/** Returns the notification for the agent that the next step is possible, unless the agent made the last mark. */
async function notificationsOfReady(
  tx: Transaction,
  actor: Actor,
  { student, application }: OpenOffer,
  offerId: string,
): Promise<NewNotification[]> {
  const agentId = student.assignedAgentId;
  const isConditional = application.state === "conditionalOffer";
  if (agentId === null || agentId === actor.userId || !isConditional) return [];
  const states = (await conditionsOf(tx, offerId)).map(({ state }) => state);
  if (!areAllSettled(states)) return [];
  return [
    {
      userId: agentId,
      kind: "offerReady",
      eventKey: `offer-ready:${offerId}:${Date.now()}`,
      topic: `offer-ready:${offerId}`,
      about: { student: student.name, ...applicationNameFields(application) },
      ids: { studentId: student.id, applicationId: application.id },
      path: applicationPath(application.id),
    },
  ];
}
