type Held<Value> = { value: Promise<Value>; madeAt: number };

/**
 * Makes something for a key once for all who ask at the same time, and for those who ask in the `heldFor` milliseconds
 * after that. At most `atOnce` different ones are made at a time: null for whoever asks for yet another.
 */
export function createBrief<Value>(heldFor: number, atOnce: number) {
  const held = new Map<string, Held<Value>>();
  let making = 0;

  async function make(key: string, how: () => Promise<Value>): Promise<Value> {
    making++;
    try {
      const value = await how();
      const entry = held.get(key);
      if (entry) entry.madeAt = performance.now();
      setTimeout(() => held.delete(key), heldFor).unref();
      return value;
    } catch (error) {
      held.delete(key);
      throw error;
    } finally {
      making--;
    }
  }

  return (key: string, how: () => Promise<Value>): Promise<Value> | null => {
    const known = held.get(key);
    // Under load a timer comes late.
    if (known && performance.now() - known.madeAt <= heldFor) return known.value;
    if (making >= atOnce) return null;
    const entry: Held<Value> = { value: make(key, how), madeAt: Infinity };
    held.set(key, entry);
    return entry.value;
  };
}

/** What a promise brings within so many milliseconds, or null. It may go on after that, and fail. */
export async function within<Value>(milliseconds: number, promised: Promise<Value>): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, milliseconds, null);
  try {
    return await Promise.race([promised, promise]);
  } finally {
    clearTimeout(timer);
  }
}
