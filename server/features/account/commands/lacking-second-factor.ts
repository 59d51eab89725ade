import type { Role } from "#domain/account.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { hasAnySecondFactor } from "../queries.ts";
import { countRecoveryCodes, takeRecoveryCode } from "../recovery-codes.ts";
import { queueSecurityMail } from "../security-mails.ts";

/** The password was right, and a code is needed as well, or was not right. */
export type SecondFactorRefusal = Extract<
  ErrorCode,
  "account/second-factor" | "account/passkey" | "auth/invalid-verification-code"
>;

/**
 * What an account lacks beside the right password; null for nothing. With an authenticator app it is a code, which is
 * taken, or a recovery code. Where a second factor is required and all there is of it are passkeys, it is one of these.
 */
export async function lackingSecondFactor(
  services: Services,
  tx: Transaction,
  { role, ...who }: Actor & { role: Role },
  code: string,
): Promise<SecondFactorRefusal | null> {
  const { environment, secondFactors } = services;
  if (!(await secondFactors.isSetUp(tx, who.userId))) {
    const isRequired = environment.secondFactorRequired.includes(role);
    return isRequired && (await hasAnySecondFactor(tx, who.userId)) ? "account/passkey" : null;
  }
  if (code.trim() === "") return "account/second-factor";
  if (await secondFactors.take(tx, who.userId, code)) return null;
  return (await useRecoveryCode(services, tx, who, code)) ? null : "auth/invalid-verification-code";
}

async function useRecoveryCode(
  services: Services,
  tx: Transaction,
  { userId, address }: Actor,
  code: string,
): Promise<boolean> {
  if (!(await takeRecoveryCode(tx, userId, code))) return false;
  const detail = { left: String(await countRecoveryCodes(tx, userId)) };
  await recordAudit(tx, {
    action: "recovery-code-used",
    actorId: userId,
    subjectId: userId,
    address,
    detail,
  });
  await queueSecurityMail(services, tx, userId, "recovery-code-used");
  return true;
}
