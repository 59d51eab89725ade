import { randomInt, randomUUID } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { z } from "zod";
import { mailboxCodeDigits } from "#domain/second-factor.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import { compose, greeting } from "#server/platform/mail.ts";
import { type MailKind, queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "./allowance.ts";
import type { Session } from "./sessions.ts";
import { session, user, verification } from "./tables.ts";

/** Milliseconds for which a code works, and for which a session then may set up a second factor. */
const lasts = { code: 10 * 60 * 1000, proof: 30 * 60 * 1000 };
/** In the place of a code's signature once it was right. */
const proven = "proven";

type Asker = Pick<Session, "id" | "userId">;
const identifierOf = ({ id, userId }: Asker) => `mailbox:${userId}:${id}`;
const until = (milliseconds: number) => new Date(Date.now() + milliseconds);
/** What is signed of a code. Its digits are so few that whoever reads the table could invert a hash without a key. */
const signedText = (asker: Asker, code: string) => `${identifierOf(asker)} ${code.replaceAll(/\s/g, "")}`;

/** The code that shows that a session is of somebody who reads the account's mailbox. It is made as the mail is written. */
export const mailboxCodeMail: MailKind<Asker, Services> = {
  name: "mailbox-code",
  data: z.object({ id: z.string(), userId: z.string() }),
  async write({ database: { db }, keys }, asker) {
    const [holder] = await db
      .select({ email: user.email, firstName: user.firstName })
      .from(session)
      .innerJoin(user, eq(user.id, session.userId))
      .where(and(eq(session.id, asker.id), eq(user.id, asker.userId)));
    if (!holder) return null;
    const code = String(randomInt(10 ** mailboxCodeDigits)).padStart(mailboxCodeDigits, "0");
    const signature = keys.signer("mailboxCode").sign(signedText(asker, code));
    const kept = { value: signature.toString("base64url"), expiresAt: until(lasts.code) };
    await db
      .insert(verification)
      .values({ id: randomUUID(), identifier: identifierOf(asker), ...kept })
      .onConflictDoUpdate({ target: verification.identifier, set: kept });
    return compose({
      to: holder.email,
      subject: "Your code for setting up two-step login",
      paragraphs: [
        greeting(holder.firstName),
        `Your code is ${code.replace(/(\d{4})/, "$1 ")}. Enter it where you're logged in. It works once, for 10 minutes.`,
        "If you aren't setting up two-step login, someone else knows your password: set a new one right away, and don't give this code to anyone.",
      ],
    });
  },
};

/** Emails a code to somebody who must set up a second factor. */
export async function sendMailboxCode({ database, jobs, limits }: Services, asker: Session): Promise<void> {
  if (!asker.lacksSecondFactor) throw Refusal.conflict();
  demandAllowance(await limits.mailboxCodeMail(asker.userId));
  const { id, userId } = asker;
  await database.transaction((tx) => queueMail(jobs, tx, mailboxCodeMail, { id, userId }));
}

/** Takes the code: once, and of few attempts. */
export async function proveMailbox(
  { database: { db }, keys, limits }: Services,
  { session: asker, address }: { session: Session; address: string },
  code: string,
): Promise<void> {
  const { refund } = demandAllowance(await limits.mailboxCode(asker.userId));
  const wrong = new Refusal("auth/invalid-verification-code", { field: "code" });
  const [kept] = await db
    .select({ id: verification.id, value: verification.value })
    .from(verification)
    .where(and(eq(verification.identifier, identifierOf(asker)), gt(verification.expiresAt, new Date())));
  if (!kept || !keys.signer("mailboxCode").accepts(signedText(asker, code), kept.value)) throw wrong;
  const taken = await db
    .update(verification)
    .set({ value: proven, expiresAt: until(lasts.proof) })
    .where(and(eq(verification.id, kept.id), eq(verification.value, kept.value)))
    .returning({ id: verification.id });
  if (taken.length === 0) throw wrong;
  const { userId } = asker;
  await recordAudit(db, {
    action: "identity-confirmed",
    actorId: userId,
    subjectId: userId,
    address,
    detail: { by: "email" },
  });
  await refund();
}

/** Whether the first second factor may not be set up yet: whoever has only stolen the password shall not. */
export async function lacksMailboxProof(db: Reader, asker: Session): Promise<boolean> {
  if (!asker.lacksSecondFactor) return false;
  const [found] = await db
    .select({ id: verification.id })
    .from(verification)
    .where(
      and(
        eq(verification.identifier, identifierOf(asker)),
        eq(verification.value, proven),
        gt(verification.expiresAt, new Date()),
      ),
    );
  return found === undefined;
}
