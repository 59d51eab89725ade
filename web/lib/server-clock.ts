/** The server clock's lead over the local clock, and the greatest error of that, in milliseconds. */
type Offset = { ahead: number; error: number };

/** Milliseconds of rounding, because both clocks are read in whole milliseconds. */
const grain = 1;
/** Milliseconds from which a correction is reported to the listeners. */
const leap = 100;
/** Milliseconds for which the server caches a page. */
const keptFor = 1_000;

/**
 * Estimates the server's clock from the quickest answer so far, with an error of at most half of its round trip. After
 * the first answer, the browser's date plays no part. `local` is in milliseconds.
 */
export function createServerClock(local: () => number, guess: () => number) {
  const listeners = new Set<() => void>();
  let offset: Offset | null = null;
  const ahead = () => offset?.ahead ?? guess() - local();

  function correct(estimate: Offset) {
    const before = ahead();
    offset = estimate;
    if (Math.abs(estimate.ahead - before) >= leap) for (const listener of listeners) listener();
  }

  return {
    /** Takes an answer's server time into account; `sentAt` and `receivedAt` are by the local clock. */
    answered(at: number, sentAt: number, receivedAt: number): void {
      const estimate = { ahead: at - (sentAt + receivedAt) / 2, error: (receivedAt - sentAt) / 2 + grain };
      const isBetter = offset === null || estimate.error <= offset.error;
      // They can't both be correct: one of the clocks was set, or the device slept.
      const isContradiction =
        offset !== null && Math.abs(estimate.ahead - offset.ahead) > estimate.error + offset.error;
      if (isBetter || isContradiction) correct(estimate);
    },
    /** Takes the time at which a page was sent, or rendered, into account until the first answer. */
    pageAnswered(at: number, sentAt: number, receivedAt: number): void {
      if (offset === null) this.answered(at, sentAt - keptFor, receivedAt);
    },
    /** Takes the server time at which an event was sent into account. */
    notEarlierThan(at: number): void {
      const least = at - local() - grain;
      if (least > ahead() + (offset?.error ?? 0)) correct({ ahead: least, error: Infinity });
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

/** Based on the page's monotonic clock, which changes of the device's date don't affect. */
export const serverClock = createServerClock(() => performance.now(), Date.now);

/** Returns the milliseconds since 1970 by the server's clock, as estimated from its answers. */
export const serverNow = (): number => serverClock.now();
