import { and, eq } from "drizzle-orm";
import {
  type AgentAction,
  type AgentOutcome,
  decideAgent,
  decisionReasonProblem,
} from "#domain/agent-approval.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { resendVerification } from "#server/features/account/commands/verify-email.ts";
import { standingOf } from "#server/features/account/queries.ts";
import type { AccountNews } from "#server/features/account/sessions.ts";
import { account, deniedAgent, user } from "#server/features/account/tables.ts";
import { withdrawAuctions } from "#server/features/auctions/catalogue/commands/withdraw-auctions.ts";
import { type Actor, type AuditAction, recordAudit } from "#server/features/audit/commands.ts";
import { releaseStudents } from "#server/features/students/commands/release-students.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { withdrawApplicant } from "./applicants.ts";
import { decisionMail } from "./mails.ts";

/** `notPossible`: another admin was faster. */
export type DecisionOutcome = "done" | "notFound" | "notPossible" | "unverified" | "notAllowed";

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
): Promise<DecisionOutcome | Problem> {
  const problem = decisionReasonProblem(reason);
  if (problem) return problem;
  const { database, sessions, jobs, live, products } = services;
  let withdrawn: string[] = [];
  const result = await database.transaction(async (tx): Promise<DecisionOutcome | AccountNews[]> => {
    if (!(await mayDecide(tx, actor))) return "notAllowed";
    const agent = await agentForUpdate(tx, agentId);
    if (!agent) return "notFound";
    const outcome = decideAgent(action, agent);
    if (outcome.kind === "notPossible" || outcome.kind === "unverified") return outcome.kind;
    if (action !== "approve") withdrawn = await withdrawAuctions(services, tx, actor, agentId);
    await save(tx, actor, agent, outcome);
    await withdrawApplicant(services, tx, agentId);
    if (action === "revoke") await releaseStudents(services, tx, actor, agent);
    await recordAudit(tx, {
      action: audited[action],
      actorId: actor.userId,
      subjectId: agentId,
      address: actor.address,
    });
    const { email, firstName } = agent;
    await queueMail(jobs, tx, decisionMail, { decision: action, email, firstName, reason: reason.trim() });
    await live.publish("agents", "{}", tx);
    return await tell(services, tx, agentId, action);
  });
  if (typeof result === "string") return result;
  sessions.forget(...result);
  products.changed(withdrawn);
  return "done";
}

async function mayDecide(tx: Transaction, actor: Actor): Promise<boolean> {
  const standing = await standingOf(tx, actor.userId);
  return standing !== null && isAdmin(standing);
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
    // Weaker than "update", which would wait for everyone who at this moment tells the agent something.
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

async function tell(
  { sessions }: Services,
  tx: Transaction,
  userId: string,
  action: AgentAction,
): Promise<AccountNews[]> {
  if (action !== "approve") return await sessions.endAll(tx, userId);
  const news = { userId, ended: false };
  await sessions.announce(tx, news);
  return [news];
}

/** Lets a denied address sign up anew. */
export async function liftDenial(services: Services, actor: Actor, id: string): Promise<DecisionOutcome> {
  const { database, live } = services;
  return await database.transaction(async (tx) => {
    if (!(await mayDecide(tx, actor))) return "notAllowed";
    const [lifted] = await tx
      .delete(deniedAgent)
      .where(eq(deniedAgent.id, id))
      .returning({ id: deniedAgent.id });
    if (!lifted) return "notFound";
    await recordAudit(tx, {
      action: "denial-lifted",
      actorId: actor.userId,
      subjectId: id,
      address: actor.address,
    });
    await live.publish("agents", "{}", tx);
    return "done";
  });
}

/** Mails the verification link again; the job finds out whether it is still needed. */
export async function resendToAgent(
  services: Services,
  agentId: string,
): Promise<{ kind: "done" | "notFound" } | { kind: "locked"; retryAfter: number }> {
  const [agent] = await services.database.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, agentId), eq(user.role, "agent")));
  if (!agent) return { kind: "notFound" };
  const allowance = await services.limits.verificationMail(agentId);
  if (allowance.kind === "locked") return allowance;
  await resendVerification(services, agentId);
  return { kind: "done" };
}
