import { and, eq } from "drizzle-orm";
import type { RequestContext } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";
import { demandAllowance } from "../limits.ts";
import { isOutdated } from "../passwords/passwords.ts";
import { type Claimant, claimantByEmail } from "../queries.ts";
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
  const counted = await limits.password(email, address, identity.devices.read(cookies, email));
  const claimant = await claimantByEmail(database.db, email);
  if (counted.kind === "locked") {
    const locked = { action: "sign-in-locked", actorId: null, address, procedure: "account.signIn" } as const;
    await refusals.record({ ...locked, subjectId: claimant.userId, things: [] });
  }
  const allowance = demandAllowance(counted, "auth/too-many-requests");
  try {
    const isRight = await identity.passwords.verify({ hash: claimant.passwordHash, password });
    return { claimant, isRight, refund: allowance.refund };
  } catch (error) {
    // Too many are waiting: this one has guessed nothing.
    await allowance.cancel();
    throw error;
  }
}

/** Makes the hash of a right password anew if it is an older one; while too many wait the next login does it. */
export async function renewHash(
  { database, identity, log }: Services,
  { userId, passwordHash }: Claimant,
  password: string,
): Promise<void> {
  if (userId === null || passwordHash === null || !isOutdated(passwordHash)) return;
  try {
    const renewed = await identity.passwords.hash(password);
    await database.db
      .update(account)
      .set({ password: renewed, updatedAt: new Date() })
      .where(and(eq(account.userId, userId), eq(account.password, passwordHash)));
  } catch (error) {
    log.warn({ err: error }, "a password's hash was not renewed");
  }
}
