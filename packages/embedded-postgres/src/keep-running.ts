import { setTimeout } from "node:timers/promises";
import { attach } from "./attach.ts";
import type { Binaries } from "./binaries.ts";
import { ask, disconnection } from "./client.ts";
import type { Location } from "./location.ts";

/** Milliseconds between two checks of an unreachable server. */
const checkInterval = 300;

/**
 * Restarts the server of a cluster when it is gone, which the end of a connection shows: killed by a person, or by a
 * system that is short of memory. Acknowledged changes are on disk, and recovered. A server that merely does not answer
 * is left alone.
 */
export function keepRunning(
  location: Location,
  binaries: Binaries,
  launchAgain: () => Promise<void>,
  say: (line: string) => void,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let announced = false;

  async function restartIfGone(): Promise<void> {
    if ((await ask(location)) !== "absent") return;
    if (!announced) say("PostgreSQL ended unexpectedly and is being restarted.");
    announced = true;
    if (!(await attach(location, binaries)) && !signal.aborted) await launchAgain();
    announced = false;
  }

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      await disconnection(location, signal);
      if (signal.aborted) return;
      await restartIfGone().catch((error: unknown) => signal.aborted || say(String(error)));
      await setTimeout(checkInterval, undefined, { signal }).catch(() => {});
    }
  }
  const loop = keep();

  return {
    /** Starts nothing more; resolves when a running start has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      await loop;
    },
  };
}
