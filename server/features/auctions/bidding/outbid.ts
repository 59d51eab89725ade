import { setTimeout } from "node:timers/promises";
import type { Services } from "#server/services.ts";
import { tellOutbid } from "./commands/notify-outbid.ts";
import { lastBidFor } from "./queries/pending-outbid.ts";

/** Products whose bidders one transaction tells. */
const atOnce = 100;
/** Milliseconds between two rounds: the first bid is told of at once, and a fast exchange by where it stands. */
const pause = 1_000;

type Parts = Pick<Services, "database" | "jobs" | "live" | "log">;
export type Outbid = ReturnType<typeof createOutbid>;

/**
 * Tells people that they were outbid, after the bid and apart from it, so that bids stay fast. What a crash leaves
 * untold stands in the database, and a sweep finds it.
 */
export function createOutbid(parts: Parts) {
  const { database, log } = parts;
  const waiting = new Set<string>();
  let running: Promise<void> | null = null;
  let telling: Promise<void> = Promise.resolve();
  let stopped = false;

  /** Some of those to be told; whoever is left comes in a later round. */
  async function tellSome(ids: readonly string[]): Promise<void> {
    if (await tellOutbid(parts, ids)) for (const id of ids) waiting.add(id);
  }

  /** Together; or, should that fail, each for itself, so that one does not hold up the others. */
  async function tell(ids: readonly string[]): Promise<void> {
    try {
      await tellSome(ids);
    } catch (error) {
      log.warn({ err: error, products: ids.length }, "bidders could not be told that they are outbid");
      if (ids.length > 1) await Promise.all(ids.map((id) => tellSome([id]).catch(() => {})));
    }
  }

  async function round(): Promise<void> {
    const ids = Array.from(waiting).slice(0, atOnce);
    for (const id of ids) waiting.delete(id);
    telling = tell(ids);
    await telling;
    await setTimeout(pause);
    running = null;
    goOn();
  }

  function goOn(): void {
    if (waiting.size > 0 && !stopped) running ??= round();
  }

  function after(productIds: readonly string[]): void {
    for (const id of productIds) waiting.add(id);
    goOn();
  }

  return {
    /** To be called after the commit of bids for these products. */
    after,
    /** Looks again at what was bid for in the last so many seconds: whoever took those bids may have died since. */
    async sweep(seconds: number): Promise<void> {
      after(await lastBidFor(database.db, seconds));
    },
    /** Lets the round under way finish. */
    async stop(): Promise<void> {
      stopped = true;
      await telling;
    },
  };
}
