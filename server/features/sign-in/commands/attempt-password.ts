import { and, eq } from "drizzle-orm";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { accountById } from "#server/features/account/queries.ts";
import { account } from "#server/features/account/tables.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { hasAnySecondFactor } from "#server/features/second-factor/queries.ts";
import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { RequestContext } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { claimantByEmail, hasOlderHashes, type LoginCandidate } from "../queries.ts";

/** The origin of a request for limits and the audit log: address, browser, cookies and session. */
export type Client = Pick<RequestContext, "address" | "userAgent" | "cookies" | "session">;

/** `refund` removes the attempt from the limits' count of failures. */
type PasswordAttempt = { claimant: LoginCandidate; isRight: boolean; refund(): Promise<void> };

/** Verifies the password of an email address, with the same work whether or not it has an account. */
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
  const allowance = requireAllowance(attempt, "auth/too-many-requests");
  try {
    const supersedesOlder = await hasOlderHashes(database.db);
    const attempt = { hash: claimant.passwordHash, password, supersedesOlder };
    const isRight = await passwords.verify(attempt, { address, isKnown: device !== null });
    return { claimant, isRight, refund: allowance.refund };
  } catch (error) {
    // Too many attempts are waiting, so this one was not verified.
    await allowance.cancel();
    throw error;
  }
}

/**
 * Verifies the password of the logged-in user. A wrong one is refused and goes into the audit log. After a correct one
 * the caller must call `refund`, unless the command fails anyway. `field` is the form field of the password.
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

/** Requires a recent login besides the password; for an account without a second factor the password is enough. */
export async function requireRecentLoginBesidePassword(
  { database }: Services,
  session: Pick<Session, "userId" | "provedAt">,
): Promise<void> {
  if (await hasAnySecondFactor(database.db, session.userId)) requireRecentLogin(session);
}

/** Rehashes a correct password whose hash is outdated. Leaves this to the next login while too many hashes wait. */
export async function renewHash(
  { database, passwords, log }: Services,
  { userId, passwordHash }: LoginCandidate,
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
