type Announcement = { message: string; milliseconds: number };
type Listener = (announcement: Announcement) => void;

let listener: Listener | null = null;
/** Announcements that wait until the code that shows them has loaded. */
const waiting: Announcement[] = [];

/** Announces something that was just done, even across a change of screen; the announcement disappears by itself. */
export function announce(message: string, milliseconds = 5_000): void {
  const announcement = { message, milliseconds };
  if (listener) listener(announcement);
  else waiting.push(announcement);
}

/** Registers the function that shows announcements; returns a function that unregisters it. */
export function onAnnouncement(show: Listener): () => void {
  listener = show;
  for (const announcement of waiting.splice(0)) show(announcement);
  return () => {
    listener = null;
  };
}
