const key = "push for";

/** Returns the id of the person who turned on push notifications in this browser; null if nobody did. */
export function pushSubscriberId(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores for whom this browser is subscribed; null for nobody. */
export function storePushSubscriber(viewerId: string | null): void {
  try {
    if (viewerId === null) localStorage.removeItem(key);
    else localStorage.setItem(key, viewerId);
  } catch {
    // Without storage the browser stays subscribed until this login ends.
  }
}
