import { createHash, createHmac, randomBytes } from "node:crypto";
import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import {
  parseRecoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
  recoveryCodeOf,
} from "#domain/second-factor.ts";
import { isKept, keep } from "#server/features/account/kept-values.ts";
import { verification } from "#server/features/account/tables.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Keys, SealState } from "#server/platform/keys.ts";
import { Refusal } from "#server/refusal.ts";
import { recoveryCode, secondFactor } from "./tables.ts";

/** Seconds for which a code is shown. The previous and the next code are accepted too, because clocks differ. */
const period = 30;
const keyBytes = 20;
/** Milliseconds for which an offered key can be confirmed. */
const offerLifetime = 30 * 60 * 1000;

/** The key for an authenticator app, as text and as the URI for a QR code. */
export type Enrolment = { key: string; uri: string };

const authenticator = (key: string, label = "account") =>
  new TOTP({ issuer: "Wayfare", label, secret: Secret.fromBase32(key), period });
const enrolmentOf = (key: string, email: string): Enrolment => ({
  key,
  uri: authenticator(key, email).toString(),
});

/** Returns the time step that a typed code belongs to; null for a wrong code. */
function stepOf(key: string, code: string): number | null {
  const token = code.replaceAll(/\s/g, "");
  const delta = /^\d{6}$/.test(token) ? authenticator(key).validate({ token, window: 1 }) : null;
  return delta === null ? null : Math.floor(Date.now() / 1000 / period) + delta;
}

/** Returns the identifier of the key that is offered to an account, which has one at a time. */
const offerOf = (userId: string) => `authenticator-offered:${userId}`;

/**
 * Codes of an authenticator app (RFC 6238) as a second factor (docs/product.md, "Two-step login"). A key is only stored
 * once a valid code has shown that the app has it. Until then, an admin's key is derived from the one-time link that
 * sets the password, and any other key is stored separately for a while. Keys are encrypted with a key that is derived
 * from the session secret.
 */
export function createSecondFactors(keys: Keys) {
  const derivationKey = keys.newest("secondFactorLink");
  const { seal: encrypt, open: decrypt, stateOf } = keys.box("secondFactorStorage");

  /** Derives the key from the link's token, so that nothing has to be stored until the app is set up. */
  function enrolmentFor(linkToken: string, email: string): Enrolment {
    const bytes = createHmac("sha256", derivationKey).update(linkToken).digest().subarray(0, keyBytes);
    const key = new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
    return enrolmentOf(key, email);
  }

  return {
    enrolmentFor,
    /**
     * Returns the time step of a code that shows that the app was set up with this link's key; null for a wrong code.
     */
    stepFor: (linkToken: string, code: string) => stepOf(enrolmentFor(linkToken, "").key, code),

    /**
     * Stores the link's key for the account, replacing any earlier one. `lastStep` is the step of the code that proved
     * it.
     */
    async store(tx: Transaction, userId: string, linkToken: string, lastStep: number): Promise<void> {
      const key = encrypt(enrolmentFor(linkToken, "").key);
      await tx
        .insert(secondFactor)
        .values({ userId, key, lastStep })
        .onConflictDoUpdate({
          target: secondFactor.userId,
          set: { key, lastStep, createdAt: sql`now()` },
        });
      await deleteRecoveryCodes(tx, userId);
    },

    /** Offers a new key for an app of the account, replacing any earlier offer. */
    async offer(tx: Transaction, userId: string, email: string): Promise<Enrolment> {
      const { base32 } = new Secret({ size: keyBytes });
      await keep(tx, offerOf(userId), encrypt(base32), offerLifetime);
      return enrolmentOf(base32, email);
    },

    /** Stores the offered key if the code is valid. */
    async confirm(tx: Transaction, userId: string, code: string): Promise<void> {
      const [offered] = await tx
        .select({ key: verification.value })
        .from(verification)
        .where(isKept(offerOf(userId)))
        .for("update");
      if (!offered) throw new Refusal("auth/invalid-verification-id");
      const lastStep = stepOf(decrypt(offered.key), code);
      if (lastStep === null) throw new Refusal("auth/invalid-verification-code", { field: "code" });
      await tx.delete(verification).where(eq(verification.identifier, offerOf(userId)));
      await tx.insert(secondFactor).values({ userId, key: offered.key, lastStep });
    },

    /** Removes the app and its recovery codes, if the app meets the condition; returns false if there was none. */
    async remove(tx: Transaction, userId: string, condition?: SQL): Promise<boolean> {
      await tx.delete(verification).where(eq(verification.identifier, offerOf(userId)));
      const rows = await tx
        .delete(secondFactor)
        .where(and(eq(secondFactor.userId, userId), condition))
        .returning({ userId: secondFactor.userId });
      if (rows.length === 0) return false;
      await deleteRecoveryCodes(tx, userId);
      return true;
    },

    isSetUp: async (db: Reader, userId: string): Promise<boolean> =>
      (await db.$count(secondFactor, eq(secondFactor.userId, userId))) > 0,

    /** Accepts a code; returns true once for each code, even with concurrent calls. */
    async take(db: Reader, userId: string, code: string): Promise<boolean> {
      const [row] = await db
        .select({ key: secondFactor.key })
        .from(secondFactor)
        .where(eq(secondFactor.userId, userId));
      const step = row ? stepOf(decrypt(row.key), code) : null;
      if (step === null) return false;
      const changes = await db
        .update(secondFactor)
        .set({ lastStep: step })
        .where(and(eq(secondFactor.userId, userId), lt(secondFactor.lastStep, step)))
        .returning({ userId: secondFactor.userId });
      return changes.length > 0;
    },

    /** Counts the keys by the session secret that encrypts them. */
    async count(db: Reader): Promise<Record<SealState, number>> {
      const counts = { newest: 0, older: 0, lost: 0 };
      for (const { key } of await db.select().from(secondFactor)) counts[stateOf(key)] += 1;
      return counts;
    },

    /** Encrypts keys of an older session secret with the newest one. */
    async renew(db: Reader): Promise<void> {
      const all = await db.select().from(secondFactor);
      for (const { userId, key } of all.filter((each) => stateOf(each.key) === "older"))
        await db
          .update(secondFactor)
          .set({ key: encrypt(decrypt(key)) })
          // Another app may have been set up in the meantime.
          .where(and(eq(secondFactor.userId, userId), eq(secondFactor.key, key)));
    },
  };
}

/** A fast hash is enough for 125 random bits, which nobody can guess. */
const hashOfRecoveryCode = (code: string) =>
  createHash("sha256").update(`recovery code:${code}`).digest("base64url");

/** Creates new codes, replacing the former ones. They are shown once, and only their hashes are stored. */
export async function renewRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    recoveryCodeOf(randomBytes(recoveryCodeBytes)),
  );
  await deleteRecoveryCodes(tx, userId);
  await tx.insert(recoveryCode).values(codes.map((code) => ({ userId, hash: hashOfRecoveryCode(code) })));
  return codes;
}

async function deleteRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId));
}

export const countRecoveryCodes = async (db: Reader, userId: string): Promise<number> =>
  await db.$count(recoveryCode, eq(recoveryCode.userId, userId));

/** Consumes a typed code; returns true once for each code, even with concurrent calls. */
export async function consumeRecoveryCode(db: Reader, userId: string, text: string): Promise<boolean> {
  const code = parseRecoveryCode(text);
  if (code === null) return false;
  const rows = await db
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.hash, hashOfRecoveryCode(code))))
    .returning({ userId: recoveryCode.userId });
  return rows.length > 0;
}
