import { onlineManager } from "@tanstack/react-query";
import { requests, unansweredEvent } from "./unanswered.ts";

/** Milliseconds between two looks whether the server answers again. */
const pause = 3_000;

const isAnswering = (): Promise<boolean> =>
  fetch("/healthz", { cache: "no-store" }).then(
    () => true,
    () => false,
  );

/**
 * Keeps TanStack Query's word on the connection true until the returned function is called. It follows the browser's
 * by itself; but a browser that is connected to something need not reach Wayfare, so after a request without an answer
 * one more is made. When the word becomes true again, every query on the screen is asked anew.
 */
export function watchConnection(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;

  async function look() {
    if (looking) return;
    looking = true;
    clearTimeout(timer);
    const isThere = navigator.onLine && (await isAnswering());
    looking = false;
    if (signal.aborted) return;
    onlineManager.setOnline(isThere);
    // A browser that knows that it is offline says when it is not any more.
    if (!isThere && navigator.onLine) timer = setTimeout(() => void look(), pause);
  }

  const listener = () => void look();
  requests.addEventListener(unansweredEvent, listener, { signal });
  for (const news of ["online", "offline"]) window.addEventListener(news, listener, { signal });
  if (!navigator.onLine) void look();
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
