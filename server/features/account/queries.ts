import { and, eq, sql } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import type { AccountStatus } from "#domain/account.ts";
import { lacksSecondFactor } from "#domain/second-factor.ts";
import type { SignInSubject } from "#domain/sign-in.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";
import { account, deniedAgent, passkey, secondFactor, user } from "./tables.ts";

const viewerFields = {
  id: user.id,
  role: user.role,
  status: user.status,
  email: user.email,
  emailVerified: user.emailVerified,
  firstName: user.firstName,
  lastName: user.lastName,
  phone: user.phone,
  agency: user.agency,
};

/** Whether an account has a second factor, in a query of accounts. By name, as Drizzle shortens columns of one table. */
export const hasSecondFactor = sql<boolean>`(
  exists (select from second_factor where second_factor.user_id = "user".id)
  or exists (select from passkey where passkey.user_id = "user".id))`;

/** Whether this account has one. */
export async function hasAnySecondFactor(db: Reader, userId: string): Promise<boolean> {
  const [found] = await db.select({ hasSecondFactor }).from(user).where(eq(user.id, userId));
  return found?.hasSecondFactor ?? false;
}

/** Ids of the admins, for what all of them are notified of. */
export async function activeAdmins(db: Reader): Promise<string[]> {
  const isActiveAdmin = and(eq(user.role, "admin"), eq(user.status, "active"));
  return (await db.select({ id: user.id }).from(user).where(isActiveAdmin)).map(({ id }) => id);
}

/** An account as its holder sees it. */
export async function viewerById(
  { environment }: Pick<Services, "environment">,
  db: Reader,
  userId: string,
): Promise<Viewer | null> {
  const [found] = await db
    .select({ ...viewerFields, hasSecondFactor })
    .from(user)
    .where(eq(user.id, userId))
    .prepare("viewer")
    .execute();
  if (!found) return null;
  const { hasSecondFactor: has, ...viewer } = found;
  const about = { role: viewer.role, hasSecondFactor: has };
  return { ...viewer, lacksSecondFactor: lacksSecondFactor(about, environment.secondFactorRequired) };
}

/**
 * Role and status as they are now, kept so until the transaction ends: commands decide by this, not by what the
 * session's cache says.
 */
export async function lockStatus(tx: Transaction, userId: string): Promise<AccountStatus | null> {
  const [found] = await tx
    .select({ role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, userId))
    .for("share");
  return found ?? null;
}

/** Whoever acts, as they are now; refused unless they may. Locked like `lockStatus`. */
export async function lockActor(
  tx: Transaction,
  { userId }: Pick<Actor, "userId">,
  allowed: (who: AccountStatus) => boolean,
): Promise<AccountStatus & { id: string }> {
  const status = await lockStatus(tx, userId);
  if (status === null || !allowed(status)) throw new Refusal("permission-denied");
  return { ...status, id: userId };
}

/** Who logs in with an address, and the hash of the right password; `passwordHash` is null where there is none. */
export type Claimant = { subject: SignInSubject; userId: string | null; passwordHash: string | null };

export async function claimantByEmail(db: Reader, email: string): Promise<Claimant> {
  const [found] = await db
    .select({
      id: user.id,
      role: user.role,
      status: user.status,
      deletionDueAt: user.deletionDueAt,
      password: account.password,
    })
    .from(user)
    .leftJoin(account, and(eq(account.userId, user.id), eq(account.providerId, "credential")))
    .where(eq(user.email, email));
  // Asked in any case: an unknown address takes as long as a known one.
  const [denied] = await db
    .select({ password: deniedAgent.password })
    .from(deniedAgent)
    .where(eq(deniedAgent.email, email));
  if (found) {
    const { role, status, deletionDueAt } = found;
    const subject: SignInSubject = { kind: "account", role, status, asksForDeletion: deletionDueAt !== null };
    return { subject, userId: found.id, passwordHash: found.password };
  }
  if (denied) return { subject: { kind: "denied" }, userId: null, passwordHash: denied.password || null };
  return { subject: { kind: "unknown" }, userId: null, passwordHash: null };
}

/** Whether an address belongs to an account, or to a denied agent. */
export async function isTakenAddress(db: Reader, email: string): Promise<boolean> {
  const { subject } = await claimantByEmail(db, email);
  return subject.kind !== "unknown";
}

/** How an account is logged in to, beside its password. */
export async function signInMethodsOf(db: Reader, userId: string) {
  const [authenticator] = await db
    .select({ since: secondFactor.createdAt })
    .from(secondFactor)
    .where(eq(secondFactor.userId, userId));
  const recoveryCodes = await countRecoveryCodes(db, userId);
  const passkeys = await db
    .select({
      id: passkey.id,
      name: passkey.name,
      since: passkey.createdAt,
      lastUsed: passkey.lastUsedAt,
    })
    .from(passkey)
    .where(eq(passkey.userId, userId))
    .orderBy(passkey.createdAt, passkey.id);
  return { authenticator: authenticator ? { ...authenticator, recoveryCodes } : null, passkeys };
}
