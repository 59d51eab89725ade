import { createHmac } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Keys, Sealed } from "#server/platform/keys.ts";
import { secondFactor } from "./tables.ts";

/** Seconds that a code is shown for; the one before and the one after are taken too, for clocks that differ. */
const period = 30;
const keyBytes = 20;

export type SecondFactors = ReturnType<typeof createSecondFactors>;
/** What an authenticator app is set up with: the key as text, and the address that a QR code holds. */
export type Enrolment = { key: string; uri: string };

const authenticator = (key: string, label = "admin") =>
  new TOTP({ issuer: "Wayfare", label, secret: Secret.fromBase32(key), period });

/** The time step that a typed code belongs to; null when it is not right. */
function stepOf(key: string, typed: string): number | null {
  const token = typed.replaceAll(/\s/g, "");
  const delta = /^\d{6}$/.test(token) ? authenticator(key).validate({ token, window: 1 }) : null;
  return delta === null ? null : Math.floor(Date.now() / 1000 / period) + delta;
}

/**
 * Codes of an authenticator app (RFC 6238) as an admin's second factor (docs/product.md, "Admins"). The key belongs to
 * the one-time link that sets the password, and is stored only once a right code has shown that the app has it; it is
 * encrypted with a key that comes from the session secret.
 */
export function createSecondFactors(keys: Keys) {
  const deriving = keys.newest("secondFactorLink");
  const { seal: encrypt, open: decrypt, stateOf } = keys.box("secondFactorStorage");

  /** The same for the same link, so that nothing has to be kept until the app is set up. */
  function enrolmentFor(linkToken: string, email: string): Enrolment {
    const bytes = createHmac("sha256", deriving).update(linkToken).digest().subarray(0, keyBytes);
    const key = new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
    return { key, uri: authenticator(key, email).toString() };
  }

  return {
    enrolmentFor,
    /** Whether a code shows that the app was set up with this link's key. */
    isRightFor: (linkToken: string, typed: string) => stepOf(enrolmentFor(linkToken, "").key, typed) !== null,

    /** Keeps the link's key for the account, in place of an earlier one. */
    async store(tx: Transaction, userId: string, linkToken: string): Promise<void> {
      const key = encrypt(enrolmentFor(linkToken, "").key);
      await tx
        .insert(secondFactor)
        .values({ userId, key, lastStep: 0 })
        .onConflictDoUpdate({ target: secondFactor.userId, set: { key, lastStep: 0 } });
    },

    /** Whether the account has an authenticator app. */
    async isSetUp(db: Reader, userId: string): Promise<boolean> {
      const [found] = await db
        .select({ userId: secondFactor.userId })
        .from(secondFactor)
        .where(eq(secondFactor.userId, userId));
      return found !== undefined;
    },

    /** Takes a code: true once for each, also when two come at the same moment. */
    async take(db: Reader, userId: string, typed: string): Promise<boolean> {
      const [found] = await db
        .select({ key: secondFactor.key })
        .from(secondFactor)
        .where(eq(secondFactor.userId, userId));
      const step = found ? stepOf(decrypt(found.key), typed) : null;
      if (step === null) return false;
      const taken = await db
        .update(secondFactor)
        .set({ lastStep: step })
        .where(and(eq(secondFactor.userId, userId), lt(secondFactor.lastStep, step)))
        .returning({ userId: secondFactor.userId });
      return taken.length > 0;
    },

    /** How many are encrypted with which of the session secrets. */
    async count(db: Reader): Promise<Record<Sealed, number>> {
      const counts = { newest: 0, older: 0, lost: 0 };
      for (const { key } of await db.select().from(secondFactor)) counts[stateOf(key)] += 1;
      return counts;
    },

    /** Encrypts with the newest session secret what an older one has encrypted. */
    async renew(db: Reader): Promise<void> {
      const all = await db.select().from(secondFactor);
      for (const { userId, key } of all.filter((each) => stateOf(each.key) === "older"))
        await db
          .update(secondFactor)
          .set({ key: encrypt(decrypt(key)) })
          // Somebody may have set up another app meanwhile.
          .where(and(eq(secondFactor.userId, userId), eq(secondFactor.key, key)));
    },
  };
}
