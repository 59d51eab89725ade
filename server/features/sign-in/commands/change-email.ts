import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { crowdedMailbox, type EmailChange, emailChangeProblem } from "#domain/email-change.ts";
import { mayHaveProfile } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { type Account, accountById, lockAccount } from "#server/features/account/queries.ts";
import {
  deleteRequestedEmail,
  requestedEmailOf,
  saveRequestedEmail,
} from "#server/features/account/requested-email.ts";
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
import { attemptOwnPassword, type Client, requireRecentLoginBesidePassword } from "./attempt-password.ts";
import { endCredentials } from "./end-credentials.ts";

/** Seconds until the job checks whether the address is taken, so that the response time doesn't reveal it. */
const delaySeconds = 1;

/**
 * Requests a change of email address. The password proves the caller's identity, and a wrong one counts as a failed
 * login; the mailed link proves that the address is theirs. Nothing changes before that.
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
  await requireRecentLoginBesidePassword(services, session);
  const { refund } = await attemptOwnPassword(services, client, input.password);
  await refund();
  requireAllowance(await limits.emailChange(userId));
  requireAllowance(
    await limits.changeMail(normaliseEmail(input.email)),
    "resource-exhausted",
    crowdedMailbox,
  );
  await database.transaction(async (tx) => {
    const actor = { userId, address, session };
    if (!mayHaveProfile(await lockInSession(tx, actor))) throw new Refusal("permission-denied");
    await recordOwn(tx, "email-change-asked", actor);
    const data = { userId, email: normaliseEmail(input.email), from: holder.email };
    await saveRequestedEmail(tx, userId, data.email);
    await queueMail(services.jobs, tx, emailChangeMail, data, delaySeconds);
    await queueSecurityMail(services, tx, userId, "email-change-asked");
  });
}

/**
 * Moves the account to the new address in the caller's transaction, after its mailed link was opened. The new address
 * counts as verified, the old one gets a mail, and sessions continue. A used link succeeds again. Returns false if the
 * link is no longer valid. Throws a refusal or a unique violation if the address has been taken in the meantime.
 */
export async function confirmEmailChange(
  services: Services,
  tx: Transaction,
  { userId, email, from }: Extract<Grant, { purpose: "email" }>,
): Promise<boolean> {
  const holder = await lockAccount(tx, userId, "update");
  if (!holder || holder.role === "admin" || !hasAccess(holder)) return false;
  if (holder.email === email) return true;
  // The change may have been cancelled, or another address requested since. The holder's lock makes this check safe.
  if (holder.email !== from || (await requestedEmailOf(tx, userId)) !== email) return false;
  if (services.environment.adminEmails.includes(email)) throw new Refusal("auth/email-already-in-use");
  await recordAudit(tx, { action: "email-changed", actorId: userId, subjectId: userId });
  // Keeps the link until it expires, so that opening it again still reports success.
  await moveAccount(services, tx, holder, email);
  return true;
}

/** Changes the address of an account that the caller has locked. The new one counts as verified. */
async function moveAccount(services: Services, tx: Transaction, holder: Account, email: string) {
  const { id: userId, email: former } = holder;
  await tx.update(user).set({ email, emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  if (await isDenied(tx, email)) throw new Refusal("auth/email-already-in-use");
  // A link in the former mailbox must not set a password any more.
  await withdrawLinks(tx, { purpose: "reset", userId });
  await deleteRequestedEmail(tx, userId);
  await queueMail(services.jobs, tx, emailChangedMail, { to: former, firstName: nameToGreet(holder) });
  if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
}

/**
 * Moves an account to an address that the operator names, for example after an intruder has moved it away. Ends the
 * same credentials as a password reset, and mails a reset link to that address. Throws a refusal if the account is an
 * admin's, or the address is taken.
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

/** Cancels the pending change, if there is one. Its link does nothing from then on. */
export async function cancelEmailChange({ database }: Services, actor: Actor): Promise<void> {
  const { userId } = actor;
  await database.transaction(async (tx) => {
    await lockAccount(tx, userId, "update");
    if ((await requestedEmailOf(tx, userId)) === null) return;
    await deleteRequestedEmail(tx, userId);
    await recordOwn(tx, "email-change-cancelled", actor);
  });
}
