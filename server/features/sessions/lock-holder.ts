import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { type Account, lockAccount } from "#server/features/account/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { SessionActor } from "./sessions.ts";
import { session as sessionTable } from "./tables.ts";

/** Locks the account of a user who changes their sign-in methods. */
export async function lockHolder(tx: Transaction, userId: string): Promise<Account> {
  const holder = await lockAccount(tx, userId);
  if (!holder || !hasAccess(holder)) throw new Refusal("permission-denied");
  return holder;
}

/**
 * Locks the account of a user who adds something lasting. Refuses if the session has ended in the meantime, because
 * ending it is meant to stop such changes.
 */
export async function lockInSession(tx: Transaction, { userId, session }: SessionActor): Promise<Account> {
  const holder = await lockHolder(tx, userId);
  if ((await tx.$count(sessionTable, eq(sessionTable.id, session.id))) === 0)
    throw new Refusal("unauthenticated");
  return holder;
}

/** Locks the account of a user who adds a credential. Refuses if its address is not verified. */
export async function lockForAdding(tx: Transaction, actor: SessionActor): Promise<Account> {
  const holder = await lockInSession(tx, actor);
  if (!holder.emailVerified) throw new Refusal("account/unverified");
  return holder;
}
