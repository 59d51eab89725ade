import { eq } from "drizzle-orm";
import type { Assertion } from "#contract/passkeys.ts";
import { mayCount } from "#domain/passkey.ts";
import { decideSignIn } from "#domain/sign-in.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { lockAccount } from "#server/features/account/queries.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { passkey } from "#server/features/second-factor/tables.ts";
import type { ChallengePurpose, StoredPasskey } from "#server/features/second-factor/webauthn.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import type { Client } from "./attempt-password.ts";
import { type LoggedIn, openSession, type RefusedSignIn, refuse } from "./sign-in.ts";

const unknown = "This passkey doesn't work here. Please log in with your password.";

/** A passkey that was proved, with its counter after the proof. */
type Proof = { credential: StoredPasskey; counter: number };

/** Verifies a passkey, and counts the attempt for the IP address. `proof` is null if the response proves nothing. */
async function attemptPasskey(
  { limits, passkeys }: Services,
  response: Assertion,
  purpose: ChallengePurpose,
  address: string,
): Promise<{ subjectId: string | null; proof: Proof | null; refund(): Promise<void> }> {
  const { refund } = requireAllowance(await limits.passkey(address), "auth/too-many-requests");
  const credential = await passkeys.find(response.id);
  const counter = await passkeys.verify(response, credential, purpose);
  const proof = credential && counter !== null ? { credential, counter } : null;
  return { subjectId: credential?.userId ?? null, proof, refund };
}

/** Records a use; returns false if the counter has advanced in the meantime, or the passkey was removed. */
async function recordUse(tx: Transaction, { credential, counter }: Proof): Promise<boolean> {
  const isThisPasskey = eq(passkey.credentialId, credential.credentialId);
  const [row] = await tx
    .select({ counter: passkey.counter })
    .from(passkey)
    .where(isThisPasskey)
    .for("update");
  if (!row || !mayCount(row.counter, counter)) return false;
  await tx.update(passkey).set({ counter, lastUsedAt: new Date() }).where(isThisPasskey);
  return true;
}

/** Logs in with a passkey of any account. No code is needed, because the authenticator has verified the user. */
export async function signInWithPasskey(
  services: Services,
  response: Assertion,
  client: Client,
): Promise<LoggedIn> {
  const { database } = services;
  const { address } = client;
  const attempt = await attemptPasskey(services, response, { for: "login" }, address);
  const { proof } = attempt;
  const outcome = proof
    ? await database.transaction((tx) => open(services, tx, proof, client))
    : await refuse(database.db, attempt.subjectId, "auth/invalid-credential", address);
  if ("refusal" in outcome) {
    if (outcome.refusal === "auth/invalid-credential")
      throw new Refusal("auth/invalid-credential", { message: unknown });
    await attempt.refund();
    throw new Refusal(outcome.refusal);
  }
  await attempt.refund();
  return outcome;
}

async function open(
  services: Services,
  tx: Transaction,
  proof: Proof,
  client: Client,
): Promise<LoggedIn | RefusedSignIn> {
  const { userId } = proof.credential;
  const holder = await lockAccount(tx, userId);
  if (!holder || !(await recordUse(tx, proof)))
    return await refuse(tx, userId, "auth/invalid-credential", client.address);
  const decision = decideSignIn({ kind: "account", ...holder }, true);
  if (decision !== "accepted") return await refuse(tx, userId, decision, client.address);
  return await openSession(services, tx, holder, client, { twoStep: true, detail: { by: "passkey" } });
}

/** Proves the identity of a logged-in user again, with a passkey of their account. */
export async function confirmWithPasskey(
  services: Services,
  { session, address }: { session: Session; address: string },
  response: Assertion,
): Promise<void> {
  const { userId } = session;
  const { proof, refund } = await attemptPasskey(services, response, { for: "confirm", userId }, address);
  const isRight = await services.database.transaction(async (tx) => {
    if (proof?.credential.userId !== userId || !(await recordUse(tx, proof))) return false;
    if (!(await services.sessions.prove(tx, session, true))) throw new Refusal("unauthenticated");
    await recordOwn(tx, "identity-confirmed", { userId, address }, { by: "passkey" });
    return true;
  });
  if (isRight) return await refund();
  const refusal = "auth/invalid-credential";
  await recordOwn(services.database.db, "sign-in-failed", { userId, address }, { refusal });
  throw new Refusal(refusal, { message: unknown });
}
