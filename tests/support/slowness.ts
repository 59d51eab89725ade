import { argonPasswords } from "#server/features/sign-in/passwords/passwords.ts";

/** Milliseconds that hashing a password takes on the reference machine, for which the time limits were set. */
const referenceHashTime = 16;
const hashes = 20;

/** Returns the median of the milliseconds that hashing a password takes now, one at a time as the server does it. */
export async function hashTime(): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < hashes; at++) {
    const began = performance.now();
    await argonPasswords.hash("correct horse battery");
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[hashes / 2] ?? 0;
}

/** Returns how many times slower this machine is now than the reference machine, but at least 1. */
export const slowness = async (): Promise<number> => Math.max(1, (await hashTime()) / referenceHashTime);
