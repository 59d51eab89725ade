import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Assertion, Attestation } from "#contract/passkeys.ts";
import { browserName } from "#domain/browser-name.ts";
import { mayCount, mostPasskeys, passkeyExists, passkeyNameProblem } from "#domain/passkey.ts";
import { decideSignIn } from "#domain/sign-in.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "../allowance.ts";
import { accountById, hasAnySecondFactor, lockAccount } from "../queries.ts";
import { queueSecurityMail } from "../security-mails.ts";
import type { Session, SessionActor } from "../sessions.ts";
import { passkey } from "../tables.ts";
import type { ChallengePurpose, StoredPasskey } from "../webauthn.ts";
import type { Client } from "./attempt-password.ts";
import { demandEnough, lockForAdding, lockHolder, noteNewFactor } from "./authenticator.ts";
import { type LoggedIn, openSession, type RefusedSignIn, refuse } from "./sign-in.ts";

const unknown = "This passkey doesn't work here. Please log in with your password.";

/** A passkey that was proved, with its counter after the proof. */
type Proof = { stored: StoredPasskey; counter: number };

/** Attempts a passkey, counted for the address; returns null if the response proves nothing. */
async function attemptPasskey(
  { limits, passkeys }: Services,
  response: Assertion,
  purpose: ChallengePurpose,
  address: string,
): Promise<{ subjectId: string | null; proof: Proof | null; refund(): Promise<void> }> {
  const { refund } = demandAllowance(await limits.passkey(address), "auth/too-many-requests");
  const stored = await passkeys.find(response.id);
  const counter = await passkeys.verify(response, stored, purpose);
  const proof = stored && counter !== null ? { stored, counter } : null;
  return { subjectId: stored?.userId ?? null, proof, refund };
}

/** Records a use; returns false if the counter has gone on meanwhile, or the passkey was removed. */
async function noteUse(tx: Transaction, { stored, counter }: Proof): Promise<boolean> {
  const whose = eq(passkey.credentialId, stored.credentialId);
  const [row] = await tx.select({ counter: passkey.counter }).from(passkey).where(whose).for("update");
  if (!row || !mayCount(row.counter, counter)) return false;
  await tx.update(passkey).set({ counter, lastUsedAt: new Date() }).where(whose);
  return true;
}

/** Logs in with a passkey of any account. No code is needed, since the authenticator has verified the person. */
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
  const { userId } = proof.stored;
  const holder = await lockAccount(tx, userId);
  if (!holder || !(await noteUse(tx, proof)))
    return await refuse(tx, userId, "auth/invalid-credential", client.address);
  const decision = decideSignIn({ kind: "account", ...holder }, true);
  if (decision !== "accepted") return await refuse(tx, userId, decision, client.address);
  return await openSession(services, tx, holder, client, { twoStep: true, detail: { by: "passkey" } });
}

/** Proves the identity of a logged-in person again, with a passkey of their account. */
export async function confirmWithPasskey(
  services: Services,
  { session, address }: { session: Session; address: string },
  response: Assertion,
): Promise<void> {
  const { userId } = session;
  const { proof, refund } = await attemptPasskey(services, response, { for: "confirm", userId }, address);
  const isRight = await services.database.transaction(async (tx) => {
    if (proof?.stored.userId !== userId || !(await noteUse(tx, proof))) return false;
    if (!(await services.sessions.prove(tx, session, true))) throw new Refusal("unauthenticated");
    await recordOwn(tx, "identity-confirmed", { userId, address }, { by: "passkey" });
    return true;
  });
  if (isRight) return await refund();
  const refusal = "auth/invalid-credential";
  await recordOwn(services.database.db, "sign-in-failed", { userId, address }, { refusal });
  throw new Refusal(refusal, { message: unknown });
}

async function demandRoom(db: Reader, userId: string): Promise<void> {
  if ((await db.$count(passkey, eq(passkey.userId, userId))) >= mostPasskeys)
    throw new Refusal("resource-exhausted", { message: `You can have up to ${mostPasskeys} passkeys.` });
}

/** Returns the options from which the browser creates a new passkey. */
export async function startPasskey({ database: { db }, passkeys }: Services, { userId }: Actor) {
  await demandRoom(db, userId);
  const holder = await accountById(db, userId);
  if (!holder) throw new Refusal("unauthenticated");
  if (!holder.emailVerified) throw new Refusal("account/unverified");
  const credentials = await db
    .select({ id: passkey.credentialId, transports: passkey.transports })
    .from(passkey)
    .where(eq(passkey.userId, userId));
  return await passkeys.creationOptions({ userId, email: holder.email, credentials });
}

/** Adds the passkey that the browser has made, named after the browser until somebody names it. */
export async function addPasskey(
  services: Services,
  actor: SessionActor & { userAgent: string | null },
  response: Attestation,
): Promise<void> {
  const { userId } = actor;
  const made = await services.passkeys.readNew(response, userId);
  if (!made) throw new Refusal("auth/invalid-verification-id");
  const name = browserName(actor.userAgent) ?? "Passkey";
  const { transports } = response.response;
  await services.database.transaction(async (tx) => {
    await lockForAdding(tx, actor);
    await demandRoom(tx, userId);
    const isFirst = !(await hasAnySecondFactor(tx, userId));
    const added = await tx
      .insert(passkey)
      .values({ id: randomUUID(), userId, ...made, transports, name })
      .onConflictDoNothing({ target: passkey.credentialId })
      .returning({ id: passkey.id });
    if (added.length === 0) throw new Refusal("already-exists", { message: passkeyExists });
    await recordOwn(tx, "second-factor-added", actor, { kind: "passkey" });
    await queueSecurityMail(services, tx, userId, "passkey-added");
    await noteNewFactor(services, tx, actor.session, isFirst);
  });
}

const ownPasskey = (userId: string, id: string) => and(eq(passkey.userId, userId), eq(passkey.id, id));

export async function renamePasskey(
  { database }: Services,
  { userId }: Actor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const problem = passkeyNameProblem(name);
  if (problem) throw Refusal.of(problem);
  const renamed = await database.db
    .update(passkey)
    .set({ name: name.trim() })
    .where(ownPasskey(userId, id))
    .returning({ id: passkey.id });
  if (renamed.length === 0) throw new Refusal("not-found");
}

/** Removes a passkey, so that nobody can log in with it any more. */
export async function removePasskey(services: Services, actor: Actor, id: string): Promise<void> {
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    const holder = await lockHolder(tx, userId);
    const removed = await tx.delete(passkey).where(ownPasskey(userId, id)).returning({ id: passkey.id });
    if (removed.length === 0) throw new Refusal("not-found");
    await demandEnough(services, tx, holder, "passkey");
    await recordOwn(tx, "second-factor-removed", actor, { kind: "passkey" });
    await queueSecurityMail(services, tx, userId, "passkey-removed");
    await services.sessions.changed(tx, userId);
  });
}
