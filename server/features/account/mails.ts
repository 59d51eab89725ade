import { eq } from "drizzle-orm";
import { z } from "zod";
import { normaliseEmail } from "#domain/email.ts";
import { compose } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { createLink } from "./links.ts";
import { user } from "./tables.ts";

/** Asks to confirm the address of a new account. */
export const verificationMail: MailKind<{ userId: string }, Services> = {
  name: "verify-email",
  data: z.object({ userId: z.string() }),
  async write({ database, identity, environment }, { userId }) {
    const [found] = await database.db
      .select({ email: user.email, firstName: user.firstName, verified: user.emailVerified })
      .from(user)
      .where(eq(user.id, userId));
    if (!found || found.verified) return null;
    const link = await createLink(identity, environment.baseUrl, {
      purpose: "verify",
      userId,
      email: found.email,
    });
    return compose({
      to: found.email,
      subject: "Please verify your email address",
      paragraphs: [
        `Hello ${found.firstName},`,
        "welcome to Wayfare. Please confirm that this address is yours. The link works for 7 days.",
      ],
      action: { label: "Verify my email address", link },
    });
  },
};

/**
 * The link to set a new password. Queued for any address that somebody asks for, so that the answer takes the same
 * time whether or not there is an account: only this job finds out.
 */
export const resetMail: MailKind<{ email: string }, Services> = {
  name: "reset-password",
  data: z.object({ email: z.string() }),
  async write({ database, identity, environment, limits }, { email }) {
    const [found] = await database.db
      .select({ id: user.id, email: user.email })
      .from(user)
      .where(eq(user.email, normaliseEmail(email)));
    if (!found || (await limits.resetMail(found.email)).kind === "locked") return null;
    const link = await createLink(identity, environment.baseUrl, { purpose: "reset", userId: found.id });
    return compose({
      to: found.email,
      subject: "Set a new password",
      paragraphs: [
        "Somebody asked for a new password for your Wayfare account. The link works once, for one hour.",
        "If it was not you, there is nothing to do: your password stays as it is.",
      ],
      action: { label: "Set a new password", link },
    });
  },
};

/** The one-time link for an address of ADMIN_EMAILS. */
export const adminLinkMail: MailKind<{ email: string }, Services> = {
  name: "admin-link",
  data: z.object({ email: z.string() }),
  async write({ identity, environment }, { email }) {
    const link = await createLink(identity, environment.baseUrl, { purpose: "admin", email });
    return compose({
      to: email,
      subject: "Set your Wayfare admin password",
      paragraphs: [
        "You are an admin of Wayfare. Set your password with this link: it works once, for 24 hours.",
      ],
      action: { label: "Set my password", link },
    });
  },
};
