import { useSyncExternalStore } from "react";

type Announcement = { message: string; milliseconds: number };
type Listener = (announcement: Announcement) => void;

let listener: Listener | null = null;
/** Announcements that wait until the code that shows them has loaded, and whether any has had to. */
const waiting: Announcement[] = [];
let hasWaited = false;
const observers = new Set<() => void>();

/** Announces a completed action, even across a change of screen; the announcement disappears automatically. */
export function announce(message: string, milliseconds = 5_000): void {
  const announcement = { message, milliseconds };
  if (listener) return listener(announcement);
  waiting.push(announcement);
  hasWaited = true;
  for (const observe of observers) observe();
}

function subscribe(observe: () => void) {
  observers.add(observe);
  return () => void observers.delete(observe);
}

/** Whether the code that shows announcements is needed: visitors seldom make one, and load it then. */
export const useHasAnnounced = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => hasWaited,
    () => false,
  );

/** Registers the function that shows announcements; returns a function that unregisters it. */
export function onAnnouncement(show: Listener): () => void {
  listener = show;
  for (const announcement of waiting.splice(0)) show(announcement);
  return () => {
    listener = null;
  };
}
