import { onlineManager } from "@tanstack/react-query";
import { requests, unansweredEvent } from "./request.ts";

/** Milliseconds between two checks whether the server answers again. */
const pause = 3_000;
/** Milliseconds that an answer may take: if packets are lost, it never comes. */
const patience = 5_000;

/** A proxy's page doesn't count as an answer: proxies send one while the server restarts. */
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
  // If it was offline before, this refetches every query on the screen.
  onlineManager.setOnline(true);
}

let looking: Promise<void> | null = null;

/** Resolves once the server answers; until then TanStack Query treats the page as offline. */
export const untilAnswering = (): Promise<void> =>
  (looking ??= look().finally(() => {
    looking = null;
  }));

/**
 * Keeps TanStack Query's online state true to the server until the returned function is called. By itself it follows
 * the browser's; but a browser that is connected to something may not reach Wayfare, so a request or an event stream
 * without an answer makes the page check.
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
