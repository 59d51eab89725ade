type Announcement = { message: string; milliseconds: number };
type Listener = (announcement: Announcement) => void;

let listener: Listener | null = null;
/** Until the code that shows them has loaded. */
const waiting: Announcement[] = [];

/** Says what was just done, also when another screen comes; it goes by itself. */
export function announce(message: string, milliseconds = 5_000): void {
  const announcement = { message, milliseconds };
  if (listener) listener(announcement);
  else waiting.push(announcement);
}

/** For whatever shows them; returns how to stop. */
export function onAnnouncement(show: Listener): () => void {
  listener = show;
  for (const announcement of waiting.splice(0)) show(announcement);
  return () => {
    listener = null;
  };
}
