import { HashingQueue } from "#server/features/sign-in/passwords/hashing-queue.ts";
import { createPasswords } from "#server/features/sign-in/passwords/passwords.ts";

/** Hashes passwords as in production, with a hundredth of the work; a test may have many people log in concurrently. */
export const quickPasswords = createPasswords(new HashingQueue({ room: { ofAddress: 100, ofAll: 100 } }), {
  memory: 192,
  passes: 2,
  parallelism: 1,
});
