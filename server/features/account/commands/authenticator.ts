import { eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { type Actor, actedBy, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type Account, lockAccount, viewerById } from "../queries.ts";
import { type Enrolment, renewRecoveryCodes } from "../second-factor.ts";
import { queueSecurityMail } from "../security-mails.ts";
import { passkey } from "../tables.ts";

/** The account of somebody who changes how it is logged in to, locked. */
export async function lockHolder(tx: Transaction, userId: string): Promise<Account> {
  const holder = await lockAccount(tx, userId);
  if (!holder || !hasAccess(holder)) throw new Refusal("permission-denied");
  return holder;
}

/** Refuses to leave an account without the second factor that it must have. */
export async function demandEnough(services: Services, tx: Transaction, userId: string): Promise<void> {
  const viewer = await viewerById(services, tx, userId);
  if (viewer?.lacksSecondFactor) throw new Refusal("account/second-factor-required");
}

/** Offers a key to put into an authenticator app. */
export async function startAuthenticator(services: Services, { userId }: Actor): Promise<Enrolment> {
  return await services.database.transaction(async (tx) => {
    const { email } = await lockHolder(tx, userId);
    if (await services.secondFactors.isSetUp(tx, userId)) throw Refusal.conflict();
    return await services.secondFactors.offer(tx, userId, email);
  });
}

/** Turns the app on if it shows a right code; returns the first recovery codes. */
export async function confirmAuthenticator(
  services: Services,
  actor: Actor,
  code: string,
): Promise<string[]> {
  const { userId } = actor;
  return await services.database.transaction(async (tx) => {
    await lockHolder(tx, userId);
    if (await services.secondFactors.isSetUp(tx, userId)) throw Refusal.conflict();
    await services.secondFactors.confirm(tx, userId, code);
    await recordOwn(tx, "second-factor-added", actor, { kind: "authenticator" });
    await queueSecurityMail(services, tx, userId, "second-factor-on");
    await services.sessions.changed(tx, userId);
    return await renewRecoveryCodes(tx, userId);
  });
}

/** Turns the app off; a login needs no code any more. */
export async function removeAuthenticator(services: Services, actor: Actor): Promise<void> {
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    await lockHolder(tx, userId);
    if (!(await services.secondFactors.remove(tx, userId))) throw Refusal.conflict();
    await demandEnough(services, tx, userId);
    await recordOwn(tx, "second-factor-removed", actor, { kind: "authenticator" });
    await queueSecurityMail(services, tx, userId, "second-factor-off");
    await services.sessions.changed(tx, userId);
  });
}

/** New recovery codes in place of the former ones. */
export async function replaceRecoveryCodes(services: Services, actor: Actor): Promise<string[]> {
  const { userId } = actor;
  return await services.database.transaction(async (tx) => {
    await lockHolder(tx, userId);
    if (!(await services.secondFactors.isSetUp(tx, userId))) throw Refusal.conflict();
    await recordOwn(tx, "recovery-codes-renewed", actor);
    await queueSecurityMail(services, tx, userId, "recovery-codes-renewed");
    return await renewRecoveryCodes(tx, userId);
  });
}

/**
 * An operator's, for who has lost what they log in with: all that is a second factor goes, and every session ends. False
 * if there was none.
 */
export async function removeSecondFactor(services: Services, userId: string): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const hadApp = await services.secondFactors.remove(tx, userId);
    const passkeys = await tx.delete(passkey).where(eq(passkey.userId, userId)).returning({ id: passkey.id });
    if (!hadApp && passkeys.length === 0) return false;
    await recordAudit(tx, { action: "second-factor-removed", ...actedBy(null), subjectId: userId });
    await queueSecurityMail(services, tx, userId, "second-factor-off");
    await services.sessions.endAll(tx, userId);
    return true;
  });
}
