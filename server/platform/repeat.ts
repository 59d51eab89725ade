import { setTimeout } from "node:timers/promises";
import type { Log } from "./log.ts";

type Work = {
  /** Milliseconds between two runs. */
  pause: number;
  /** Does the work; `report` logs the errors of what failed, by ids. */
  run(report: (failures: ReadonlyMap<string, unknown>) => void, signal: AbortSignal): Promise<void>;
  /** Log messages for a single failure, and for a run that failed as a whole. */
  failed: { one: string; all: string };
};

/** Runs work immediately and then again and again, never concurrently. A repeated failure is logged once. */
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
    /** Waits for the current run to finish. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
