import { randomInt } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { isStudent } from "#domain/permission.ts";
import { mailboxCodeDigits } from "#domain/second-factor.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { confirmAddress } from "#server/features/account/commands/confirm-address.ts";
import { keep, temporaryValue } from "#server/features/account/kept-values.ts";
import { lockAccount } from "#server/features/account/queries.ts";
import { user, verification } from "#server/features/account/tables.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { session } from "#server/features/sessions/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { compose, greeting, nameToGreet } from "#server/platform/mail.ts";
import { type MailKind, queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { hasAnySecondFactor } from "./queries.ts";

/** Milliseconds for which a code works, and for which entering it proves the mailbox in its session. */
const lifetimes = { code: 10 * 60 * 1000, proof: 30 * 60 * 1000 };
/** The value that replaces a code's signature once it was entered. */
const proven = "proven";

type CallerSession = Pick<Session, "id" | "userId">;
const identifierOf = ({ id, userId }: CallerSession) => `mailbox:${userId}:${id}`;
/** Returns the text to sign for a code. Codes have so few digits that a plain hash in the table could be inverted. */
const signedText = (caller: CallerSession, code: string) =>
  `${identifierOf(caller)} ${code.replaceAll(/\s/g, "")}`;

/** Subject and advice of the mail, by what the code is for. */
const purposes = {
  secondFactor: {
    subject: "Your code for setting up two-step login",
    advice:
      "If you aren't setting up two-step login, someone else knows your password. Set a new one right away with the link below: that logs out all devices. Don't give this code to anyone.",
  },
  confirmation: {
    subject: "Your code for confirming what is sent to a university",
    advice:
      "It confirms, in your name, what is sent to a university. Only you can do that, so don't give this code to anyone, not even to your agent or to us. If you didn't ask for it, someone else is logged in to your account: set a new password right away with the link below. That logs out all devices, and this code no longer works.",
  },
};

/** Mails a code that proves access to the account's mailbox. The code is generated when the mail is written. */
export const mailboxCodeMail: MailKind<CallerSession, Services> = {
  name: "mailbox-code",
  isAwaited: true,
  data: z.object({ id: z.string(), userId: z.string() }),
  async write({ database: { db }, environment, keys }, caller) {
    const [holder] = await db
      .select({
        email: user.email,
        firstName: user.firstName,
        emailVerified: user.emailVerified,
        role: user.role,
      })
      .from(session)
      .innerJoin(user, eq(user.id, session.userId))
      .where(and(eq(session.id, caller.id), eq(user.id, caller.userId)));
    if (!holder) return null;
    const code = String(randomInt(10 ** mailboxCodeDigits)).padStart(mailboxCodeDigits, "0");
    const signature = keys.signer("mailboxCode").sign(signedText(caller, code));
    await keep(db, identifierOf(caller), signature.toString("base64url"), lifetimes.code);
    const { subject, advice } = purposes[holder.role === "student" ? "confirmation" : "secondFactor"];
    return compose({
      to: holder.email,
      subject,
      paragraphs: [
        greeting(nameToGreet(holder)),
        `Your code is ${code.replace(/(\d{4})/, "$1 ")}. Enter it on the page that asked for it. It works once, for 10 minutes.`,
        advice,
      ],
      action: { label: "Set a new password", link: `${environment.baseUrl}/reset-password` },
    });
  },
};

/** Emails a code to a user who must set up a second factor, or to a student who has proved none in this session. */
export async function sendMailboxCode({ database, jobs, limits }: Services, caller: Session): Promise<void> {
  const mayNeedCode = caller.lacksSecondFactor
    ? !(await hasAnySecondFactor(database.db, caller.userId))
    : isStudent(caller) && !caller.twoStep;
  if (!mayNeedCode) throw Refusal.conflict();
  requireAllowance(await limits.mailboxCodeMail(caller.userId));
  const { id, userId } = caller;
  await database.transaction((tx) => queueMail(jobs, tx, mailboxCodeMail, { id, userId }));
}

/** Checks the code, which works once and verifies the account's address; attempts are limited. */
export async function proveMailbox(
  services: Services,
  { session: caller, address }: { session: Session; address: string },
  code: string,
): Promise<void> {
  const { database, keys, limits } = services;
  const { userId } = caller;
  const { refund } = requireAllowance(await limits.mailboxCode(userId));
  const wrong = new Refusal("auth/invalid-verification-code", { field: "code" });
  const name = identifierOf(caller);
  const signature = await temporaryValue(database.db, name);
  if (signature === null || !keys.signer("mailboxCode").accepts(signedText(caller, code), signature))
    throw wrong;
  await database.transaction(async (tx) => {
    const holder = await lockAccount(tx, userId);
    const rows = await tx
      .update(verification)
      .set({ value: proven, expiresAt: new Date(Date.now() + lifetimes.proof) })
      .where(and(eq(verification.identifier, name), eq(verification.value, signature)))
      .returning({ id: verification.id });
    if (rows.length === 0) throw wrong;
    await recordOwn(tx, "identity-confirmed", { userId, address }, { by: "email" });
    if (holder?.emailVerified === false) await confirmAddress(services, tx, userId);
  });
  await refund();
}

/** Throws `account/mailbox-code` for a session in which neither a second factor nor the mailbox was proved. */
export async function requireMailboxProof(db: Reader, caller: Session): Promise<void> {
  if (await lacksMailboxProof(db, caller)) throw new Refusal("account/mailbox-code");
}

/** Whether a session has proved neither a second factor nor the mailbox, so that its password may be stolen. */
export async function lacksMailboxProof(db: Reader, caller: Session): Promise<boolean> {
  return !caller.twoStep && (await temporaryValue(db, identifierOf(caller))) !== proven;
}
