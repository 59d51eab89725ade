import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "#server/platform/database.ts";

const tenMinutes = 600;
export type Limits = ReturnType<typeof createLimits>;
/** `retryAfter` is in seconds. */
export type Allowance = { kind: "allowed"; refund(): Promise<void> } | { kind: "locked"; retryAfter: number };

/** Counters hold no addresses of people, known or unknown. */
const keyOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/**
 * Limits on attempts, counted in PostgreSQL for all nodes together (product decisions, "Brute force"). An attempt
 * is counted before it is made, so that many at once can't pass together, and given back when it was no failure.
 */
export function createLimits(database: Database) {
  const limiter = (keyPrefix: string, points: number, duration = tenMinutes) =>
    new RateLimiterPostgres({
      storeClient: database.pool,
      tableName: "rate_limit",
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });

  const failuresOfAccount = limiter("sign-in-account", 10);
  const failuresOfAddress = limiter("sign-in-address", 50);
  const signUpsOfAddress = limiter("sign-up-address", 100);
  const resetsOfAddress = limiter("reset-address", 50);
  const resetMailsOfAccount = limiter("reset-mail", 5, 3600);
  const verificationsOfAccount = limiter("verification-mail", 5, 3600);
  const emailChangesOfAccount = limiter("email-change", 5, 3600);
  const uploadsOfAccount = limiter("upload", 60, 24 * 3600);
  const picturesOfAccount = limiter("picture", 200, 24 * 3600);
  const productsOfAccount = limiter("product", 50, 24 * 3600);
  const messagesOfAddress = limiter("contact-address", 5, 3600);
  const messagesOfAll = limiter("contact", 60, 3600);
  const linksOfAddress = limiter("link-address", 100);

  async function take(from: RateLimiterPostgres, about: string): Promise<Allowance> {
    const key = keyOf(about);
    try {
      await from.consume(key);
      return { kind: "allowed", refund: async () => void (await from.reward(key)) };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return { kind: "locked", retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) };
    }
  }

  return {
    /** One login attempt: counts for the account, which may not exist, and for the address it comes from. */
    async signIn(email: string, address: string): Promise<Allowance> {
      const ofAddress = await take(failuresOfAddress, address);
      if (ofAddress.kind === "locked") return ofAddress;
      const ofAccount = await take(failuresOfAccount, email);
      if (ofAccount.kind === "locked") {
        await ofAddress.refund();
        return ofAccount;
      }
      return {
        kind: "allowed",
        refund: async () => void (await Promise.all([ofAddress.refund(), ofAccount.refund()])),
      };
    },
    /** A mailed reset clears the account's lock. */
    clearSignIn: async (email: string) => void (await failuresOfAccount.delete(keyOf(email))),
    signUp: (address: string) => take(signUpsOfAddress, address),
    requestReset: (address: string) => take(resetsOfAddress, address),
    resetMail: (email: string) => take(resetMailsOfAccount, email),
    verificationMail: (userId: string) => take(verificationsOfAccount, userId),
    emailChange: (userId: string) => take(emailChangesOfAccount, userId),
    upload: (userId: string) => take(uploadsOfAccount, userId),
    picture: (userId: string) => take(picturesOfAccount, userId),
    product: (userId: string) => take(productsOfAccount, userId),
    /** One message to the consultancy: counts for the address it comes from and for everybody's together. */
    async contact(address: string): Promise<Allowance> {
      const ofAddress = await take(messagesOfAddress, address);
      if (ofAddress.kind === "locked") return ofAddress;
      const ofAll = await take(messagesOfAll, "all");
      if (ofAll.kind === "locked") await ofAddress.refund();
      return ofAll;
    },
    link: (address: string) => take(linksOfAddress, address),
  };
}
