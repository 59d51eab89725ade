/**
 * Calls `act` for a key at once; what is asked for within `pause` milliseconds after that is done once, at their end,
 * with the latest value.
 */
export function coalesce<Value>(pause: number, act: (key: string, value: Value) => void) {
  const resting = new Map<string, { waiting: Value | undefined }>();

  function wake(key: string) {
    const { waiting } = resting.get(key) ?? {};
    resting.delete(key);
    if (waiting !== undefined) ask(key, waiting);
  }

  function ask(key: string, value: Value) {
    const rest = resting.get(key);
    if (rest) rest.waiting = value;
    else {
      resting.set(key, { waiting: undefined });
      setTimeout(wake, pause, key).unref();
      act(key, value);
    }
  }
  return ask;
}
