import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Attestation } from "#contract/passkeys.ts";
import { browserName } from "#domain/browser-name.ts";
import { mostPasskeys, passkeyExists, passkeyNameProblem } from "#domain/passkey.ts";
import { accountById } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { lockForAdding, lockHolder } from "#server/features/sessions/lock-holder.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { hasAnySecondFactor } from "../queries.ts";
import { passkey } from "../tables.ts";
import { recordNewFactor, requireRemainingFactor } from "./authenticator.ts";

async function requireRoom(db: Reader, userId: string): Promise<void> {
  if ((await db.$count(passkey, eq(passkey.userId, userId))) >= mostPasskeys)
    throw new Refusal("resource-exhausted", { message: `You can have up to ${mostPasskeys} passkeys.` });
}

/** Returns the options from which the browser creates a new passkey. */
export async function startPasskey({ database: { db }, passkeys }: Services, { userId }: Actor) {
  await requireRoom(db, userId);
  const holder = await accountById(db, userId);
  if (!holder) throw new Refusal("unauthenticated");
  if (!holder.emailVerified) throw new Refusal("account/unverified");
  const credentials = await db
    .select({ id: passkey.credentialId, transports: passkey.transports })
    .from(passkey)
    .where(eq(passkey.userId, userId));
  return await passkeys.creationOptions({ userId, email: holder.email, credentials });
}

/** Adds the passkey that the browser has created, named after the browser until its holder renames it. */
export async function addPasskey(
  services: Services,
  actor: SessionActor & { userAgent: string | null },
  response: Attestation,
): Promise<void> {
  const { userId } = actor;
  const credential = await services.passkeys.readNew(response, userId);
  if (!credential) throw new Refusal("auth/invalid-verification-id");
  const name = browserName(actor.userAgent) ?? "Passkey";
  const { transports } = response.response;
  await services.database.transaction(async (tx) => {
    await lockForAdding(tx, actor);
    await requireRoom(tx, userId);
    const isFirst = !(await hasAnySecondFactor(tx, userId));
    const rows = await tx
      .insert(passkey)
      .values({ id: randomUUID(), userId, ...credential, transports, name })
      .onConflictDoNothing({ target: passkey.credentialId })
      .returning({ id: passkey.id });
    if (rows.length === 0) throw new Refusal("already-exists", { message: passkeyExists });
    await recordOwn(tx, "second-factor-added", actor, { kind: "passkey" });
    await queueSecurityMail(services, tx, userId, "passkey-added");
    await recordNewFactor(services, tx, actor.session, isFirst);
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
    const rows = await tx.delete(passkey).where(ownPasskey(userId, id)).returning({ id: passkey.id });
    if (rows.length === 0) throw new Refusal("not-found");
    await requireRemainingFactor(services, tx, holder, "passkey");
    await recordOwn(tx, "second-factor-removed", actor, { kind: "passkey" });
    await queueSecurityMail(services, tx, userId, "passkey-removed");
    await services.sessions.changed(tx, userId);
  });
}
