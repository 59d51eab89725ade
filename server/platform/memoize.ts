/** Calls `make` once for each key; a failure is not kept. */
export function memoize<Key, Made>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const promises = new Map<Key, Promise<Made>>();
  return (key) => {
    const promise = promises.get(key) ?? make(key);
    promises.set(key, promise);
    promise.catch(() => promises.delete(key));
    return promise;
  };
}
