import { randomUUID } from "node:crypto";
import { and, eq, lte, ne, sql } from "drizzle-orm";
import {
  type AgentInvitationForm,
  checkAgentInvitation,
  checkInvitation,
  declinedBefore,
  type InvitationForm,
  type InvitedRole,
  invitationDays,
  invitationEndsAt,
  invitationStateAt,
  invitedAlready,
  maySendAgain,
  mayWithdraw,
} from "#domain/invitation.ts";
import { isAdmin, mayManageStudents } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { withdrawLinks } from "#server/features/sign-in/links.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMails } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { invitationMail } from "./mails.ts";
import { hasDeclined } from "./queries.ts";
import { invitation } from "./tables.ts";

const secondsPerDay = 24 * 60 * 60;

/** Invites a student. Resolves to the invitation's id. */
export const sendInvitation = (services: Services, actor: Actor, form: InvitationForm): Promise<string> =>
  services.database.transaction((tx) => inviteWithin(services, tx, actor, form));

/**
 * Invites a student in the caller's transaction. The outcome depends only on the inviter's own invitations, never on
 * whose address it is.
 */
export async function inviteWithin(
  services: Services,
  tx: Transaction,
  actor: Actor,
  form: InvitationForm,
): Promise<string> {
  const terms = checkInvitation(form);
  if ("code" in terms) throw Refusal.of(terms);
  await lockActor(tx, actor, mayManageStudents);
  return await store(services, tx, actor, { ...terms, role: "student", agency: "", country: "" });
}

/** Invites an agent, for an admin. An agent who accepts is approved. Resolves to the invitation's id. */
export async function inviteAgent(
  services: Services,
  actor: Actor,
  form: AgentInvitationForm,
): Promise<string> {
  const terms = checkAgentInvitation(form);
  if ("code" in terms) throw Refusal.of(terms);
  return await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    return await store(services, tx, actor, { ...terms, role: "agent" });
  });
}

/** Stores a checked invitation and queues its mails. Refuses if one to this address is open or was declined. */
async function store(
  services: Services,
  tx: Transaction,
  actor: Actor,
  terms: AgentInvitationForm & { role: InvitedRole },
): Promise<string> {
  if (await hasDeclined(tx, actor.userId, terms.email)) throw Refusal.of(declinedBefore);
  const now = new Date();
  await expireOpen(tx, actor.userId, terms.email, now);
  const id = randomUUID();
  const rows = await tx
    .insert(invitation)
    .values({
      id,
      inviterId: actor.userId,
      ...terms,
      state: "invited",
      invitedAt: now,
      sentAt: now,
      expiresAt: invitationEndsAt(now),
    })
    .onConflictDoNothing()
    .returning({ id: invitation.id });
  if (rows.length === 0) throw Refusal.of(invitedAlready);
  await recordSent(services, tx, actor, id, 1);
  return id;
}

/** Sends an open or expired invitation again, valid as long as a new one. Mails of earlier rounds are not sent. */
export async function sendInvitationAgain(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const row = await lockInvitation(tx, actor, id);
    const now = new Date();
    if (!maySendAgain(invitationStateAt(row, now))) throw Refusal.conflict();
    const round = row.round + 1;
    await tx
      .update(invitation)
      .set({ state: "invited", round, sentAt: now, expiresAt: invitationEndsAt(now) })
      .where(eq(invitation.id, id))
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? Refusal.of(invitedAlready) : error;
      });
    await recordSent(services, tx, actor, id, round);
  });
}

/** Withdraws an open invitation: its links stop working immediately. */
export async function withdrawInvitation(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const row = await lockInvitation(tx, actor, id);
    if (!mayWithdraw(invitationStateAt(row, new Date()))) throw Refusal.conflict();
    await tx.update(invitation).set({ state: "withdrawn", endedAt: new Date() }).where(eq(invitation.id, id));
    await withdrawLinks(tx, { purpose: "invitation", invitationId: id });
    await recordAudit(tx, { action: "invitation-withdrawn", ...actedBy(actor), detail: { invitation: id } });
  });
}

/** Locks an invitation for its inviter or an admin; refuses anybody else as if there were none. */
async function lockInvitation(tx: Transaction, actor: Actor, id: string) {
  const who = await lockActor(tx, actor, mayManageStudents);
  const [row] = await tx.select().from(invitation).where(eq(invitation.id, id)).for("update");
  if (!row || (row.inviterId !== actor.userId && !isAdmin(who))) throw new Refusal("not-found");
  return row;
}

/** Marks an open invitation as expired when it is, so that the address can be invited again. */
async function expireOpen(tx: Transaction, inviterId: string, email: string, now: Date): Promise<void> {
  await tx
    .update(invitation)
    .set({ state: "expired" })
    .where(
      and(
        eq(invitation.inviterId, inviterId),
        eq(invitation.email, email),
        eq(invitation.state, "invited"),
        lte(invitation.expiresAt, now),
      ),
    );
}

/** Records the sending, and queues the mail and its reminders as separate jobs, which any node runs once. */
async function recordSent(
  services: Services,
  tx: Transaction,
  actor: Actor,
  invitationId: string,
  round: number,
): Promise<void> {
  await recordAudit(tx, {
    action: "invitation-sent",
    ...actedBy(actor),
    detail: { invitation: invitationId },
  });
  await queueMails(services.jobs, tx, invitationMail, [
    { data: { invitationId, round, isReminder: false } },
    ...invitationDays.reminders.map((days) => ({
      data: { invitationId, round, isReminder: true },
      afterSeconds: days * secondsPerDay,
    })),
  ]);
}

const daysKept = 90;

/**
 * Deletes invitations that were answered, withdrawn or expired long ago. Declined ones stay, without the name: their
 * addresses keep the same inviter from inviting again.
 */
export async function tidyInvitations({ database: { db } }: Services, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - daysKept * secondsPerDay * 1000);
  const isOld = lte(sql`coalesce(${invitation.endedAt}, ${invitation.expiresAt})`, before);
  await db.delete(invitation).where(and(isOld, ne(invitation.state, "declined")));
  await db
    .update(invitation)
    .set({ firstName: "", lastName: "", agency: "", country: "" })
    .where(and(isOld, eq(invitation.state, "declined")));
}
