import { and, eq } from "drizzle-orm";
import { recordOwn } from "#server/features/audit/commands.ts";
import type { RequestContext } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "../allowance.ts";
import { accountById, type Claimant, claimantByEmail, hasOlderHashes } from "../queries.ts";
import type { Session } from "../sessions.ts";
import { account } from "../tables.ts";

/** Where a request comes from, as limits and the audit log know it, with its browser, cookies and session. */
export type Client = Pick<RequestContext, "address" | "userAgent" | "cookies" | "session">;

/** `refund`: the limits are not to count it as a failure. */
type PasswordAttempt = { claimant: Claimant; isRight: boolean; refund(): Promise<void> };

/** One attempt at the password of an address, with the same work whether or not there is an account. */
export async function attemptPassword(
  { database, identity, limits, refusals }: Services,
  email: string,
  password: string,
  { address, cookies }: Client,
): Promise<PasswordAttempt> {
  const claimant = await claimantByEmail(database.db, email);
  const device = identity.devices.read(cookies, { email, browserEpoch: claimant.browserEpoch });
  const counted = await limits.password(email, address, device);
  if (counted.kind === "locked") {
    const locked = { action: "sign-in-locked", actorId: null, address, procedure: "account.signIn" } as const;
    await refusals.record({ ...locked, subjectId: claimant.userId, things: [] });
  }
  const allowance = demandAllowance(counted, "auth/too-many-requests");
  try {
    const hidesOlder = await hasOlderHashes(database.db);
    const attempt = { hash: claimant.passwordHash, password, hidesOlder };
    const isRight = await identity.passwords.verify(attempt, { address, isKnown: device !== null });
    return { claimant, isRight, refund: allowance.refund };
  } catch (error) {
    // Too many are waiting: this one has guessed nothing.
    await allowance.cancel();
    throw error;
  }
}

/**
 * One attempt at the password of who is logged in; a wrong one is refused, and stands in the audit log. What comes of a
 * right one is the caller's: `refund` unless it failed all the same. `field`: of the form it was typed into.
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

/** Makes the hash of a right password anew if it is an older one; while too many wait the next login does it. */
export async function renewHash(
  { database, identity, log }: Services,
  { userId, passwordHash }: Claimant,
  password: string,
  address: string,
): Promise<void> {
  if (userId === null || passwordHash === null || !identity.passwords.isOutdated(passwordHash)) return;
  try {
    const renewed = await identity.passwords.hash(password, { address, isKnown: true });
    await database.db
      .update(account)
      .set({ password: renewed, updatedAt: new Date() })
      .where(and(eq(account.userId, userId), eq(account.password, passwordHash)));
  } catch (error) {
    log.warn({ err: error }, "a password's hash was not renewed");
  }
}
