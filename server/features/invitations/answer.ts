import { eq } from "drizzle-orm";
import { type InvitedRole, invitationStateAt } from "#domain/invitation.ts";
import { isApprovedAgent, isPendingAgent, isStudent, mayInvite } from "#domain/permission.ts";
import { lockAccount } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { approveInvited } from "#server/features/agents/commands.ts";
import { replaceAgent } from "#server/features/assignments/commands/assign-agent.ts";
import { lockStudent } from "#server/features/assignments/queries.ts";
import { type Actor, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Client } from "#server/features/sign-in/commands/attempt-password.ts";
import type { SignedIn } from "#server/features/sign-in/commands/sign-in.ts";
import { signUp } from "#server/features/sign-in/commands/sign-up.ts";
import { findLink, withdrawLinks } from "#server/features/sign-in/links.ts";
import { isTakenAddress } from "#server/features/sign-in/queries.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type InvitedAccount, invitationById, invitedAccount } from "./queries.ts";
import { invitation } from "./tables.ts";

const spent = () => new Refusal("auth/invalid-action-code");

/** Returns the open invitation of a link, with its inviter; refuses links that no longer work. */
async function openInvitation(services: Pick<Services, "database">, db: Reader, token: string) {
  const grant = await findLink(services.database, token);
  if (grant?.purpose !== "invitation") throw spent();
  const row = await invitationById(db, grant.invitationId);
  // An inviter who has lost access can't be answered any more.
  if (!row || invitationStateAt(row.invitation, new Date()) !== "invited") throw spent();
  if (!mayInvite(row.inviter, row.invitation.role)) throw spent();
  return row;
}

type InvitationFacts = { inviterId: string; role: InvitedRole; isTaken: boolean };

function situation(account: InvitedAccount | null, { inviterId, role, isTaken }: InvitationFacts) {
  if (account === null) return isTaken ? ("closed" as const) : ("new" as const);
  if (role === "agent") return isPendingAgent(account) ? ("yours" as const) : ("closed" as const);
  if (!isStudent(account)) return "closed" as const;
  return account.agentId === null || account.agentId === inviterId ? ("yours" as const) : ("taken" as const);
}

/** Returns the details that the holder of a link needs to answer the invitation. */
export async function viewInvitation(services: Services, token: string) {
  const { db } = services.database;
  const { invitation: row, inviter } = await openInvitation(services, db, token);
  const { firstName, lastName, email, message, expiresAt, role, agency, country } = row;
  const isTaken = (await isTakenAddress(db, email)) || services.environment.adminEmails.includes(email);
  const account = situation(await invitedAccount(db, email), { inviterId: inviter.id, role, isTaken });
  const by = { name: inviter.name, agency: inviter.agency, guides: isApprovedAgent(inviter) };
  return { inviter: by, role, agency, country, message, firstName, lastName, email, account, expiresAt };
}

/** Locks the inviter and then the invitation of a link, which only one of two concurrent answers finds open. */
async function lockOpen(services: Services, tx: Transaction, token: string) {
  const { inviter, invitation: before } = await openInvitation(services, tx, token);
  const account = await lockAccount(tx, inviter.id);
  const [row] = await tx.select().from(invitation).where(eq(invitation.id, before.id)).for("update");
  if (!row || !account || !mayInvite(account, row.role)) throw spent();
  if (invitationStateAt(row, new Date()) !== "invited") throw spent();
  return { row, inviter: account };
}

async function end(
  tx: Transaction,
  id: string,
  values: Partial<typeof invitation.$inferInsert>,
): Promise<void> {
  await tx
    .update(invitation)
    .set({ ...values, endedAt: new Date() })
    .where(eq(invitation.id, id));
  await withdrawLinks(tx, { purpose: "invitation", invitationId: id });
}

type ClaimForm = {
  token: string;
  firstName: string;
  lastName: string;
  phone: string;
  password: string;
  confirmPassword: string;
};

/**
 * Creates the invited person's account by the rules and limits of a sign-up. A student is assigned to the inviter; an
 * agent has the agency and the country of the invitation, and is approved.
 */
export async function claimInvitation(
  services: Services,
  { token, ...form }: ClaimForm,
  client: Client,
): Promise<SignedIn> {
  const { invitation: before } = await openInvitation(services, services.database.db, token);
  const { role, email, agency, country } = before;
  const signUpForm = { ...form, role, email, agency, country };
  return await signUp(services, signUpForm, client, async (tx, userId) => {
    const { row, inviter } = await lockOpen(services, tx, token);
    // The link was mailed to this address.
    await tx.update(user).set({ emailVerified: true }).where(eq(user.id, userId));
    await completeAcceptance(services, tx, { userId, address: client.address }, row, inviter);
  });
}

/**
 * Accepts an invitation with the account that has the invited address: a student's without another agent, or a pending
 * agent's.
 */
export async function acceptInvitation(
  services: Services,
  session: Session | null,
  address: string,
  token: string,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await openInvitation(services, tx, token);
    if (session === null) throw new Refusal("unauthenticated");
    const { row, inviter } = await lockOpen(services, tx, token);
    const account = await lockAccount(tx, session.userId, "update");
    const isInvited = row.role === "agent" ? isPendingAgent : isStudent;
    if (!account || account.email !== row.email || !isInvited(account))
      throw new Refusal("permission-denied");
    const { assignedAgentId } = account;
    if (assignedAgentId !== null && assignedAgentId !== inviter.id) throw Refusal.conflict();
    await completeAcceptance(services, tx, { userId: account.id, address }, row, inviter);
  });
}

type Inviter = { id: string; name: string; role: "student" | "agent" | "admin"; status: string };

/**
 * Ends an invitation as claimed. An agent who invited becomes the student's agent; a student whom an admin invited has
 * none yet. An invited agent is approved by the inviter.
 */
async function completeAcceptance(
  services: Services,
  tx: Transaction,
  actor: Actor,
  { id, role, ...names }: { id: string; role: InvitedRole; firstName: string; lastName: string },
  inviter: Inviter,
): Promise<void> {
  await end(tx, id, { state: "claimed", studentId: actor.userId });
  await recordOwn(tx, "invitation-claimed", actor, { invitation: id });
  // Refreshes the inviter's open page, even if no notification is sent.
  await services.live.publishTo([`notifications:${inviter.id}`], "{}", tx);
  // An agent is notified of the assignment instead.
  if (inviter.role === "admin")
    await notify(services, tx, {
      userId: inviter.id,
      kind: "invitationClaimed",
      // The account's id makes sure that the entry is deleted when the account is erased.
      eventKey: `invitation-claimed:${id}:${actor.userId}`,
      about: { person: `${names.firstName} ${names.lastName}`.trim() },
      ids: { invitationId: id },
      path: "/invitations",
    });
  if (role === "agent") {
    const approval = { agentId: actor.userId, inviterId: inviter.id, invitationId: id };
    return await approveInvited(services, tx, approval);
  }
  const student = await lockStudent(tx, actor.userId, "update");
  if (!student) throw new Refusal("permission-denied");
  if (inviter.role === "agent" && student.assignedAgentId === null)
    await replaceAgent(services, tx, actor, student, inviter);
}

/** Declines an invitation, with the link alone. The inviter can't invite this address again; the message is deleted. */
export async function declineInvitation(services: Services, address: string, token: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const { row, inviter } = await lockOpen(services, tx, token);
    const person = `${row.firstName} ${row.lastName}`.trim();
    await end(tx, row.id, { state: "declined", message: "" });
    await recordAudit(tx, {
      action: "invitation-declined",
      subjectId: inviter.id,
      address,
      detail: { invitation: row.id },
    });
    await notify(services, tx, {
      userId: inviter.id,
      kind: "invitationDeclined",
      eventKey: `invitation-declined:${row.id}`,
      about: { person },
      ids: { invitationId: row.id },
      path: "/invitations",
    });
  });
}
