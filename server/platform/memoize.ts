type Store<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
  delete(key: Key): unknown;
};

/** Calls `make` once for each key, as long as the store keeps its promise. A rejected promise is not kept. */
export function memoize<Key, Made>(
  make: (key: Key) => Promise<Made>,
  promises: Store<Key, Promise<Made>> = new Map<Key, Promise<Made>>(),
): (key: Key) => Promise<Made> {
  return (key) => {
    const earlier = promises.get(key);
    if (earlier) return earlier;
    const promise = make(key);
    promises.set(key, promise);
    promise.catch(() => promises.delete(key));
    return promise;
  };
}

/** Returns a function that runs work once for all concurrent calls with the same key. */
export function singleFlight<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const pending = new Map<string, Promise<Result>>();
  return (key, work) => {
    const promise = pending.get(key) ?? work().finally(() => pending.delete(key));
    pending.set(key, promise);
    return promise;
  };
}
