import { and, eq } from "drizzle-orm";
import {
  type AgentAction,
  type AgentOutcome,
  decideAgent,
  decisionReasonProblem,
} from "#domain/agent-approval.ts";
import type { AuditAction } from "#domain/audit.ts";
import { isAdmin } from "#domain/permission.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { resendVerification } from "#server/features/account/commands/verify-email.ts";
import { accountLost } from "#server/features/account/events.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { account, deniedAgent, user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { withdrawApplicant } from "./applicants.ts";
import { decisionMail } from "./mails.ts";

const audited: Record<AgentAction, AuditAction> = {
  approve: "agent-approved",
  deny: "agent-denied",
  revoke: "agent-revoked",
};

/**
 * Approve, deny or revoke. A denied or revoked agent is out with the commit: on this node immediately, on the others
 * within a second. The reason is mailed to them and kept nowhere else.
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
    const agent = await agentForUpdate(tx, agentId);
    if (!agent) throw new Refusal("not-found");
    const outcome = decideAgent(action, agent);
    if (outcome.kind === "conflict") throw Refusal.conflict();
    if (outcome.kind === "unverified") throw new Refusal("agent/unverified");
    if (action !== "approve") await accountLost(services, tx, { ...agent, actor, keepsStudents: false });
    await save(tx, actor, agent, outcome);
    await withdrawApplicant(services, tx, agentId);
    await recordAudit(tx, {
      action: audited[action],
      actorId: actor.userId,
      subjectId: agentId,
      address: actor.address,
    });
    const { email, firstName } = agent;
    await queueMail(jobs, tx, decisionMail, { decision: action, email, firstName, reason: reason.trim() });
    await live.publish("agents", "{}", tx);
    if (action === "approve") await sessions.changed(tx, agentId);
    else await sessions.endAll(tx, agentId);
  });
}

async function agentForUpdate(tx: Transaction, id: string) {
  const [found] = await tx
    .select({
      id: user.id,
      name: user.name,
      email: user.email,
      firstName: user.firstName,
      status: user.status,
      emailVerified: user.emailVerified,
    })
    .from(user)
    .where(and(eq(user.id, id), eq(user.role, "agent")))
    // Weaker than "update", which would wait for everyone who at this moment notifies the agent of something.
    .for("no key update");
  return found;
}

type Agent = NonNullable<Awaited<ReturnType<typeof agentForUpdate>>>;

async function save(
  tx: Transaction,
  actor: Actor,
  agent: Agent,
  outcome: Extract<AgentOutcome, { kind: "becomes" | "removed" }>,
) {
  if (outcome.kind === "removed") return await removeApplication(tx, actor, agent);
  const now = new Date();
  const approved = { approvedAt: now, approvedBy: actor.userId, revokedAt: null, revokedBy: null };
  const revoked = { revokedAt: now, revokedBy: actor.userId };
  await tx
    .update(user)
    .set({ status: outcome.status, updatedAt: now, ...(outcome.status === "approved" ? approved : revoked) })
    .where(eq(user.id, agent.id));
}

/** Deletes the personal record; what stays keeps the address from signing up again. */
async function removeApplication(tx: Transaction, actor: Actor, { id, email }: Agent) {
  const [credential] = await tx
    .select({ password: account.password })
    .from(account)
    .where(and(eq(account.userId, id), eq(account.providerId, "credential")));
  const password = credential?.password ?? "";
  await tx.insert(deniedAgent).values({ id, email, password, deniedBy: actor.userId });
  await tx.delete(user).where(eq(user.id, id));
}

/** Lets a denied address sign up anew. */
export async function liftDenial(services: Services, actor: Actor, id: string): Promise<void> {
  const { database, live } = services;
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [lifted] = await tx
      .delete(deniedAgent)
      .where(eq(deniedAgent.id, id))
      .returning({ id: deniedAgent.id });
    if (!lifted) throw new Refusal("not-found");
    await recordAudit(tx, {
      action: "denial-lifted",
      actorId: actor.userId,
      subjectId: id,
      address: actor.address,
    });
    await live.publish("agents", "{}", tx);
  });
}

/** Mails the verification link again; the job finds out whether it is still needed. */
export async function resendToAgent(services: Services, agentId: string): Promise<void> {
  const [agent] = await services.database.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, agentId), eq(user.role, "agent")));
  if (!agent) throw new Refusal("not-found");
  demandAllowance(await services.limits.verificationMail(agentId));
  await resendVerification(services, agentId);
}
