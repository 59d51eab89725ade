import { randomUUID } from "node:crypto";
import type { Transaction } from "#server/platform/database.ts";
import { account, user } from "../tables.ts";

type Profile = Pick<typeof user.$inferInsert, "role" | "status" | "email"> &
  Partial<typeof user.$inferInsert>;

/** Inserts an account and its password's hash; returns the new id. A taken address causes a unique violation. */
export async function createAccount(
  tx: Transaction,
  profile: Omit<Profile, "id" | "name">,
  passwordHash: string,
): Promise<string> {
  const id = randomUUID();
  const name = `${profile.firstName ?? ""} ${profile.lastName ?? ""}`.trim();
  await tx.insert(user).values({ ...profile, id, name });
  await setCredential(tx, id, passwordHash);
  return id;
}

/** Sets or replaces the password's hash. */
export async function setCredential(tx: Transaction, userId: string, password: string): Promise<void> {
  const updatedAt = new Date();
  await tx
    .insert(account)
    .values({ id: randomUUID(), accountId: userId, userId, providerId: "credential", password })
    .onConflictDoUpdate({ target: [account.userId, account.providerId], set: { password, updatedAt } });
}
