import { onlineManager } from "@tanstack/react-query";

/** Calls the listener when the page or the connection is back, until the returned function is called. */
export function onReturn(listener: () => void): () => void {
  const onVisible = () => document.visibilityState === "visible" && listener();
  document.addEventListener("visibilitychange", onVisible);
  const stop = onlineManager.subscribe((isOnline) => isOnline && listener());
  return () => {
    document.removeEventListener("visibilitychange", onVisible);
    stop();
  };
}

/** Fetches the server's record of a request; null if there is none. Rejects without an answer. */
type FetchRecord<Answer> = () => Promise<Answer | null>;

/**
 * Resolves to the answer to a request, or to the server's record of it if that is found first: if a phone was locked
 * meanwhile, the answer may never arrive and the connection may never break.
 */
export function answerOrRecord<Answer>(
  request: Promise<Answer>,
  fetchRecord: FetchRecord<Answer>,
  subscribe: typeof onReturn = onReturn,
): Promise<Answer> {
  let stop = () => {};
  const record = new Promise<Answer>((resolve) => {
    stop = subscribe(() => {
      // If this fails too, the request or the next return may still succeed.
      fetchRecord().then(
        (recorded) => recorded !== null && resolve(recorded),
        () => {},
      );
    });
  });
  return Promise.race([request, record]).finally(stop);
}

/**
 * Fetches the record at every return until the server answers, and calls `settle` once with it. Gives up when `isOpen`
 * says that the outcome is known by other means.
 */
export function fetchRecordOnReturn<Answer>(
  fetchRecord: FetchRecord<Answer>,
  isOpen: () => boolean,
  settle: (record: Answer | null) => void,
  subscribe: typeof onReturn = onReturn,
): void {
  let isDone = false;
  function done() {
    isDone = true;
    stop();
  }
  async function check() {
    if (!isOpen()) return done();
    const record = await fetchRecord().catch(() => undefined);
    if (isDone || record === undefined) return;
    done();
    if (isOpen()) settle(record);
  }
  const stop = subscribe(() => void check());
}
