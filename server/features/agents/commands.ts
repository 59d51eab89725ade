import { and, eq } from "drizzle-orm";
import {
  type AgentAction,
  type AgentOutcome,
  decideAgent,
  decisionReasonProblem,
} from "#domain/agent-approval.ts";
import type { AuditAction } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { isAdmin, isPendingAgent } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { type Account, lockAccount, lockActor } from "#server/features/account/queries.ts";
import { account, deniedAgent, user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { resendVerification } from "#server/features/sign-in/commands/verify-email.ts";
import type { Transaction } from "#server/platform/database.ts";
import { nameToGreet } from "#server/platform/mail.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { withdrawApplicantNotifications } from "./applicants.ts";
import { decisionMail } from "./mails.ts";

const auditActionOf: Record<AgentAction, AuditAction> = {
  approve: "agent-approved",
  deny: "agent-denied",
  revoke: "agent-revoked",
};

/**
 * Approves, denies or revokes an agent. A denied or revoked agent loses access with the commit: on this node
 * immediately, on the others within a second. The reason is mailed to them and stored nowhere else.
 */
export async function decideOnAgent(
  services: Services,
  actor: Actor,
  action: AgentAction,
  agentId: string,
  reason = "",
): Promise<void> {
  const problem = decisionReasonProblem(reason);
  if (problem) throw Refusal.of(problem);
  const { database, sessions, jobs, live } = services;
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const agent = await lockAccount(tx, agentId);
    if (agent?.role !== "agent") throw new Refusal("not-found");
    const outcome = decideAgent(action, agent);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    if (outcome.kind === "unverified") throw new Refusal("agent/unverified");
    if (action !== "approve")
      await services.accountEvents.lost(services, tx, {
        ...agent,
        actor,
        cause: "shutOut",
        keepsStudents: false,
      });
    else if (agent.status === "revoked") await services.accountEvents.regained(services, tx, agentId);
    await save(tx, actor, agent, outcome);
    await withdrawApplicantNotifications(services, tx, agentId);
    await recordAudit(tx, { action: auditActionOf[action], ...actedBy(actor), subjectId: agentId });
    const { email } = agent;
    const firstName = nameToGreet(agent);
    await queueMail(jobs, tx, decisionMail, { decision: action, email, firstName, reason: reason.trim() });
    await live.publish("agents", "{}", tx);
    if (action === "approve") await sessions.changed(tx, agentId);
    else await sessions.endAll(tx, agentId);
  });
}

async function save(
  tx: Transaction,
  actor: Actor,
  agent: Account,
  outcome: Extract<AgentOutcome, { kind: "becomes" | "removed" }>,
) {
  if (outcome.kind === "removed") return await removeApplication(tx, actor, agent);
  const now = new Date();
  const approved = { approvedAt: now, approvedBy: actor.userId, revokedAt: null, revokedBy: null };
  const revoked = { revokedAt: now, revokedBy: actor.userId };
  await tx
    .update(user)
    .set({ status: outcome.status, updatedAt: now, ...(outcome.status === "revoked" ? revoked : approved) })
    .where(eq(user.id, agent.id));
}

/**
 * Approves an agent who has accepted an admin's invitation, in the inviter's name. The mailed link has proved that the
 * address is the agent's own.
 */
export async function approveInvited(
  services: Services,
  tx: Transaction,
  { agentId, inviterId, invitationId }: { agentId: string; inviterId: string; invitationId: string },
): Promise<void> {
  const agent = await lockAccount(tx, agentId);
  if (!agent || !isPendingAgent(agent)) throw Refusal.conflict();
  const now = new Date();
  const approved = { status: "approved", approvedAt: now, approvedBy: inviterId } as const;
  await tx
    .update(user)
    .set({ ...approved, emailVerified: true, updatedAt: now })
    .where(eq(user.id, agentId));
  await withdrawApplicantNotifications(services, tx, agentId);
  const detail: AuditDetail = { invitation: invitationId };
  await recordAudit(tx, { action: "agent-approved", actorId: inviterId, subjectId: agentId, detail });
  await services.live.publish("agents", "{}", tx);
  await services.sessions.changed(tx, agentId);
}

/** Deletes the personal record; the row in `deniedAgent` keeps the address from signing up again. */
async function removeApplication(tx: Transaction, actor: Actor, { id, email }: Account) {
  const [credential] = await tx
    .select({ password: account.password })
    .from(account)
    .where(and(eq(account.userId, id), eq(account.providerId, "credential")));
  const password = credential?.password ?? "";
  await tx.insert(deniedAgent).values({ id, email, password, deniedBy: actor.userId });
  await tx.delete(user).where(eq(user.id, id));
}

/** Lets a denied address sign up again. */
export async function liftDenial(services: Services, actor: Actor, id: string): Promise<void> {
  const { database, live } = services;
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [lifted] = await tx
      .delete(deniedAgent)
      .where(eq(deniedAgent.id, id))
      .returning({ id: deniedAgent.id });
    if (!lifted) throw new Refusal("not-found");
    await recordAudit(tx, { action: "denial-lifted", ...actedBy(actor), subjectId: id });
    await live.publish("agents", "{}", tx);
  });
}

/** Mails the verification link again; the job checks whether it is still needed. */
export async function resendToAgent(services: Services, agentId: string): Promise<void> {
  const [agent] = await services.database.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, agentId), eq(user.role, "agent")));
  if (!agent) throw new Refusal("not-found");
  requireAllowance(await services.limits.verificationMail(agentId));
  await resendVerification(services, agentId);
}
