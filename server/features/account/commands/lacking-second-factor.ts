import type { Role } from "#domain/account.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** The password was right, and a code is needed as well, or was not right. */
export type SecondFactorRefusal = Extract<
  ErrorCode,
  "account/second-factor" | "auth/invalid-verification-code"
>;

/** What an account that logs in with a code too lacks beside the right password; null for nothing. Takes the code. */
export async function lackingSecondFactor(
  { environment, secondFactors }: Services,
  tx: Transaction,
  { userId, role }: { userId: string; role: Role },
  code: string,
): Promise<SecondFactorRefusal | null> {
  if (role !== "admin" || !environment.adminSecondFactor) return null;
  if (code.trim() === "") return "account/second-factor";
  return (await secondFactors.take(tx, userId, code)) ? null : "auth/invalid-verification-code";
}
