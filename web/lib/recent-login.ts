import { useSyncExternalStore } from "react";

/** Calls that wait for the person to confirm who they are. */
let waiting: readonly ((confirmed: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function setWaiting(calls: typeof waiting) {
  waiting = calls;
  for (const listener of listeners) listener();
}

/** Asks the person to confirm who they are; resolves to false if they decline. Concurrent calls ask once. */
export const confirmIdentity = (): Promise<boolean> =>
  new Promise((resolve) => setWaiting([...waiting, resolve]));

export function settleConfirmation(confirmed: boolean): void {
  const settled = waiting;
  setWaiting([]);
  for (const settle of settled) settle(confirmed);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether a call waits for a confirmation. */
export const useAskedForIdentity = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => waiting.length > 0,
    () => false,
  );
