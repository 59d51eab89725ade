import { onlineManager } from "@tanstack/react-query";

/** Calls the listener when the page is seen again or the connection is back, until the returned function is called. */
export function onReturn(listener: () => void): () => void {
  const onVisible = () => document.visibilityState === "visible" && listener();
  document.addEventListener("visibilitychange", onVisible);
  const stop = onlineManager.subscribe((isOnline) => isOnline && listener());
  return () => {
    document.removeEventListener("visibilitychange", onVisible);
    stop();
  };
}

/** Looks for what the server has recorded; null if it has nothing. It fails without an answer. */
type Look<Answer> = () => Promise<Answer | null>;

/**
 * Resolves to the answer to a request, or to what was recorded of it if that is found first: the answer to a phone that
 * was locked meanwhile may never arrive, nor may its connection ever break.
 */
export function answerOrRecord<Answer>(
  request: Promise<Answer>,
  look: Look<Answer>,
  returns: typeof onReturn = onReturn,
): Promise<Answer> {
  let stop = () => {};
  const record = new Promise<Answer>((resolve) => {
    stop = returns(() => {
      // Without an answer to this either, the request or the next return goes on.
      look().then(
        (recorded) => recorded !== null && resolve(recorded),
        () => {},
      );
    });
  });
  return Promise.race([request, record]).finally(stop);
}

/**
 * Looks at every return until the server answers, and calls `settle` once with what it has recorded. It gives up when
 * `isOpen` says that the outcome is known by other means.
 */
export function lookAtReturns<Answer>(
  look: Look<Answer>,
  isOpen: () => boolean,
  settle: (record: Answer | null) => void,
  returns: typeof onReturn = onReturn,
): void {
  let isDone = false;
  function done() {
    isDone = true;
    stop();
  }
  async function check() {
    if (!isOpen()) return done();
    const record = await look().catch(() => undefined);
    if (isDone || record === undefined) return;
    done();
    if (isOpen()) settle(record);
  }
  const stop = returns(() => void check());
}
