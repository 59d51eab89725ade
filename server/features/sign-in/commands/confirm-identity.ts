import { wrong } from "#domain/problem.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { attemptOwnPassword, type Client } from "./attempt-password.ts";
import { proveSecondFactor } from "./sign-in.ts";

/**
 * Proves the identity of a logged-in user again, with everything that a login requires, so that calls that need a
 * recent login succeed. The limits count a wrong password or code as a failed login.
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
  // Refusals are returned, not thrown within the transaction, so that the audit log keeps the entry.
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
