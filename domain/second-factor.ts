import type { Role } from "#domain/account.ts";

/** Groups for which the configuration can require a second factor, by their name in it. */
export const secondFactorGroups = { admins: "admin", agents: "agent" } as const satisfies Record<
  string,
  Role
>;

/** Refusals to remove the last factor of an account that needs one. */
export const lastFactorWords = {
  authenticator: "Your account needs two-step login. Add a passkey before you turn the app off.",
  passkey:
    "Your account needs two-step login. Set up an app or add another passkey before you remove this one.",
} as const;

/** Days in which a factor is young, so that setting a password through the emailed link removes it. */
export const youngFactorDays = 7;

/** Digits of the code that is emailed to prove the account's mailbox in a session. */
export const mailboxCodeDigits = 8;

/** Number of codes that an account gets together, for logging in without the authenticator app. */
export const recoveryCodeCount = 10;
/** Random bytes for each code; five bits of each byte are used. */
export const recoveryCodeBytes = 25;

/** 32 letters and digits, without those that are easily taken for others (Crockford's Base32, in lower case). */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const inGroups = (letters: string): string => letters.match(/.{5}/g)?.join("-") ?? "";

/** Formats random bytes as a code: `k3f9x-…`, 125 bits in five groups. */
export const recoveryCodeOf = (bytes: Uint8Array): string =>
  inGroups(Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join(""));

/** Returns a typed code as it was shown, ignoring case, spaces and dashes, or null if it can't be one. */
export function parseRecoveryCode(text: string): string | null {
  const letters = text.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return /^[0-9a-hjkmnp-tv-z]{25}$/.test(letters) ? inGroups(letters) : null;
}
