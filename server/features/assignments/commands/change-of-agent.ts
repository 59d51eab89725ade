import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import {
  answerDueAt,
  type ChangeDecision,
  changeDecisionProblem,
  changeReasonProblem,
} from "#domain/agent-change.ts";
import { isAdmin, isStudent } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockStudent, type StudentRecord } from "../queries.ts";
import { changeRequest } from "../tables.ts";
import { lockAgent, replaceAgent } from "./assign-agent.ts";
import { closeRequests, notifyAdmins } from "./open-requests.ts";

const isOpen = isNull(changeRequest.closedAt);

/** Requests another agent; a student can only have one open request. Notifies admins, but not the agent. */
export async function askForChange(services: Services, actor: Actor, reason: string): Promise<void> {
  const problem = changeReasonProblem(reason);
  if (problem) throw Refusal.of(problem);
  await services.database.transaction(async (tx) => {
    const student = await lockStudent(tx, actor.userId, "update");
    await lockActor(tx, actor, isStudent);
    if (!student || student.assignedAgentId === null) throw Refusal.conflict();
    const askedAt = new Date();
    const dueAt = answerDueAt(askedAt);
    const values = { id: randomUUID(), studentId: student.id, agentId: student.assignedAgentId };
    const rows = await tx
      .insert(changeRequest)
      .values({ ...values, reason: reason.trim(), askedAt, dueAt })
      .onConflictDoNothing()
      .returning({ id: changeRequest.id });
    if (rows.length === 0) throw new Refusal("already-exists", { message: "You've already asked." });
    await recordOwn(tx, "agent-change-asked", actor, { agent: student.assignedAgentId });
    const request = { agentId: values.agentId, dueAt };
    await notifyAdmins(services, tx, student, request, `agent-change-asked:${values.id}`);
    await broadcast(services, tx, student);
  });
}

/** Withdraws the student's own request; does nothing if none is open. */
export async function withdrawChange(services: Services, actor: Actor): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockStudent(tx, actor.userId, "update");
    await lockActor(tx, actor, isStudent);
    if (!student) throw Refusal.conflict();
    const closed = await closeRequests(tx, [student.id], actor.userId);
    if (closed === 0) return;
    await recordOwn(tx, "agent-change-withdrawn", actor);
    await broadcast(services, tx, student);
  });
}

type Decision = ChangeDecision & { requestId: string };

/** Decides a request. The second of two concurrent decisions is refused as a conflict. */
export async function decideChange(services: Services, actor: Actor, decision: Decision): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const { outcome, requestId } = decision;
    const problem = changeDecisionProblem(decision);
    const [about] = await tx
      .select({ studentId: changeRequest.studentId })
      .from(changeRequest)
      .where(eq(changeRequest.id, requestId));
    if (!about) throw new Refusal("not-found");
    if (problem) throw Refusal.of(problem);
    // Agents are always locked before students.
    const agent =
      outcome === "another" && decision.agentId !== null ? await lockAgent(tx, decision.agentId) : null;
    const student = await lockStudent(tx, about.studentId, "update");
    const [request] = await tx
      .update(changeRequest)
      .set({
        outcome,
        answer: outcome === "stays" ? decision.reason.trim() : "",
        closedAt: new Date(),
        closedBy: actor.userId,
      })
      .where(and(eq(changeRequest.id, requestId), isOpen))
      .returning({ agentId: changeRequest.agentId });
    if (!student || !request || request.agentId !== student.assignedAgentId) throw Refusal.conflict();
    const former = student.assignedAgentId;
    if (outcome === "another" && (agent?.status !== "approved" || agent.id === former))
      throw Refusal.conflict();
    await recordAudit(tx, {
      action: "agent-change-decided",
      ...actedBy(actor),
      subjectId: student.id,
      detail: { outcome, ...(agent && { agent: agent.id }), ...(former && { former }) },
    });
    const formerName = former === null ? "Your agent" : await nameOf(tx, former);
    if (outcome !== "stays")
      await replaceAgent(services, tx, actor, student, agent, agent === null ? "agents" : "everyone");
    if (agent === null)
      await notify(services, tx, {
        userId: student.id,
        kind: "agentChangeDecided",
        eventKey: `agent-change-decided:${requestId}`,
        topic: "own-agent",
        about: { outcome, agent: formerName, ...(outcome === "stays" && { reason: decision.reason.trim() }) },
        ids: former === null ? {} : { agentId: former },
        ...(former !== null && { agentId: former }),
        path: "/student-dashboard",
      });
    await broadcast(services, tx, student);
  });
}

async function nameOf(tx: Transaction, id: string): Promise<string> {
  const [row] = await tx.select({ name: user.name }).from(user).where(eq(user.id, id));
  return row?.name ?? "";
}

/** Broadcasts to the student's pages and all admins' lists, but to nothing that an agent watches. */
async function broadcast(services: Services, tx: Transaction, { id }: StudentRecord): Promise<void> {
  await broadcastDashboards(services, tx, "students", id);
  await services.live.publish("agents", "{}", tx);
}
