import { createHmac, randomUUID } from "node:crypto";
import { and, eq, gt, lt } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Keys, Sealed } from "#server/platform/keys.ts";
import { deleteRecoveryCodes } from "./recovery-codes.ts";
import { secondFactor, verification } from "./tables.ts";

/** Seconds that a code is shown for; the one before and the one after are taken too, for clocks that differ. */
const period = 30;
const keyBytes = 20;
/** Milliseconds in which an offered key has to be put into an app. */
const offerLasts = 30 * 60 * 1000;

export type SecondFactors = ReturnType<typeof createSecondFactors>;
/** What an authenticator app is set up with: the key as text, and the address that a QR code holds. */
export type Enrolment = { key: string; uri: string };

const authenticator = (key: string, label = "account") =>
  new TOTP({ issuer: "Wayfare", label, secret: Secret.fromBase32(key), period });
const enrolmentOf = (key: string, email: string): Enrolment => ({
  key,
  uri: authenticator(key, email).toString(),
});

/** The time step that a typed code belongs to; null when it is not right. */
function stepOf(key: string, typed: string): number | null {
  const token = typed.replaceAll(/\s/g, "");
  const delta = /^\d{6}$/.test(token) ? authenticator(key).validate({ token, window: 1 }) : null;
  return delta === null ? null : Math.floor(Date.now() / 1000 / period) + delta;
}

/** Where the key is kept that is offered to an account: one at a time. */
const offerOf = (userId: string) => `authenticator-offered:${userId}`;

/**
 * Codes of an authenticator app (RFC 6238) as a second factor (docs/product.md, "Two-step login"). A key is taken only
 * once a right code has shown that the app has it. Until then an admin's belongs to the one-time link that sets the
 * password, and anybody else's is kept apart for a while. Keys are encrypted with one that comes from the session secret.
 */
export function createSecondFactors(keys: Keys) {
  const deriving = keys.newest("secondFactorLink");
  const { seal: encrypt, open: decrypt, stateOf } = keys.box("secondFactorStorage");

  /** The same for the same link, so that nothing has to be kept until the app is set up. */
  function enrolmentFor(linkToken: string, email: string): Enrolment {
    const bytes = createHmac("sha256", deriving).update(linkToken).digest().subarray(0, keyBytes);
    const key = new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
    return enrolmentOf(key, email);
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
      await deleteRecoveryCodes(tx, userId);
    },

    /** A new key for an app of the account, in place of one that was offered before. */
    async offer(tx: Transaction, userId: string, email: string): Promise<Enrolment> {
      const { base32 } = new Secret({ size: keyBytes });
      const offered = { value: encrypt(base32), expiresAt: new Date(Date.now() + offerLasts) };
      await tx
        .insert(verification)
        .values({ id: randomUUID(), identifier: offerOf(userId), ...offered })
        .onConflictDoUpdate({ target: verification.identifier, set: offered });
      return enrolmentOf(base32, email);
    },

    /** Takes the offered key if a code of it is right. `gone`: none was offered, or too long ago. */
    async confirm(tx: Transaction, userId: string, typed: string): Promise<"on" | "wrong" | "gone"> {
      const whose = eq(verification.identifier, offerOf(userId));
      const [offered] = await tx
        .select({ key: verification.value })
        .from(verification)
        .where(and(whose, gt(verification.expiresAt, new Date())))
        .for("update");
      if (!offered) return "gone";
      const lastStep = stepOf(decrypt(offered.key), typed);
      if (lastStep === null) return "wrong";
      await tx.delete(verification).where(whose);
      await tx.insert(secondFactor).values({ userId, key: offered.key, lastStep });
      return "on";
    },

    /** The app counts for nothing any more; false if there was none. */
    async remove(tx: Transaction, userId: string): Promise<boolean> {
      const removed = await tx
        .delete(secondFactor)
        .where(eq(secondFactor.userId, userId))
        .returning({ userId: secondFactor.userId });
      await deleteRecoveryCodes(tx, userId);
      return removed.length > 0;
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
