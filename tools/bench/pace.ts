import { argonPasswords } from "#server/features/sign-in/passwords/passwords.ts";
import { type Figure, median, time } from "./measure.ts";

/** Milliseconds that hashing a password takes on the reference machine, for which the time limits were set. */
const referenceHashTime = 16;
const hashes = 20;

/** Returns the milliseconds that hashing a password takes now, one at a time as the server does it. */
export async function hashTime(): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < hashes; at++)
    times.push(await time(() => argonPasswords.hash("correct horse battery")));
  return median(times);
}

/** Returns how many times slower this machine is now than the reference machine, but at least 1. */
export const slowness = async (): Promise<number> => Math.max(1, (await hashTime()) / referenceHashTime);

/** Compares a time with a limit that is longer on a slower machine. `value` and `most` have the same unit. */
export async function inTime(name: string, value: number, most: number, detail: string): Promise<Figure> {
  const times = await slowness();
  const limit = `at most ${most} × ${times.toFixed(2)} for this machine`;
  return { name, value, limit, holds: value <= most * times, detail };
}
