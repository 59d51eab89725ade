import { wrong } from "#domain/problem.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import type { Session } from "../sessions.ts";
import { attemptOwnPassword, type Client } from "./attempt-password.ts";
import { proveSecondFactor } from "./sign-in.ts";

/**
 * Proves again who is logged in, with all that a login takes: what asks for a recent login goes ahead from then on. A
 * wrong password or code is a failure that the limits count as a login's.
 */
export async function confirmIdentity(
  services: Services,
  client: Client & { session: Session },
  { password, code }: { password: string; code: string },
): Promise<void> {
  if (password === "") throw Refusal.of(wrong("password", "Please enter your password."));
  const { session, address } = client;
  const actor = { userId: session.userId, address };
  const { refund } = await attemptOwnPassword(services, client, password);
  // Returned and not thrown within the transaction, so that the entry in the audit log is kept.
  const outcome = await services.database.transaction(async (tx) => {
    const proof = await proveSecondFactor(services, tx, { ...session, address }, code);
    if ("refusal" in proof) await recordOwn(tx, "sign-in-failed", actor, proof);
    else if (await services.sessions.prove(tx, session, proof.twoStep))
      await recordOwn(tx, "identity-confirmed", actor);
    else throw new Refusal("unauthenticated");
    return proof;
  });
  const refusal = "refusal" in outcome ? outcome.refusal : null;
  if (refusal !== "auth/invalid-verification-code") await refund();
  if (refusal) throw new Refusal(refusal, { field: "code" });
}
