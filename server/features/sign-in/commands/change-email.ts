import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { crowdedMailbox, type EmailChange, emailChangeProblem } from "#domain/email-change.ts";
import { mayHaveProfile } from "#domain/permission.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { askedEmailOf, dropAskedEmail, saveAskedEmail } from "#server/features/account/asked-email.ts";
import { type Account, accountById, lockAccount } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import { lockInSession } from "#server/features/sessions/lock-holder.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { nameToGreet } from "#server/platform/mail.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type Grant, withdrawLinks } from "../links.ts";
import { emailChangedMail, emailChangeMail, resetMail } from "../mails.ts";
import { isDenied, isTakenAddress } from "../queries.ts";
import { attemptOwnPassword, type Client, demandRecentLoginBesidePassword } from "./attempt-password.ts";
import { endCredentials } from "./end-credentials.ts";

/** Seconds until the job checks whose address it is, so that the response time doesn't reveal it. */
const delaySeconds = 1;

/**
 * Asks for another email address. The password proves who asks, and a wrong one counts as a failed login; the mailed
 * link proves who owns the address. Nothing changes before that.
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
    const actor = { userId, address, session };
    if (!mayHaveProfile(await lockInSession(tx, actor))) throw new Refusal("permission-denied");
    await recordOwn(tx, "email-change-asked", actor);
    const data = { userId, email: normaliseEmail(input.email), from: holder.email };
    await saveAskedEmail(tx, userId, data.email);
    await queueMail(services.jobs, tx, emailChangeMail, data, delaySeconds);
    await queueSecurityMail(services, tx, userId, "email-change-asked");
  });
}

/**
 * Moves the account to the new address in the caller's transaction, after its mailed link was opened. The new address
 * counts as verified, the old one gets a mail, and sessions go on. A link that was used already succeeds again. Returns
 * false when the link is no longer valid. If somebody else has taken the address by now, throws a refusal or a unique
 * violation.
 */
export async function confirmEmailChange(
  services: Services,
  tx: Transaction,
  { userId, email, from }: Extract<Grant, { purpose: "email" }>,
): Promise<boolean> {
  const holder = await lockAccount(tx, userId, "update");
  if (!holder || holder.role === "admin" || !hasAccess(holder)) return false;
  if (holder.email === email) return true;
  // The change may have been called off, or another address requested since. The holder's lock makes this check safe.
  if (holder.email !== from || (await askedEmailOf(tx, userId)) !== email) return false;
  if (services.environment.adminEmails.includes(email)) throw new Refusal("auth/email-already-in-use");
  await recordAudit(tx, { action: "email-changed", actorId: userId, subjectId: userId });
  // The link stays until it expires: opened again, it says once more that it worked.
  await moveAccount(services, tx, holder, email);
  return true;
}

/** Gives an account that the caller has locked another address, which counts as verified. */
async function moveAccount(services: Services, tx: Transaction, holder: Account, email: string) {
  const { id: userId, email: former } = holder;
  await tx.update(user).set({ email, emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  if (await isDenied(tx, email)) throw new Refusal("auth/email-already-in-use");
  // A link in the former mailbox must not set a password any more.
  await withdrawLinks(tx, { purpose: "reset", userId });
  await dropAskedEmail(tx, userId);
  await queueMail(services.jobs, tx, emailChangedMail, { to: former, firstName: nameToGreet(holder) });
  if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
}

/**
 * Moves an account to an address that the operator names, as when an intruder has moved it away. Ends what
 * a password that is set through the emailed link ends, and mails such a link to that address. Throws a refusal when the
 * account is an admin's, or the address is taken.
 */
export async function moveAccountByOperator(
  services: Services,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const { database, environment, jobs } = services;
  if (environment.adminEmails.includes(email) || (await isTakenAddress(database.db, email)))
    throw new Refusal("auth/email-already-in-use");
  await database.transaction(async (tx) => {
    const holder = await lockAccount(tx, userId, "update");
    if (!holder || holder.role === "admin") throw new Refusal("permission-denied");
    await recordAudit(tx, { action: "email-changed", ...actedBy(null), subjectId: userId });
    await moveAccount(services, tx, holder, email);
    await endCredentials(services, tx, userId, { keepsOldFactors: true });
    await queueMail(jobs, tx, resetMail, { email });
  });
}

/** Calls off the change that waits to be confirmed, if there is one. Its link does nothing from then on. */
export async function cancelEmailChange({ database }: Services, actor: Actor): Promise<void> {
  const { userId } = actor;
  await database.transaction(async (tx) => {
    await lockAccount(tx, userId, "update");
    if ((await askedEmailOf(tx, userId)) === null) return;
    await dropAskedEmail(tx, userId);
    await recordOwn(tx, "email-change-cancelled", actor);
  });
}
