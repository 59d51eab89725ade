import { and, eq } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import type { AccountStatus } from "#domain/account.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { user } from "./tables.ts";

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

/** Returns the ids of the admins, for notifications to all of them. */
export async function activeAdmins(db: Reader): Promise<string[]> {
  const isActiveAdmin = and(eq(user.role, "admin"), eq(user.status, "active"));
  return (await db.select({ id: user.id }).from(user).where(isActiveAdmin)).map(({ id }) => id);
}

/** Returns an account as its holder sees it in a session. */
export async function viewerById(
  db: Reader,
  userId: string,
  { lacksSecondFactor }: Pick<Viewer, "lacksSecondFactor">,
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
