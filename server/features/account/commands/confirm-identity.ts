import { recordAudit } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import type { Session } from "../sessions.ts";
import { attemptOwnPassword, type Client } from "./attempt-password.ts";
import { lackingSecondFactor } from "./lacking-second-factor.ts";

/**
 * Proves again who is logged in, with all that a login takes: what asks for a recent login goes ahead from then on. A
 * wrong password or code is a failure that the limits count as a login's.
 */
export async function confirmIdentity(
  services: Services,
  client: Client & { session: Session },
  { password, code }: { password: string; code: string },
): Promise<void> {
  if (password === "")
    throw new Refusal("form/incomplete", { message: "Please enter your password.", field: "password" });
  const { session, address } = client;
  const { userId } = session;
  const { refund } = await attemptOwnPassword(services, client, password);
  // Returned and not thrown within the transaction, so that the entry in the audit log is kept.
  const lacking = await services.database.transaction(async (tx) => {
    const refusal = await lackingSecondFactor(services, tx, { ...session, address }, code);
    const about = { actorId: userId, subjectId: userId, address };
    if (refusal) await recordAudit(tx, { action: "sign-in-failed", ...about, detail: { refusal } });
    else if (await services.sessions.prove(tx, session))
      await recordAudit(tx, { action: "identity-confirmed", ...about });
    else throw new Refusal("unauthenticated");
    return refusal;
  });
  if (lacking !== "auth/invalid-verification-code") await refund();
  if (lacking) throw new Refusal(lacking, { field: "code" });
}
