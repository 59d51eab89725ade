import { setTimeout } from "node:timers/promises";
import type { Log } from "./log.ts";

type Work = {
  /** Milliseconds between two runs. */
  pause: number;
  /** Does the work; `report` logs what failed of it, with the errors by ids. */
  run(report: (failures: ReadonlyMap<string, unknown>) => void, signal: AbortSignal): Promise<void>;
  /** The words of the log for a single failure, and for a run that failed as a whole. */
  failed: { one: string; all: string };
};

/** Does work now and again and again, never twice at a time. What keeps failing is logged once, not at every run. */
export function repeat(log: Log, { pause, run, failed }: Work) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failing = new Set<string>();

  function report(failures: ReadonlyMap<string, unknown>): void {
    for (const [id, error] of failures) if (!failing.has(id)) log.error({ err: error, id }, failed.one);
    failing = new Set(failures.keys());
  }

  async function runUntilStopped(): Promise<void> {
    let isDown = false;
    while (!signal.aborted) {
      try {
        await run(report, signal);
        isDown = false;
      } catch (error) {
        if (!isDown) log.error({ err: error }, failed.all);
        isDown = true;
      }
      await setTimeout(pause, undefined, { signal }).catch(() => {});
    }
  }

  const running = runUntilStopped();
  return {
    /** Lets the present run finish. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
