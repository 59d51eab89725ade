import { z } from "zod";
import { formatLongDate } from "#domain/date-format.ts";
import { coolingOffDays, tieWords } from "#domain/deletion.ts";
import { youngFactorDays } from "#domain/second-factor.ts";
import { accountById } from "#server/features/account/queries.ts";
import { readErasure } from "#server/features/auctions/settlement/erased-on.ts";
import { compose, greeting, nameToGreet } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";

const userMail = { data: z.object({ userId: z.string() }) };
type UserMail = MailKind<{ userId: string }, Services>;

const resetEnds = `logs out all devices, ends API keys, webhooks and the calendar's address, and removes an authenticator app and passkeys that were added within the last ${youngFactorDays} days.`;
const afterReset = (contactEmail: string) =>
  `Then remove older passkeys that aren't yours under Login and security. If you can't log in, write to ${contactEmail}.`;

/** Tells a user who requested the deletion of their account until when and how they can cancel it. */
export const deletionAskedMail: UserMail = {
  name: "deletion-asked",
  ...userMail,
  async write(services, { userId }) {
    const account = await accountById(services.database.db, userId);
    const { on, ties } = await readErasure(services.database.db, userId);
    if (!on || account?.status !== "leaving") return null;
    const { baseUrl, contactEmail } = services.environment;
    return compose({
      to: account.email,
      subject: `Your account will be deleted on ${formatLongDate(on)}`,
      paragraphs: [
        greeting(nameToGreet(account)),
        `You asked us to delete your Wayfare account. We'll do that on ${formatLongDate(on)}, and you've been logged out everywhere. After that nobody can bring it back.`,
        ...(ties.length > 0
          ? [
              `It takes longer than ${coolingOffDays} days because bids and sales are binding:`,
              ...ties.map((tie) => `${tieWords(tie)} (until ${formatLongDate(tie.until)})`),
            ]
          : []),
        "Changed your mind? Log in before then to keep your account.",
        `If this wasn't you, set a new password at ${baseUrl}/reset-password before then: that keeps your account, ${resetEnds} ${afterReset(contactEmail)}`,
      ],
      action: { label: "Log in and keep my account", link: `${baseUrl}/login` },
    });
  },
};

/** Tells a user that their login has cancelled the deletion of their account. */
export const accountKeptMail: UserMail = {
  name: "account-kept",
  ...userMail,
  async write(services, { userId }) {
    const account = await accountById(services.database.db, userId);
    if (!account || account.deletionDueAt) return null;
    const { baseUrl, contactEmail } = services.environment;
    return compose({
      to: account.email,
      subject: "Your account is kept",
      paragraphs: [
        greeting(nameToGreet(account)),
        "Because you logged in to Wayfare or set a new password, we won't delete your account. Items that were taken off sale stay off sale.",
        `If this wasn't you, set a new password at ${baseUrl}/reset-password: that ${resetEnds} ${afterReset(contactEmail)} If you want your account deleted all the same, ask for it again under Your data.`,
      ],
    });
  },
};

/** Warns a student that their account will be deleted soon because they have not logged in for so long. */
export const unusedAccountMail: UserMail = {
  name: "unused-account",
  ...userMail,
  async write(services, { userId }) {
    const account = await accountById(services.database.db, userId);
    if (!account?.deletionDueAt || account.status !== "active") return null;
    return compose({
      to: account.email,
      subject: `Do you still need your Wayfare account?`,
      paragraphs: [
        greeting(nameToGreet(account)),
        `You haven't logged in for a long time and have no open application, so we'll delete your account with everything in it on ${formatLongDate(account.deletionDueAt)}.`,
        "To keep it, just log in before then.",
      ],
      action: { label: "Log in and keep my account", link: `${services.environment.baseUrl}/login` },
    });
  },
};
