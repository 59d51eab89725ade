/** Calls `make` once for each key; a failure is not kept. */
export function memoize<Key, Made>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const made = new Map<Key, Promise<Made>>();
  return (key) => {
    const promise = made.get(key) ?? make(key);
    made.set(key, promise);
    promise.catch(() => made.delete(key));
    return promise;
  };
}
