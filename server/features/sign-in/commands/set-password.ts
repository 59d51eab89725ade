import { eq } from "drizzle-orm";
import { adminPasswordMinLength } from "#domain/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { type NewPassword, newPasswordProblem } from "#domain/password.ts";
import { outcomeSentences, type SetPasswordOutcome } from "#domain/set-password-outcome.ts";
import { resetProblem } from "#domain/sign-in.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { createAccount, setCredential } from "#server/features/account/commands/create-account.ts";
import { keepAccount } from "#server/features/account/commands/keep-account.ts";
import { lockAccount } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import type { Enrolment } from "#server/features/second-factor/codes.ts";
import { passkey } from "#server/features/second-factor/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { findLink, type Grant, redeemLink, withdrawPasswordLinks } from "../links.ts";
import { resetMail } from "../mails.ts";
import { endCredentials } from "./end-credentials.ts";

/** Seconds until the job checks whether there is an account, so that the response time doesn't reveal it. */
const delaySeconds = 1;

/** Queues the same job for every address, because the response must not reveal whether it has an account. */
export async function requestPasswordReset(
  services: Services,
  form: { email: string; next?: string | undefined },
  address: string,
): Promise<void> {
  const problem = resetProblem(form.email);
  if (problem) throw Refusal.of(problem);
  requireAllowance(await services.limits.requestReset(address), "auth/too-many-requests");
  const email = normaliseEmail(form.email);
  const mail = { email, next: form.next };
  await services.database.transaction((tx) => queueMail(services.jobs, tx, resetMail, mail, delaySeconds));
}

type PasswordGrant = Extract<Grant, { purpose: "reset" | "admin" }>;
export type PasswordLink = {
  purpose: PasswordGrant["purpose"];
  minLength: number;
  /** The key for the authenticator app; null unless a second factor is required. */
  secondFactor: Enrolment | null;
};

/** Returns the minimum length of a new password in characters. */
export const minLengthOf = ({ environment }: Pick<Services, "environment">, isAdmin: boolean): number =>
  Math.max(environment.passwordMinLength, isAdmin ? adminPasswordMinLength : 0);

/** Whether a link sets up the second factor along with the password. A reset leaves it as it is. */
const setsSecondFactor = ({ environment }: Services, grant: PasswordGrant): boolean =>
  grant.purpose === "admin" && environment.secondFactorRequired.includes("admin");

const invalidLink = () => new Refusal("auth/invalid-action-code");

/**
 * Returns what a link grants and its account, which doesn't exist yet for a new admin. Refuses a link that can't be
 * used any more, because the account is gone or the address is no longer in ADMIN_EMAILS.
 */
async function requireUsableLink({ environment }: Services, db: Reader, grant: Grant | null) {
  if (grant?.purpose !== "reset" && grant?.purpose !== "admin") throw invalidLink();
  const isHolder = grant.purpose === "reset" ? eq(user.id, grant.userId) : eq(user.email, grant.email);
  const [holder] = await db
    .select({ id: user.id, email: user.email, role: user.role, name: user.name })
    .from(user)
    .where(isHolder);
  if (grant.purpose === "admin" && environment.adminEmails.includes(grant.email))
    return { grant, holder, email: grant.email };
  if (grant.purpose === "reset" && holder) return { grant, holder, email: holder.email };
  throw invalidLink();
}

async function openLink(services: Services, token: string) {
  const { db } = services.database;
  const { grant, holder, email } = await requireUsableLink(services, db, await findLink({ db }, token));
  const isAdmin = grant.purpose === "admin" || holder?.role === "admin";
  const link: PasswordLink = {
    purpose: grant.purpose,
    minLength: minLengthOf(services, isAdmin),
    secondFactor: setsSecondFactor(services, grant)
      ? services.secondFactors.enrolmentFor(token, email)
      : null,
  };
  return { link, ownWords: [email, holder?.name ?? ""] };
}

/** Describes a link without redeeming it. */
export async function inspectPasswordLink(services: Services, token: string): Promise<PasswordLink> {
  return (await openLink(services, token)).link;
}

/**
 * Sets the password that a link grants, and ends what others may have added to the account (docs/product.md, "Getting
 * an account back"). Clears the account's lock. The cookies mark the browser as known to the account, so that strangers
 * can't lock the holder out of the next login. A refused password leaves the link usable.
 */
export async function setPassword(
  services: Services,
  input: NewPassword & { token: string; code: string },
  address: string,
): Promise<{ cookies: string[]; outcome: SetPasswordOutcome }> {
  const { signedCookies, passwords } = services;
  const { link, ownWords } = await openLink(services, input.token);
  const policy = { minLength: link.minLength, ownWords, isCommon: isCommonPassword };
  const problem = newPasswordProblem(input, policy);
  if (problem) throw Refusal.of(problem);
  const codeStep = link.secondFactor ? services.secondFactors.stepFor(input.token, input.code) : 0;
  if (codeStep === null) throw new Refusal("auth/invalid-verification-code", { field: "code" });
  // The link has shown that the holder reads this mailbox.
  const hash = await passwords.hash(input.password, { address, isKnown: true });
  const proof = { token: input.token, codeStep, hash, address };
  const { outcome, ...account } = await services.database.transaction((tx) => store(services, tx, proof));
  return { cookies: [...signedCookies.closingCookies(), signedCookies.devices.create(account)], outcome };
}

type Proof = { token: string; codeStep: number; hash: string; address: string };

async function store(services: Services, tx: Transaction, { token, codeStep, hash, address }: Proof) {
  const { grant, holder, email } = await requireUsableLink(services, tx, await redeemLink(tx, token));
  const id = grant.purpose === "admin" ? await makeAdmin(tx, email, holder, hash) : grant.userId;
  await setCredential(tx, id, hash);
  const account = await lockAccount(tx, id);
  if (!account) throw invalidLink();
  // An unverified account may have been a stranger's until now, so its older factors end too.
  const keepsOldFactors = grant.purpose === "reset" && account.emailVerified;
  const { browserEpoch, ended } = await endCredentials(services, tx, id, { keepsOldFactors });
  if (setsSecondFactor(services, grant)) await services.secondFactors.store(tx, id, token, codeStep);
  const deletion = await keepAccount(services, tx, account, address);
  // Opening the mailed link verifies the address.
  await tx.update(user).set({ emailVerified: true, updatedAt: new Date() }).where(eq(user.id, id));
  await withdrawPasswordLinks(tx, { id, email });
  await recordOwn(tx, grant.purpose === "admin" ? "admin-created" : "password-set", { userId: id, address });
  const remaining = {
    authenticator: await services.secondFactors.isSetUp(tx, id),
    passkeys: await tx.$count(passkey, eq(passkey.userId, id)),
  };
  const outcome = { ended: { ...ended, deletion }, remaining };
  // An admin's new account is created by this step and has no holder before it.
  if (holder)
    await queueSecurityMail(services, tx, id, "password-set", { details: outcomeSentences(outcome) });
  tx.afterCommit(() => services.limits.clearPassword(email));
  return { email, browserEpoch, outcome };
}

/** Creates an admin's account, or promotes an existing account; returns its id. Deletes a denial of the address. */
async function makeAdmin(
  tx: Transaction,
  email: string,
  holder: { id: string } | undefined,
  hash: string,
): Promise<string> {
  await tx.delete(deniedAgent).where(eq(deniedAgent.email, email));
  if (!holder) return await createAccount(tx, { role: "admin", status: "active", email }, hash);
  const { id } = holder;
  await tx.update(user).set({ role: "admin", status: "active", deletionDueAt: null }).where(eq(user.id, id));
  return id;
}
