import type { Services } from "#server/services.ts";
import { settleDue } from "./commands/settle-due.ts";

/** Milliseconds from one look at the auctions to the next: an end is settled within five seconds. */
const lookEvery = 1_000;
/** Every so many looks comes a sweep for those who were not notified that they are outbid: a minute. */
const looksPerSweep = 60;
/** Seconds that a sweep looks back: at the start, a day; then, well beyond the sweep before. */
const sinceLongAgo = 24 * 60 * 60;
const sinceLately = 3 * 60;

type Parts = Pick<Services, "database" | "jobs" | "live" | "products" | "outbid" | "log">;

/** Settles auctions as their time is over, on every node: at once at the start, then every second, never twice at a time. */
export function createCloser(services: Parts) {
  const { outbid, log } = services;
  let failing = new Set<string>();
  let isDown = false;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();

  /** A product that can't be settled is logged once, not every second. */
  async function close(): Promise<void> {
    const failures = await settleDue(services, stopping.signal);
    for (const [product, error] of failures)
      if (!failing.has(product)) log.error({ err: error, product }, "an auction could not be settled");
    failing = new Set(failures.keys());
  }

  async function look(): Promise<void> {
    try {
      await close();
      if (looks % looksPerSweep === 0) await outbid.sweep(looks === 0 ? sinceLongAgo : sinceLately);
      looks++;
      isDown = false;
    } catch (error) {
      if (!isDown) log.error({ err: error }, "the auctions could not be looked through");
      isDown = true;
    }
    if (!stopping.signal.aborted) timer = setTimeout(lookAgain, lookEvery);
  }

  let looking = look();
  function lookAgain() {
    looking = look();
  }

  return {
    /** Lets the running check finish. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await looking;
    },
  };
}
