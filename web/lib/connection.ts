import { onlineManager } from "@tanstack/react-query";
import { requests, unansweredEvent } from "./request.ts";

/** Milliseconds between two checks whether the server answers again. */
const pause = 3_000;
/** Milliseconds to wait for an answer, which never comes if packets are lost. */
const answerTimeout = 5_000;

/** A proxy's page doesn't count as an answer: proxies send one while the server restarts. */
async function isAnswering(): Promise<boolean> {
  if (!navigator.onLine) return false;
  return await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(answerTimeout) }).then(
    ({ ok, redirected }) => ok && !redirected,
    () => false,
  );
}

async function waitForAnswer(): Promise<void> {
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

let waiting: Promise<void> | null = null;

/** Resolves once the server answers; until then TanStack Query treats the page as offline. */
export const untilAnswering = (): Promise<void> =>
  (waiting ??= waitForAnswer().finally(() => {
    waiting = null;
  }));

/**
 * Keeps TanStack Query's online state in line with the server until the returned function is called. TanStack Query
 * follows the browser's state, but a connected browser may not reach Wayfare; a request or an event stream without an
 * answer therefore makes the page check.
 */
export function watchConnection(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const listener = () => void untilAnswering();
  requests.addEventListener(unansweredEvent, listener, { signal });
  for (const event of ["online", "offline"]) window.addEventListener(event, listener, { signal });
  if (!navigator.onLine) listener();
  return () => controller.abort();
}
