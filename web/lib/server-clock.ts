import { useEffect, useState } from "react";
import { useHydrated, useRenderedAt } from "./hydration.ts";

/** How far the server's clock is ahead of this page's own, and how far off that may be, in milliseconds. */
type Offset = { ahead: number; error: number };

/** Both clocks are read in whole milliseconds. */
const grain = 1;
/** Milliseconds from which a correction is reported at once. */
const leap = 100;

/**
 * The server's clock as a browser can know it: by the quickest answer so far, off by at most half of its round trip.
 * The browser's own date plays no part once there was an answer. `local` is in milliseconds.
 */
export function createServerClock(local: () => number, guess: () => number) {
  const listeners = new Set<() => void>();
  let known: Offset | null = null;
  const ahead = () => known?.ahead ?? guess() - local();

  function learn(news: Offset) {
    const before = ahead();
    known = news;
    if (Math.abs(news.ahead - before) >= leap) for (const listener of listeners) listener();
  }

  return {
    /** An answer that carried the server's time; `sent` and `received` by the local clock. */
    answered(at: number, sent: number, received: number): void {
      const news = { ahead: at - (sent + received) / 2, error: (received - sent) / 2 + grain };
      const isBetter = known === null || news.error <= known.error;
      // They can't both be right: one of the clocks was set, or the device slept.
      const isContradiction = known !== null && Math.abs(news.ahead - known.ahead) > news.error + known.error;
      if (isBetter || isContradiction) learn(news);
    },
    /** For an event that carried the server's time when it was sent. */
    notEarlierThan(at: number): void {
      const least = at - local() - grain;
      if (least > ahead() + (known?.error ?? 0)) learn({ ahead: least, error: Infinity });
    },
    /** Milliseconds since 1970 by the server's clock. */
    now: (): number => local() + ahead(),
    /** Calls when the clock was corrected noticeably, until the returned function is called. */
    onLeap(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The page's own clock runs evenly, however the device's date is set. */
export const serverClock = createServerClock(() => performance.now(), Date.now);

/** Milliseconds since 1970 by the server's clock, as far as the answers show. */
export const serverNow = (): number => serverClock.now();

type Clock = Pick<typeof serverClock, "now" | "onLeap">;

/**
 * Calls with the server's time every so many milliseconds, in step with `end`, and for the last time when that is reached;
 * not while the page is hidden, but at once when it is seen again or the clock is corrected. Returns what stops it.
 */
export function watchTime(
  everyMs: number,
  end: number,
  onTick: (now: number) => void,
  clock: Clock = serverClock,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tick() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    const now = clock.now();
    onTick(now);
    const left = end - now;
    // Rounded up: a timer that fires a little early would show the same second twice.
    if (left > 0) timer = setTimeout(tick, Math.ceil(left % everyMs || everyMs));
  }

  tick();
  document.addEventListener("visibilitychange", tick);
  const stop = clock.onLeap(tick);
  return () => {
    stop();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", tick);
  };
}

/**
 * The server's time in milliseconds since 1970, updated every `everyMs` while the component is mounted and the page
 * visible, up to `end` and no longer.
 */
export function useServerNow(everyMs: number, end: number): number {
  const renderedAt = useRenderedAt();
  const hydrated = useHydrated();
  const [now, setNow] = useState(() => (hydrated ? serverNow() : renderedAt));
  useEffect(() => watchTime(everyMs, end, setNow), [everyMs, end]);
  return now;
}
