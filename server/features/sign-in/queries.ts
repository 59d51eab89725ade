import { and, eq, sql } from "drizzle-orm";
import type { SignInSubject } from "#domain/sign-in.ts";
import { account, deniedAgent, user } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";

/** The account behind a login's address, with the hash of its password; `passwordHash` is null if there is none. */
export type LoginCandidate = {
  subject: SignInSubject;
  userId: string | null;
  passwordHash: string | null;
  browserEpoch: number;
};

export async function claimantByEmail(db: Reader, email: string): Promise<LoginCandidate> {
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

/** Call this once an account has the address: until then, a denial in progress still holds the unique address. */
export const isDenied = async (tx: Transaction, email: string): Promise<boolean> =>
  (await tx.$count(deniedAgent, eq(deniedAgent.email, email))) > 0;

/** Whether an address belongs to an account, or to a denied agent. */
export async function isTakenAddress(db: Reader, email: string): Promise<boolean> {
  const { subject } = await claimantByEmail(db, email);
  return subject.kind !== "unknown";
}
