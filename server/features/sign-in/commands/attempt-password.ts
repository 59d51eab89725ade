import { and, eq } from "drizzle-orm";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { accountById } from "#server/features/account/queries.ts";
import { account } from "#server/features/account/tables.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { hasAnySecondFactor } from "#server/features/second-factor/queries.ts";
import { demandRecentLogin } from "#server/features/sessions/recent-login.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { RequestContext } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type Claimant, claimantByEmail, hasOlderHashes } from "../queries.ts";

/** The origin of a request, as limits and the audit log know it: address, browser, cookies and session. */
export type Client = Pick<RequestContext, "address" | "userAgent" | "cookies" | "session">;

/** `refund` takes the attempt out of the limits' count of failures. */
type PasswordAttempt = { claimant: Claimant; isRight: boolean; refund(): Promise<void> };

/** Attempts the password of an address, with the same work whether or not there is an account. */
export async function attemptPassword(
  { database, signedCookies, passwords, limits, refusals }: Services,
  email: string,
  password: string,
  { address, cookies }: Client,
): Promise<PasswordAttempt> {
  const claimant = await claimantByEmail(database.db, email);
  const device = signedCookies.devices.read(cookies, { email, browserEpoch: claimant.browserEpoch });
  const attempt = await limits.password(email, address, device);
  if (attempt.kind === "locked") {
    const auditEntry = {
      action: "sign-in-locked",
      actorId: null,
      address,
      procedure: "account.signIn",
    } as const;
    await refusals.record({ ...auditEntry, subjectId: claimant.userId, things: [] });
  }
  const allowance = demandAllowance(attempt, "auth/too-many-requests");
  try {
    const hidesOlder = await hasOlderHashes(database.db);
    const attempt = { hash: claimant.passwordHash, password, hidesOlder };
    const isRight = await passwords.verify(attempt, { address, isKnown: device !== null });
    return { claimant, isRight, refund: allowance.refund };
  } catch (error) {
    // Too many are waiting, so this attempt has guessed nothing.
    await allowance.cancel();
    throw error;
  }
}

/**
 * Attempts the password of the person who is logged in. A wrong one is refused and goes into the audit log. After a
 * right one the caller calls `refund`, unless the command failed all the same. `field` is the form field it was typed
 * into.
 */
export async function attemptOwnPassword(
  services: Services,
  client: Client & { session: Session },
  password: string,
  field = "password",
): Promise<PasswordAttempt> {
  const { address, session } = client;
  const { userId } = session;
  const holder = await accountById(services.database.db, userId);
  if (!holder) throw new Refusal("unauthenticated");
  const attempt = await attemptPassword(services, holder.email, password, client);
  if (attempt.isRight && attempt.claimant.userId === userId) return attempt;
  const refusal = "auth/wrong-password";
  await recordOwn(services.database.db, "sign-in-failed", { userId, address }, { refusal });
  throw new Refusal(refusal, { field });
}

/** Checks calls that bring the password along. For an account without a second factor that is as good as a login. */
export async function demandRecentLoginBesidePassword(
  { database }: Services,
  session: Pick<Session, "userId" | "provedAt">,
): Promise<void> {
  if (await hasAnySecondFactor(database.db, session.userId)) demandRecentLogin(session);
}

/** Rehashes a right password whose hash is outdated. While too many hashes wait, this is left to the next login. */
export async function renewHash(
  { database, passwords, log }: Services,
  { userId, passwordHash }: Claimant,
  password: string,
  address: string,
): Promise<void> {
  if (userId === null || passwordHash === null || !passwords.isOutdated(passwordHash)) return;
  try {
    const renewed = await passwords.hash(password, { address, isKnown: true });
    await database.db
      .update(account)
      .set({ password: renewed, updatedAt: new Date() })
      .where(and(eq(account.userId, userId), eq(account.password, passwordHash)));
  } catch (error) {
    log.warn({ err: error }, "a password's hash was not renewed");
  }
}
