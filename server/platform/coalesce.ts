/**
 * Calls `act` for a key immediately. Merges the calls within the next `pause` milliseconds into one at their end, with
 * the latest value.
 */
export function coalesce<Value>(pause: number, act: (key: string, value: Value) => void) {
  const paused = new Map<string, { waiting: Value | undefined }>();

  function resume(key: string) {
    const { waiting } = paused.get(key) ?? {};
    paused.delete(key);
    if (waiting !== undefined) run(key, waiting);
  }

  function run(key: string, value: Value) {
    const entry = paused.get(key);
    if (entry) entry.waiting = value;
    else {
      paused.set(key, { waiting: undefined });
      setTimeout(resume, pause, key).unref();
      act(key, value);
    }
  }
  return run;
}
