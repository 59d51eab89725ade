import { z } from "zod";
import { dateFormats } from "#domain/date-format.ts";
import { invitationStateAt } from "#domain/invitation.ts";
import { isAdmin, isPendingAgent, isStudent, mayInvite } from "#domain/permission.ts";
import { createLink } from "#server/features/sign-in/links.ts";
import { isTakenAddress } from "#server/features/sign-in/queries.ts";
import { compose, greeting } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { type InvitedAccount, invitationById, invitedAccount } from "./queries.ts";

const { formatDate } = dateFormats("UTC");

type Data = { invitationId: string; round: number; isReminder: boolean };

/** Returns an inviter's name as the mail and the page show it: "Kofi Mensah of North Star". */
const inviterName = ({ name, agency }: { name: string; agency: string }): string =>
  agency === "" ? name : `${name} of ${agency}`;

/**
 * Sends an invitation or a reminder. Only this job checks whether the address has an account. Nothing is sent to people
 * who can't accept: other agents, admins, and accounts that are denied, disabled or leaving.
 */
export const invitationMail: MailKind<Data, Services> = {
  name: "invitation",
  data: z.object({ invitationId: z.string(), round: z.number().int(), isReminder: z.boolean() }),
  async write(services, { invitationId, round, isReminder }) {
    const { database, environment, limits } = services;
    const row = await invitationById(database.db, invitationId);
    if (!row || row.invitation.round !== round || !mayInvite(row.inviter, row.invitation.role)) return null;
    const { email, role } = row.invitation;
    if (invitationStateAt(row.invitation, new Date()) !== "invited") return null;
    const account = await invitedAccount(database.db, email);
    if (role === "agent" && account !== null && !isPendingAgent(account)) return null;
    if (role === "student" && account !== null && (!isStudent(account) || isAdmin(row.inviter))) return null;
    if (account !== null && account.agentId === row.inviter.id) return null;
    if (
      account === null &&
      ((await isTakenAddress(database.db, email)) || environment.adminEmails.includes(email))
    )
      return null;
    if ((await limits.invitationMail(email)).kind === "locked") return null;
    const link = await createLink(services, { purpose: "invitation", invitationId });
    const { subject, first, sees } =
      role === "agent" ? wordsForAgent(row, account) : wordsForStudent(row, account);
    const { message, expiresAt } = row.invitation;
    return compose({
      to: email,
      subject: `${isReminder ? "Reminder: " : ""}${subject}`,
      paragraphs: [
        // The mailbox may be a stranger's.
        greeting(""),
        first,
        ...(message === "" ? [] : [`They write: "${message}"`]),
        sees,
        `You can say yes or no until ${formatDate(expiresAt)}. If you say no, they can't invite you again. If you don't know them, you can ignore this email.`,
      ],
      action: { label: account === null ? "See the invitation" : "Answer", link },
    });
  },
};

type Row = NonNullable<Awaited<ReturnType<typeof invitationById>>>;
type Words = { subject: string; first: string; sees: string };

function wordsForStudent({ inviter }: Row, account: InvitedAccount | null): Words {
  const name = inviterName(inviter);
  const sees = isAdmin(inviter)
    ? "Your agent and our admins will see your contact details, your profile with its identity details, your documents and your applications."
    : `If you say yes, ${inviter.name} becomes your agent. They will see your contact details, your profile with its identity details, your documents and your applications. You can stop sharing your papers at any time.`;
  return account === null
    ? {
        subject: `${name} invites you to Wayfare`,
        first: `${name} invites you to Wayfare, where students apply to universities abroad.`,
        sees,
      }
    : { subject: `${name} asks to guide you`, first: `${name} asks to guide you at Wayfare.`, sees };
}

function wordsForAgent({ inviter, invitation: { agency } }: Row, account: InvitedAccount | null): Words {
  const name = inviterName(inviter);
  return {
    subject: `${name} invites you to Wayfare as an agent`,
    first: `${name} invites you to guide students at Wayfare as an agent of ${agency}.`,
    sees:
      account === null
        ? "If you say yes, you choose a password, and your account is approved at once."
        : "You have applied already. If you say yes, your account is approved at once.",
  };
}
