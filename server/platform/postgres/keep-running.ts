import { attach } from "./attach.ts";
import { ask } from "./client.ts";
import type { Location } from "./location.ts";
import { postmasterOf } from "./postmaster.ts";

/** Milliseconds between two looks at the server. */
const lookEvery = 300;

/**
 * Starts the server of a cluster again whenever its process is gone: killed by somebody, or by a system that is short
 * of memory. What was acknowledged before is on disk, and recovered. One that merely does not answer is left alone.
 */
export function keepRunning(
  location: Location,
  launchAgain: () => Promise<void>,
  say: (line: string) => void,
) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let announced = false;

  // From within another container its process can not be seen: only one that is silent as well is gone.
  const isGone = async () =>
    (await postmasterOf(location.cluster)) === null && (await ask(location)) === "silent";

  async function look(): Promise<void> {
    try {
      if (stopped || !(await isGone())) return;
      if (!announced) say("PostgreSQL ended unexpectedly and is being restarted.");
      announced = true;
      if (!(await attach(location)) && !stopped) await launchAgain();
      announced = false;
    } catch (error) {
      if (!stopped) say(String(error));
    } finally {
      again();
    }
  }

  function again(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      looking = look();
    }, lookEvery);
    timer.unref();
  }
  again();

  return {
    /** Starts nothing any more; resolves when a running start has come to its end. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
