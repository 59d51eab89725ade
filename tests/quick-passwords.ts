import { createPasswords } from "#server/features/account/passwords/passwords.ts";
import { ScryptQueue } from "#server/features/account/passwords/scrypt-queue.ts";

/** Kept as in production, with a hundredth of the work; a test may let many log in at once. */
export const quickPasswords = createPasswords(new ScryptQueue({ room: { ofAddress: 100, ofAll: 100 } }), {
  N: 2 ** 10,
  r: 8,
  p: 1,
});
