import type { ErrorCode } from "#domain/error-catalogue.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { countRecoveryCodes, takeRecoveryCode } from "../recovery-codes.ts";

/** The password was right, and a code is needed as well, or was not right. */
export type SecondFactorRefusal = Extract<
  ErrorCode,
  "account/second-factor" | "auth/invalid-verification-code"
>;

/**
 * What an account with an authenticator app lacks beside the right password; null for nothing. Takes the code, or a
 * recovery code in its place.
 */
export async function lackingSecondFactor(
  { secondFactors }: Services,
  tx: Transaction,
  who: Actor,
  code: string,
): Promise<SecondFactorRefusal | null> {
  if (!(await secondFactors.isSetUp(tx, who.userId))) return null;
  if (code.trim() === "") return "account/second-factor";
  if (await secondFactors.take(tx, who.userId, code)) return null;
  return (await useRecoveryCode(tx, who, code)) ? null : "auth/invalid-verification-code";
}

async function useRecoveryCode(tx: Transaction, { userId, address }: Actor, code: string): Promise<boolean> {
  if (!(await takeRecoveryCode(tx, userId, code))) return false;
  const detail = { left: String(await countRecoveryCodes(tx, userId)) };
  await recordAudit(tx, {
    action: "recovery-code-used",
    actorId: userId,
    subjectId: userId,
    address,
    detail,
  });
  return true;
}
