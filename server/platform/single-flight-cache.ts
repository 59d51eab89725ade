type Held<Value> = { value: Promise<Value>; madeAt: number };

/**
 * Makes something for a key once for all who ask at the same time, and for those who ask in the `keptFor` milliseconds
 * after that. At most `concurrency` different ones are made at a time; the others wait for their turn.
 */
export function createSingleFlightCache<Value>(keptFor: number, concurrency: number) {
  const held = new Map<string, Held<Value>>();
  const waiting: (() => void)[] = [];
  let making = 0;

  async function turn(): Promise<void> {
    if (making < concurrency) making++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  async function make(key: string, how: () => Promise<Value>): Promise<Value> {
    await turn();
    try {
      const value = await how();
      const entry = held.get(key);
      if (entry) entry.madeAt = performance.now();
      setTimeout(() => held.delete(key), keptFor).unref();
      return value;
    } catch (error) {
      held.delete(key);
      throw error;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else making--;
    }
  }

  // Under load a timer comes late.
  const known = (key: string): Held<Value> | undefined => {
    const entry = held.get(key);
    return entry && performance.now() - entry.madeAt <= keptFor ? entry : undefined;
  };

  return {
    /** Whether it is there, or on its way. */
    has: (key: string): boolean => known(key) !== undefined,
    get(key: string, how: () => Promise<Value>): Promise<Value> {
      const found = known(key);
      if (found) return found.value;
      const entry: Held<Value> = { value: make(key, how), madeAt: Infinity };
      held.set(key, entry);
      return entry.value;
    },
    /** How many wait for their turn. */
    waiting: () => waiting.length,
  };
}

/** Calls `make` once for each key; a failure is not kept. */
export function memoize<Key, Made>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const made = new Map<Key, Promise<Made>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    known.catch(() => made.delete(key));
    return known;
  };
}
