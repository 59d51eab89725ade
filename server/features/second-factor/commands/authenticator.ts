import { lastFactorWords } from "#domain/second-factor.ts";
import type { Account } from "#server/features/account/queries.ts";
import { deleteRequestedEmail } from "#server/features/account/requested-email.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { lockForAdding, lockHolder } from "#server/features/sessions/lock-holder.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type Enrolment, renewRecoveryCodes } from "../codes.ts";
import { hasAnySecondFactor } from "../queries.ts";

/** Refuses a removal that leaves an account without a required second factor. */
export async function requireRemainingFactor(
  { environment }: Services,
  tx: Transaction,
  { id, role }: Pick<Account, "id" | "role">,
  removed: keyof typeof lastFactorWords,
): Promise<void> {
  if (environment.secondFactorRequired.includes(role) && !(await hasAnySecondFactor(tx, id)))
    throw new Refusal("account/second-factor-required", { message: lastFactorWords[removed] });
}

/**
 * Records that a session's holder has added a factor, which counts as proved in that session. Cancels a change of
 * address requested without it. The first factor ends all other sessions, since they were opened without one.
 */
export async function recordNewFactor(
  { sessions }: Services,
  tx: Transaction,
  session: SessionActor["session"],
  isFirst: boolean,
): Promise<void> {
  if (!(await sessions.prove(tx, session, true))) throw new Refusal("unauthenticated");
  await deleteRequestedEmail(tx, session.userId);
  if (isFirst) await sessions.endOthers(tx, session);
  else await sessions.changed(tx, session.userId);
}

/** Offers a key for an authenticator app. */
export async function startAuthenticator(services: Services, actor: SessionActor): Promise<Enrolment> {
  const { userId } = actor;
  return await services.database.transaction(async (tx) => {
    const { email } = await lockForAdding(tx, actor);
    if (await services.secondFactors.isSetUp(tx, userId)) throw Refusal.conflict();
    return await services.secondFactors.offer(tx, userId, email);
  });
}

/** Turns the app on if the code is valid, and returns the first recovery codes. */
export async function confirmAuthenticator(
  services: Services,
  actor: SessionActor,
  code: string,
): Promise<string[]> {
  const { userId } = actor;
  return await services.database.transaction(async (tx) => {
    await lockForAdding(tx, actor);
    if (await services.secondFactors.isSetUp(tx, userId)) throw Refusal.conflict();
    const isFirst = !(await hasAnySecondFactor(tx, userId));
    await services.secondFactors.confirm(tx, userId, code);
    await recordOwn(tx, "second-factor-added", actor, { kind: "authenticator" });
    await queueSecurityMail(services, tx, userId, "second-factor-on");
    await recordNewFactor(services, tx, actor.session, isFirst);
    return await renewRecoveryCodes(tx, userId);
  });
}

/** Turns the app off, so that a login needs no code any more. */
export async function removeAuthenticator(services: Services, actor: Actor): Promise<void> {
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    const holder = await lockHolder(tx, userId);
    if (!(await services.secondFactors.remove(tx, userId))) throw Refusal.conflict();
    await requireRemainingFactor(services, tx, holder, "authenticator");
    await recordOwn(tx, "second-factor-removed", actor, { kind: "authenticator" });
    await queueSecurityMail(services, tx, userId, "second-factor-off");
    await services.sessions.changed(tx, userId);
  });
}

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
