import { createHash, randomBytes } from "node:crypto";
import { and, count, eq } from "drizzle-orm";
import {
  recoveryCodeBytes,
  recoveryCodeCount,
  recoveryCodeOf,
  recoveryCodeTyped,
} from "#domain/recovery-code.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { recoveryCode } from "./tables.ts";

/** Enough for 125 random bits, which nobody can try. */
const hashOf = (code: string) => createHash("sha256").update(`recovery code:${code}`).digest("base64url");

/** New codes in place of the former ones. They are shown once; only their hashes are kept. */
export async function renewRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    recoveryCodeOf(randomBytes(recoveryCodeBytes)),
  );
  await deleteRecoveryCodes(tx, userId);
  await tx.insert(recoveryCode).values(codes.map((code) => ({ userId, hash: hashOf(code) })));
  return codes;
}

export async function deleteRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId));
}

export async function countRecoveryCodes(db: Reader, userId: string): Promise<number> {
  const [found] = await db
    .select({ left: count() })
    .from(recoveryCode)
    .where(eq(recoveryCode.userId, userId));
  return found?.left ?? 0;
}

/** Uses a typed code up: true once for each, also when it comes twice at the same moment. */
export async function takeRecoveryCode(db: Reader, userId: string, typed: string): Promise<boolean> {
  const code = recoveryCodeTyped(typed);
  if (code === null) return false;
  const taken = await db
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.hash, hashOf(code))))
    .returning({ userId: recoveryCode.userId });
  return taken.length > 0;
}
