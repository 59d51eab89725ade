import { setTimeout } from "node:timers/promises";
import type { Bus } from "#server/platform/bus.ts";
import type { Log } from "#server/platform/log.ts";

/** Milliseconds in which changes gather: they go out together. */
const gather = 20;
/** Changes in one event, whose text has to stay under 8,000 bytes. */
const atOnce = 100;

/**
 * Tells all nodes of changed products after the commit: those of a few milliseconds together, so that a busy auction
 * does not cost a round trip a bid. `changes` are texts of at most 60 characters without commas.
 */
export function createAnnouncer(bus: Bus, topic: string, log: Log) {
  const waiting = new Set<string>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.size > 0) {
      await setTimeout(gather);
      const changes = [...waiting];
      waiting.clear();
      const payloads = Array.from({ length: Math.ceil(changes.length / atOnce) }, (_, at) =>
        changes.slice(at * atOnce, (at + 1) * atOnce).join(","),
      );
      // One that is lost is found by comparing.
      await bus.publish(topic, payloads).catch((error: unknown) => {
        log.warn({ err: error, topic }, "an announcement failed");
      });
    }
    running = false;
  }

  return {
    announce(changes: readonly string[]): void {
      for (const change of changes) waiting.add(change);
      if (!running) void run();
    },
  };
}
