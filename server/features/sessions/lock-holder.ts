import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { type Account, lockAccount } from "#server/features/account/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { SessionActor } from "./sessions.ts";
import { session as sessionTable } from "./tables.ts";

/** Locks the account of somebody who changes its sign-in methods. */
export async function lockHolder(tx: Transaction, userId: string): Promise<Account> {
  const holder = await lockAccount(tx, userId);
  if (!holder || !hasAccess(holder)) throw new Refusal("permission-denied");
  return holder;
}

/**
 * Locks the account of somebody who adds what outlasts the call. Refuses if the session has ended meanwhile: whoever ended
 * it wanted to stop what it could do.
 */
export async function lockInSession(tx: Transaction, { userId, session }: SessionActor): Promise<Account> {
  const holder = await lockHolder(tx, userId);
  if ((await tx.$count(sessionTable, eq(sessionTable.id, session.id))) === 0)
    throw new Refusal("unauthenticated");
  return holder;
}

/** Locks the account of somebody who adds a credential. Refuses if they have not shown that its address is theirs. */
export async function lockForAdding(tx: Transaction, actor: SessionActor): Promise<Account> {
  const holder = await lockInSession(tx, actor);
  if (!holder.emailVerified) throw new Refusal("account/unverified");
  return holder;
}
