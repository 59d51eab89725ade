import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { crowdedMailbox, type EmailChange, emailChangeProblem } from "#domain/email-change.ts";
import { mayHaveProfile } from "#domain/permission.ts";
import { type Actor, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { nameToGreet } from "#server/platform/mail.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "../allowance.ts";
import { askedEmailOf, dropAskedEmail, dropEmailChange, saveAskedEmail } from "../asked-email.ts";
import { type Grant, withdrawLinks } from "../links.ts";
import { emailChangedMail, emailChangeMail } from "../mails.ts";
import { accountById, isDenied, lockAccount, lockActor } from "../queries.ts";
import { demandRecentLoginBesidePassword } from "../recent-login.ts";
import type { Session } from "../sessions.ts";
import { user } from "../tables.ts";
import { attemptOwnPassword, type Client } from "./attempt-password.ts";

/** Seconds until the job looks whose address it is: what it does then is not felt in the answer. */
const delaySeconds = 1;

/**
 * Asks for another email address: the password proves who asks, and counts like a login's; the mailed link proves whose
 * address it is. Until then nothing changes.
 */
export async function requestEmailChange(
  services: Services,
  client: Client & { session: Session },
  input: EmailChange,
): Promise<void> {
  const { database, limits } = services;
  const { address, session } = client;
  const { userId } = session;
  const holder = await accountById(database.db, userId);
  if (!holder) throw new Refusal("permission-denied");
  const problem = emailChangeProblem(input, holder.email);
  if (problem) throw Refusal.of(problem);
  await demandRecentLoginBesidePassword(services, session);
  const { refund } = await attemptOwnPassword(services, client, input.password);
  await refund();
  demandAllowance(await limits.emailChange(userId));
  demandAllowance(await limits.changeMail(normaliseEmail(input.email)), "resource-exhausted", crowdedMailbox);
  await database.transaction(async (tx) => {
    await lockActor(tx, { userId }, mayHaveProfile);
    await recordOwn(tx, "email-change-asked", { userId, address });
    const data = { userId, email: normaliseEmail(input.email), from: holder.email };
    await saveAskedEmail(tx, userId, data.email);
    await queueMail(services.jobs, tx, emailChangeMail, data, delaySeconds);
  });
}

/**
 * What the mailed link grants, in the caller's transaction: the account gets the new address, which is verified by it,
 * and the old one gets a mail. Sessions go on. A link that has done this already answers alike. False when the link does
 * not hold any more; an address that somebody else has by now is a refusal or a unique violation.
 */
export async function confirmEmailChange(
  services: Services,
  tx: Transaction,
  { userId, email, from }: Extract<Grant, { purpose: "email" }>,
): Promise<boolean> {
  const holder = await lockAccount(tx, userId, "update");
  if (!holder || holder.role === "admin" || !hasAccess(holder)) return false;
  if (holder.email === email) return true;
  // Called off, or another address was asked for since: looked at under the holder's lock.
  if (holder.email !== from || (await askedEmailOf(tx, userId)) !== email) return false;
  if (services.environment.adminEmails.includes(email)) throw new Refusal("auth/email-already-in-use");
  await tx.update(user).set({ email, emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  if (await isDenied(tx, email)) throw new Refusal("auth/email-already-in-use");
  // A link in the former mailbox must not set a password any more.
  await withdrawLinks(tx, { purpose: "reset", userId });
  // The link stays until it is too old: pressed twice, it says again that it worked.
  await dropAskedEmail(tx, userId);
  await recordAudit(tx, { action: "email-changed", actorId: userId, subjectId: userId });
  await queueMail(services.jobs, tx, emailChangedMail, { to: from, firstName: nameToGreet(holder) });
  if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
  return true;
}

/** Calls off the change that waits to be confirmed, if there is one: its link does nothing from then on. */
export async function cancelEmailChange({ database }: Services, actor: Actor): Promise<void> {
  const { userId } = actor;
  await database.transaction(async (tx) => {
    await lockAccount(tx, userId, "update");
    if ((await askedEmailOf(tx, userId)) === null) return;
    await dropEmailChange(tx, userId);
    await recordOwn(tx, "email-change-cancelled", actor);
  });
}
