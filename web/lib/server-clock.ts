/** What is certain of the server's clock: how far it is ahead of this page's own, in milliseconds, at least and at most. */
type Bounds = { least: number; most: number };

const unknown: Bounds = { least: -Infinity, most: Infinity };
/** Both clocks are read in whole milliseconds. */
const grain = 1;
/** A correction of so many milliseconds is worth telling at once. */
const leap = 100;

const inCommon = (one: Bounds, other: Bounds): Bounds => ({
  least: Math.max(one.least, other.least),
  most: Math.min(one.most, other.most),
});

/**
 * The server's clock as a browser can know it. Each answer says that the clock stood at `at` some time between asking
 * and hearing; each event, that it stood there before. What all of them leave possible narrows with every one, and most
 * with the quickest answer. The browser's own date plays no part once there was an answer. `local` is in milliseconds.
 */
export function createServerClock(local: () => number, guess: () => number) {
  const listeners = new Set<() => void>();
  let bounds = unknown;

  function learn(news: Bounds) {
    const before = ahead();
    const both = inCommon(bounds, news);
    // They contradict each other: one of the clocks was set, or the device slept. The newest counts.
    bounds = both.least > both.most ? news : both;
    if (Math.abs(ahead() - before) >= leap) for (const listener of listeners) listener();
  }

  function ahead(): number {
    const { least, most } = bounds;
    if (most !== Infinity) return (least + most) / 2;
    return Math.max(least, guess() - local());
  }

  return {
    /** An answer that carried the server's time; `asked` and `heard` by the local clock. */
    answered(at: number, asked: number, heard: number): void {
      learn({ least: at - heard - grain, most: at - asked + grain });
    },
    /** An event that carried the server's time when it was sent. */
    told(at: number): void {
      learn({ least: at - local() - grain, most: Infinity });
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

/** Milliseconds since 1970 by the server's clock, as well as the answers so far tell. */
export const serverNow = (): number => serverClock.now();

type Clock = Pick<typeof serverClock, "now" | "onLeap">;

/**
 * Tells the server's time every so many milliseconds, in step with `end`, and for the last time when that is reached;
 * not while the page is hidden, but at once when it is seen again or the clock is corrected. Returns what stops it.
 */
export function watchTime(
  everyMs: number,
  end: number,
  tell: (now: number) => void,
  clock: Clock = serverClock,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tick() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    const now = clock.now();
    tell(now);
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
