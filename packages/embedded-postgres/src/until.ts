import { setInterval } from "node:timers/promises";

/** Repeats a check until it holds; false if it still does not after `within` milliseconds. */
export async function until(check: () => boolean | Promise<boolean>, within: number): Promise<boolean> {
  const deadline = performance.now() + within;
  if (await check()) return true;
  for await (const _ of setInterval(20)) {
    if (await check()) return true;
    if (performance.now() > deadline) return false;
  }
  return false;
}
