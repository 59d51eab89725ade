/** How far the server's clock is ahead of this page's own, and how far off that may be, in milliseconds. */
type Offset = { ahead: number; error: number };

/** Both clocks are read in whole milliseconds. */
const grain = 1;
/** Milliseconds from which a correction is reported at once. */
const leap = 100;
/** Milliseconds that the server keeps a page for, to send it to others. */
const keptFor = 1_000;

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
    /** A page that carried the time when it was made counts until something else was answered. */
    pageAnswered(at: number, sent: number, received: number): void {
      if (known === null) this.answered(at, sent - keptFor, received);
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
