import { eq } from "drizzle-orm";
import { adminPasswordMinLength } from "#domain/account.ts";
import { type NewPassword, newPasswordProblem } from "#domain/password.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { dropEmailChange } from "../asked-email.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { findLink, type Grant, redeemLink, withdrawLinks } from "../links.ts";
import type { Enrolment } from "../second-factor.ts";
import { queueSecurityMail } from "../security-mails.ts";
import { deniedAgent, user } from "../tables.ts";
import { createAccount, setCredential } from "./create-account.ts";

type PasswordGrant = Extract<Grant, { purpose: "reset" | "admin" }>;
export type PasswordLink = {
  purpose: PasswordGrant["purpose"];
  minLength: number;
  /** What the authenticator app is to be set up with, where a second factor is required. */
  secondFactor: Enrolment | null;
};
const isPasswordGrant = (grant: Grant | null): grant is PasswordGrant =>
  grant?.purpose === "reset" || grant?.purpose === "admin";
type Holder = { id: string; email: string; role: string; name: string };

async function holderOf(db: Reader, grant: PasswordGrant) {
  const whose = grant.purpose === "reset" ? eq(user.id, grant.userId) : eq(user.email, grant.email);
  const [found] = await db
    .select({ id: user.id, email: user.email, role: user.role, name: user.name })
    .from(user)
    .where(whose);
  return found ?? null;
}

/** Fewest characters of a new password. */
export const minLengthOf = ({ environment }: Pick<Services, "environment">, isAdmin: boolean): number =>
  Math.max(environment.passwordMinLength, isAdmin ? adminPasswordMinLength : 0);

const minLengthFor = (services: Services, grant: PasswordGrant, holder: Holder | null): number =>
  minLengthOf(services, grant.purpose === "admin" || holder?.role === "admin");

/** Whether the grant can still be used: its account exists, or its address is still an admin's. */
function stillHolds({ environment }: Services, grant: PasswordGrant, holder: Holder | null): boolean {
  return grant.purpose === "admin" ? environment.adminEmails.includes(grant.email) : holder !== null;
}

/** An admin's link sets up the second factor along with the password; a reset leaves it as it is. */
function needsSecondFactor(
  { environment }: Services,
  grant: PasswordGrant,
): grant is Extract<Grant, { purpose: "admin" }> {
  return grant.purpose === "admin" && environment.secondFactorRequired.includes("admin");
}

const invalidLink = () => new Refusal("auth/invalid-action-code");

type OpenLink = PasswordLink & { ownWords: readonly string[] };

async function openLink(services: Services, token: string): Promise<OpenLink> {
  const grant = await findLink(services, token);
  if (!isPasswordGrant(grant)) throw invalidLink();
  const holder = await holderOf(services.database.db, grant);
  if (!stillHolds(services, grant, holder)) throw invalidLink();
  const secondFactor = needsSecondFactor(services, grant)
    ? services.secondFactors.enrolmentFor(token, grant.email)
    : null;
  const ownWords = holder ? [holder.email, holder.name] : grant.purpose === "admin" ? [grant.email] : [];
  return { purpose: grant.purpose, minLength: minLengthFor(services, grant, holder), secondFactor, ownWords };
}

/** What a link is for, without using it up. */
export async function inspectPasswordLink(services: Services, token: string): Promise<PasswordLink> {
  const { ownWords: _private, ...shown } = await openLink(services, token);
  return shown;
}

/**
 * Sets the password that a link grants, ends every session of the account and clears its lock. Resolves to cookies: the
 * browser counts as one that the account knows, so that whatever strangers do, the next login can be made in it. A
 * password that is refused leaves the link usable.
 */
export async function setPassword(
  services: Services,
  input: NewPassword & { token: string; code: string },
  address: string,
): Promise<string[]> {
  const { identity } = services;
  const { minLength, ownWords, secondFactor } = await openLink(services, input.token);
  const problem = newPasswordProblem(input, { minLength, ownWords, isCommon: isCommonPassword });
  if (problem) throw Refusal.of(problem);
  if (secondFactor && !services.secondFactors.isRightFor(input.token, input.code))
    throw new Refusal("auth/invalid-verification-code", { field: "code" });
  const hash = await identity.passwords.hash(input.password);
  const email = await services.database.transaction((tx) => store(services, tx, input.token, hash, address));
  return [...identity.closingCookies(), identity.devices.create(email)];
}

async function store(
  services: Services,
  tx: Transaction,
  token: string,
  hash: string,
  address: string,
): Promise<string> {
  const grant = await redeemLink(tx, token);
  if (!isPasswordGrant(grant)) throw invalidLink();
  const holder = await holderOf(tx, grant);
  if (!stillHolds(services, grant, holder)) throw invalidLink();
  const account = grant.purpose === "admin" ? await makeAdmin(tx, grant.email, holder, hash) : holder;
  if (account === null) throw invalidLink();
  const { id, email } = account;
  await setCredential(tx, id, hash);
  if (needsSecondFactor(services, grant)) await services.secondFactors.store(tx, id, token);
  // Whoever opened the mailed link reads that mailbox.
  await tx.update(user).set({ emailVerified: true, updatedAt: new Date() }).where(eq(user.id, id));
  await withdrawLinks(tx, grant);
  // Whoever knew the former password may have asked for another address.
  await dropEmailChange(tx, id);
  const action = grant.purpose === "admin" ? "admin-created" : "password-set";
  await recordAudit(tx, { action, actorId: id, subjectId: id, address });
  // A new admin's account came to be by this.
  if (holder) await queueSecurityMail(services, tx, id, "password-set");
  await services.sessions.endAll(tx, id);
  tx.afterCommit(() => services.limits.clearPassword(email));
  return email;
}

/** A new account, or an existing one that the link makes an admin's. A denial of the address no longer counts. */
async function makeAdmin(tx: Transaction, email: string, holder: Holder | null, hash: string) {
  await tx.delete(deniedAgent).where(eq(deniedAgent.email, email));
  if (holder === null)
    return { id: await createAccount(tx, { role: "admin", status: "active", email }, hash), email };
  await tx
    .update(user)
    .set({ role: "admin", status: "active", deletionDueAt: null })
    .where(eq(user.id, holder.id));
  return holder;
}
