import { and, eq, sql } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import type { AccountStatus } from "#domain/account.ts";
import type { SignInSubject } from "#domain/sign-in.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { countRecoveryCodes } from "./second-factor.ts";
import type { Session } from "./sessions.ts";
import { account, deniedAgent, hasSecondFactor, passkey, secondFactor, user } from "./tables.ts";

export type Account = typeof user.$inferSelect;

export async function accountById(db: Reader, id: string): Promise<Account | undefined> {
  const [row] = await db.select().from(user).where(eq(user.id, id));
  return row;
}

/**
 * Reads an account and locks it until the transaction ends, so that the second of two concurrent changes sees the
 * result of the first. `update` also waits for every transaction that is writing a reference to the account.
 */
export async function lockAccount(
  tx: Transaction,
  id: string,
  strength: "update" | "no key update" = "no key update",
): Promise<Account | undefined> {
  const [row] = await tx.select().from(user).where(eq(user.id, id)).for(strength);
  return row;
}

/** Whether an account has a second factor. */
export async function hasAnySecondFactor(db: Reader, userId: string): Promise<boolean> {
  const [row] = await db.select({ hasSecondFactor }).from(user).where(eq(user.id, userId));
  return row?.hasSecondFactor ?? false;
}

/** Returns the ids of the admins, for notifications to all of them. */
export async function activeAdmins(db: Reader): Promise<string[]> {
  const isActiveAdmin = and(eq(user.role, "admin"), eq(user.status, "active"));
  return (await db.select({ id: user.id }).from(user).where(isActiveAdmin)).map(({ id }) => id);
}

/** Returns an account as its holder sees it in a session. */
export async function viewerById(
  db: Reader,
  userId: string,
  { lacksSecondFactor }: Pick<Session, "lacksSecondFactor">,
): Promise<Viewer | null> {
  const [row] = await db
    .select({
      id: user.id,
      role: user.role,
      status: user.status,
      email: user.email,
      emailVerified: user.emailVerified,
      firstName: user.firstName,
      lastName: user.lastName,
      phone: user.phone,
      agency: user.agency,
    })
    .from(user)
    .where(eq(user.id, userId))
    .prepare("viewer")
    .execute();
  return row ? { ...row, lacksSecondFactor } : null;
}

/**
 * Returns the present role and status, locked until the transaction ends. Commands decide by these, not by the
 * session's cache.
 */
export async function lockStatus(tx: Transaction, userId: string): Promise<AccountStatus | null> {
  const [row] = await tx
    .select({ role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, userId))
    .for("share");
  return row ?? null;
}

/** Returns the acting account as it is now, locked like `lockStatus`; refuses unless it may act. */
export async function lockActor(
  tx: Transaction,
  { userId }: Pick<Actor, "userId">,
  allowed: (who: AccountStatus) => boolean,
): Promise<AccountStatus & { id: string }> {
  const status = await lockStatus(tx, userId);
  if (status === null || !allowed(status)) throw new Refusal("permission-denied");
  return { ...status, id: userId };
}

/** The account behind a login's address, with the hash of its password; `passwordHash` is null where there is none. */
export type Claimant = {
  subject: SignInSubject;
  userId: string | null;
  passwordHash: string | null;
  browserEpoch: number;
};

export async function claimantByEmail(db: Reader, email: string): Promise<Claimant> {
  const [row] = await db
    .select({
      id: user.id,
      role: user.role,
      status: user.status,
      browserEpoch: user.browserEpoch,
      password: account.password,
    })
    .from(user)
    .leftJoin(account, and(eq(account.userId, user.id), eq(account.providerId, "credential")))
    .where(eq(user.email, email));
  // This query always runs, so that an unknown address takes as long as a known one.
  const [denied] = await db
    .select({ password: deniedAgent.password })
    .from(deniedAgent)
    .where(eq(deniedAgent.email, email));
  if (row) {
    const { role, status, password: passwordHash, browserEpoch } = row;
    return { subject: { kind: "account", role, status }, userId: row.id, passwordHash, browserEpoch };
  }
  const nobody = { userId: null, browserEpoch: 0 };
  if (denied) return { ...nobody, subject: { kind: "denied" }, passwordHash: denied.password || null };
  return { ...nobody, subject: { kind: "unknown" }, passwordHash: null };
}

/** Whether hashes of an earlier version are left. Usually there are none, and a partial index answers quickly. */
export async function hasOlderHashes(db: Reader): Promise<boolean> {
  const { rows } = await db.execute<{ remain: boolean }>(sql`
    select exists (select 1 from ${account} where ${account.password} not like '$argon2id$%')
      or exists (select 1 from ${deniedAgent}
        where ${deniedAgent.password} <> '' and ${deniedAgent.password} not like '$argon2id$%') as remain`);
  return rows[0]?.remain ?? false;
}

/** Ask this once an account has the address: until then, a denial in progress still holds the unique address. */
export const isDenied = async (tx: Transaction, email: string): Promise<boolean> =>
  (await tx.$count(deniedAgent, eq(deniedAgent.email, email))) > 0;

/** Whether an address belongs to an account, or to a denied agent. */
export async function isTakenAddress(db: Reader, email: string): Promise<boolean> {
  const { subject } = await claimantByEmail(db, email);
  return subject.kind !== "unknown";
}

/** Returns the sign-in methods of an account, beside its password. */
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
