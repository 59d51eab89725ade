/** The server clock's lead over this page's own, and the greatest error of that, in milliseconds. */
type Offset = { ahead: number; error: number };

/** Milliseconds of rounding, because both clocks are read in whole milliseconds. */
const grain = 1;
/** Milliseconds from which a correction is reported at once. */
const leap = 100;
/** Milliseconds for which the server caches a page. */
const keptFor = 1_000;

/**
 * The server's clock as far as a browser can know it: by the quickest answer so far, with an error of at most half of
 * its round trip. After the first answer, the browser's own date plays no part. `local` is in milliseconds.
 */
export function createServerClock(local: () => number, guess: () => number) {
  const listeners = new Set<() => void>();
  let offset: Offset | null = null;
  const ahead = () => offset?.ahead ?? guess() - local();

  function learn(news: Offset) {
    const before = ahead();
    offset = news;
    if (Math.abs(news.ahead - before) >= leap) for (const listener of listeners) listener();
  }

  return {
    /** Takes an answer's server time into account; `sentAt` and `receivedAt` are by the local clock. */
    answered(at: number, sentAt: number, receivedAt: number): void {
      const news = { ahead: at - (sentAt + receivedAt) / 2, error: (receivedAt - sentAt) / 2 + grain };
      const isBetter = offset === null || news.error <= offset.error;
      // Both can't be right: one of the clocks was set, or the device slept.
      const isContradiction =
        offset !== null && Math.abs(news.ahead - offset.ahead) > news.error + offset.error;
      if (isBetter || isContradiction) learn(news);
    },
    /** Takes the time at which a page was sent, or rendered, into account until the first answer. */
    pageAnswered(at: number, sentAt: number, receivedAt: number): void {
      if (offset === null) this.answered(at, sentAt - keptFor, receivedAt);
    },
    /** Takes the server time at which an event was sent into account. */
    notEarlierThan(at: number): void {
      const least = at - local() - grain;
      if (least > ahead() + (offset?.error ?? 0)) learn({ ahead: least, error: Infinity });
    },
    /** Milliseconds since 1970 by the server's clock. */
    now: (): number => local() + ahead(),
    /** Calls the listener after noticeable corrections, until the returned function is called. */
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
