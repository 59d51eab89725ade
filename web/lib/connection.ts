import { onlineManager } from "@tanstack/react-query";
import { requests, unansweredEvent } from "./request.ts";

/** Milliseconds between two looks whether the server answers again. */
const pause = 3_000;
/** Milliseconds that an answer may take: where packets vanish, none ever comes. */
const patience = 5_000;

/** A proxy's page is no answer: that comes too while the server is started anew. */
async function isAnswering(): Promise<boolean> {
  if (!navigator.onLine) return false;
  return await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(patience) }).then(
    ({ ok, redirected }) => ok && !redirected,
    () => false,
  );
}

async function look(): Promise<void> {
  while (!(await isAnswering())) {
    onlineManager.setOnline(false);
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
      addEventListener("online", resolve, { once: true });
    });
  }
  // Every query on the screen is asked anew if it was not.
  onlineManager.setOnline(true);
}

let looking: Promise<void> | null = null;

/** Resolves once the server answers; until then TanStack Query knows that there is no connection. */
export const untilAnswering = (): Promise<void> =>
  (looking ??= look().finally(() => {
    looking = null;
  }));

/**
 * Keeps TanStack Query's word on the connection true until the returned function is called. It follows the browser's
 * by itself; but a browser that is connected to something need not reach Wayfare, so a request or an event stream that
 * is left without an answer makes the page look.
 */
export function watchConnection(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const listener = () => void untilAnswering();
  requests.addEventListener(unansweredEvent, listener, { signal });
  for (const news of ["online", "offline"]) window.addEventListener(news, listener, { signal });
  if (!navigator.onLine) listener();
  return () => listening.abort();
}
