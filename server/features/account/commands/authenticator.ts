import { eq } from "drizzle-orm";
import { hasAccess, type Role } from "#domain/account.ts";
import type { AuditAction } from "#domain/audit.ts";
import { lacksSecondFactor } from "#domain/second-factor.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { hasAnySecondFactor } from "../queries.ts";
import { renewRecoveryCodes } from "../recovery-codes.ts";
import type { Enrolment } from "../second-factor.ts";
import { queueSecurityMail } from "../security-mails.ts";
import { passkey, user } from "../tables.ts";

/** The account, locked: of two changes of how it is logged in to, the second finds what the first has left. */
export async function lockHolder(tx: Transaction, userId: string) {
  const [holder] = await tx
    .select({ email: user.email, role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, userId))
    .for("no key update");
  if (!holder || !hasAccess(holder)) throw new Refusal("permission-denied");
  return holder;
}

export const audited = (
  tx: Transaction,
  action: AuditAction,
  { userId, address }: Actor,
  detail?: Record<string, string>,
) => recordAudit(tx, { action, actorId: userId, subjectId: userId, address, ...(detail && { detail }) });

/** Refuses to leave an account without the second factor that it must have. */
export async function demandEnough(
  { environment }: Services,
  tx: Transaction,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  const about = { role, hasSecondFactor: await hasAnySecondFactor(tx, userId) };
  if (lacksSecondFactor(about, environment.secondFactorRequired))
    throw new Refusal("account/second-factor-required");
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
    const outcome = await services.secondFactors.confirm(tx, userId, code);
    if (outcome === "gone") throw new Refusal("auth/invalid-verification-id");
    if (outcome === "wrong") throw new Refusal("auth/invalid-verification-code", { field: "code" });
    await audited(tx, "second-factor-added", actor, { kind: "authenticator" });
    await queueSecurityMail(services, tx, userId, "second-factor-on");
    await services.sessions.changed(tx, userId);
    return await renewRecoveryCodes(tx, userId);
  });
}

/** Turns the app off; a login needs no code any more. */
export async function removeAuthenticator(services: Services, actor: Actor): Promise<void> {
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    const { role } = await lockHolder(tx, userId);
    if (!(await services.secondFactors.remove(tx, userId))) throw Refusal.conflict();
    await demandEnough(services, tx, { userId, role });
    await audited(tx, "second-factor-removed", actor, { kind: "authenticator" });
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
    await audited(tx, "recovery-codes-renewed", actor);
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
    await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for("no key update");
    const hadApp = await services.secondFactors.remove(tx, userId);
    const passkeys = await tx.delete(passkey).where(eq(passkey.userId, userId)).returning({ id: passkey.id });
    if (!hadApp && passkeys.length === 0) return false;
    await recordAudit(tx, { action: "second-factor-removed", ...actedBy(null), subjectId: userId });
    await queueSecurityMail(services, tx, userId, "second-factor-off");
    await services.sessions.endAll(tx, userId);
    return true;
  });
}
