import { slowness } from "#tests/support/slowness.ts";
import type { Figure } from "./measure.ts";

/** Compares a time with a limit that is longer on a slower machine. `value` and `most` have the same unit. */
export async function inTime(name: string, value: number, most: number, detail: string): Promise<Figure> {
  const times = await slowness();
  const limit = `at most ${most} × ${times.toFixed(2)} for this machine`;
  return { name, value, limit, holds: value <= most * times, detail };
}
