import { eq } from "drizzle-orm";
import { z } from "zod";
import { normaliseEmail } from "#domain/email.ts";
import { accountById } from "#server/features/account/queries.ts";
import { requestedEmailOf } from "#server/features/account/requested-email.ts";
import { user } from "#server/features/account/tables.ts";
import { compose, greeting } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { createLink } from "./links.ts";
import { isTakenAddress } from "./queries.ts";

/** Asks to confirm the address of a new account. */
export const verificationMail: MailKind<{ userId: string; next?: string | undefined }, Services> = {
  name: "verify-email",
  isAwaited: true,
  data: z.object({ userId: z.string(), next: z.string().optional() }),
  async write(services, { userId, next }) {
    const account = await accountById(services.database.db, userId);
    if (!account || account.emailVerified) return null;
    const link = await createLink(services, { purpose: "verify", userId, email: account.email }, next);
    return compose({
      to: account.email,
      subject: "Please verify your email address",
      paragraphs: [
        greeting(""),
        "Welcome to Wayfare. Please confirm that this address is yours. The link works for 7 days.",
        "If you didn't sign up, you can ignore this email.",
      ],
      action: { label: "Verify my email address", link },
    });
  },
};

/**
 * Mails the link to set a new password. A job is queued for every requested address, and only the job looks up the
 * account, so that the response time doesn't reveal whether there is one.
 */
export const resetMail: MailKind<{ email: string; next?: string | undefined }, Services> = {
  name: "reset-password",
  isAwaited: true,
  data: z.object({ email: z.string(), next: z.string().optional() }),
  async write(services, { email, next }) {
    const [row] = await services.database.db
      .select({ id: user.id, email: user.email })
      .from(user)
      .where(eq(user.email, normaliseEmail(email)));
    if (!row || (await services.limits.resetMail(row.email)).kind === "locked") return null;
    const link = await createLink(services, { purpose: "reset", userId: row.id }, next);
    return compose({
      to: row.email,
      subject: "Set a new password",
      paragraphs: [
        "Someone requested a new password for your Wayfare account. The link works once, for one hour.",
        "If this wasn't you, you can ignore this email: your password stays the same.",
      ],
      action: { label: "Set a new password", link },
    });
  },
};

/** Mails the one-time link for an address of ADMIN_EMAILS. */
export const adminLinkMail: MailKind<{ email: string }, Services> = {
  name: "admin-link",
  isAwaited: true,
  data: z.object({ email: z.string() }),
  async write(services, { email }) {
    const link = await createLink(services, { purpose: "admin", email });
    return compose({
      to: email,
      subject: "Set your Wayfare admin password",
      paragraphs: [
        "You're an admin of Wayfare. Set your password with this link: it works once, for 24 hours.",
      ],
      action: { label: "Set my password", link },
    });
  },
};

/**
 * Mails the address that an account wants to move to. Only this job checks whether the address is free, so that the
 * response to the request doesn't reveal it.
 */
export const emailChangeMail: MailKind<{ userId: string; email: string; from: string }, Services> = {
  name: "change-email",
  isAwaited: true,
  data: z.object({ userId: z.string(), email: z.string(), from: z.string() }),
  async write(services, { userId, email, from }) {
    const { database, environment } = services;
    const account = await accountById(database.db, userId);
    if (account?.email !== from) return null;
    if (environment.adminEmails.includes(email) || (await isTakenAddress(database.db, email)))
      return compose({ to: email, subject: "Your email address at Wayfare", paragraphs: takenWords });
    // The later of two requests counts, in whatever order their mails are written.
    if ((await requestedEmailOf(database.db, userId)) !== email) return null;
    const link = await createLink(services, { purpose: "email", userId, email, from });
    return compose({
      to: email,
      subject: "Please confirm your new email address",
      paragraphs: [
        // The mailbox may be a stranger's, and the name may be any text.
        greeting(""),
        "Please confirm that this is your new address at Wayfare. Until then your current address stays in use. The link works for 24 hours.",
        "If you didn't request this, you can ignore this email.",
      ],
      action: { label: "Confirm my new email address", link },
    });
  },
};

const takenWords = [
  "Someone who is logged in to Wayfare asked to use this address for their account. That address can't be used.",
  "Nothing has changed, and you don't need to do anything. If this was you and you already have an account with this address, please log in with it instead.",
];

/** Mails the account's former address. */
export const emailChangedMail: MailKind<{ to: string; firstName: string }, Services> = {
  name: "email-changed",
  data: z.object({ to: z.string(), firstName: z.string() }),
  async write({ environment }, { to, firstName }) {
    return compose({
      to,
      subject: "Your email address was changed",
      paragraphs: [
        greeting(firstName),
        "Your Wayfare account has a new email address. Use it to log in; our emails will go there.",
        `If this wasn't you, please write to ${environment.contactEmail} from this address right away: we move your account back here and email you a link for a new password.`,
      ],
    });
  },
};
