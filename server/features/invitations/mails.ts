import { z } from "zod";
import { dateFormats } from "#domain/date-format.ts";
import { invitationStateAt } from "#domain/invitation.ts";
import { isAdmin, isStudent, mayManageStudents } from "#domain/permission.ts";
import { createLink } from "#server/features/sign-in/links.ts";
import { isTakenAddress } from "#server/features/sign-in/queries.ts";
import { compose, greeting } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { invitationById, invitedAccount } from "./queries.ts";

const { formatDate } = dateFormats("UTC");

type Data = { invitationId: string; round: number; isReminder: boolean };

/** Names an inviter as the mail and the page do: "Kofi Mensah of North Star". */
const inviterName = ({ name, agency }: { name: string; agency: string }): string =>
  agency === "" ? name : `${name} of ${agency}`;

/**
 * Sends an invitation, or reminds of it. Only this job finds out whether the address has an account. Nothing leaves for
 * people who can't say yes: agents, admins, and accounts that are denied, disabled or leaving.
 */
export const invitationMail: MailKind<Data, Services> = {
  name: "invitation",
  data: z.object({ invitationId: z.string(), round: z.number().int(), isReminder: z.boolean() }),
  async write(services, { invitationId, round, isReminder }) {
    const { database, environment, limits } = services;
    const row = await invitationById(database.db, invitationId);
    if (!row || row.invitation.round !== round || !mayManageStudents(row.inviter)) return null;
    const { email, message } = row.invitation;
    if (invitationStateAt(row.invitation, new Date()) !== "invited") return null;
    const account = await invitedAccount(database.db, email);
    if (account !== null && (!isStudent(account) || isAdmin(row.inviter))) return null;
    if (account?.agentId === row.inviter.id) return null;
    if (
      account === null &&
      ((await isTakenAddress(database.db, email)) || environment.adminEmails.includes(email))
    )
      return null;
    if ((await limits.invitationMail(email)).kind === "locked") return null;
    const link = await createLink(services, { purpose: "invitation", invitationId });
    const name = inviterName(row.inviter);
    const sees = isAdmin(row.inviter)
      ? "Your agent and our admins will see your contact details, your profile with its identity details, your documents and your applications."
      : `If you say yes, ${row.inviter.name} becomes your agent. They will see your contact details, your profile with its identity details, your documents and your applications. You can stop sharing your papers at any time.`;
    const first =
      account === null
        ? `${name} invites you to Wayfare, where students apply to universities abroad.`
        : `${name} asks to guide you at Wayfare.`;
    return compose({
      to: email,
      subject: `${isReminder ? "Reminder: " : ""}${account === null ? `${name} invites you to Wayfare` : `${name} asks to guide you`}`,
      paragraphs: [
        // The mailbox may be a stranger's.
        greeting(""),
        first,
        ...(message === "" ? [] : [`They write: "${message}"`]),
        sees,
        `You can say yes or no until ${formatDate(row.invitation.expiresAt)}. If you say no, they can't invite you again. If you don't know them, you can ignore this email.`,
      ],
      action: { label: account === null ? "See the invitation" : "Answer", link },
    });
  },
};
