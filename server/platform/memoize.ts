/** What is made for each key when it is first asked for; after a failure, again. */
export function once<Key, Made>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const made = new Map<Key, Promise<Made>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    known.catch(() => made.delete(key));
    return known;
  };
}
