import { IconCloudOff } from "@tabler/icons-react";
import { onlineManager } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { requests, unansweredEvent } from "../lib/request.ts";
import classes from "./connection-banner.module.css";

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Says that the connection is lost, and goes by itself when it is back. What was typed stays where it is. */
export function ConnectionBanner() {
  useEffect(watchConnection, []);
  // Null in the page from the server, where nobody watches.
  const isOnline = useSyncExternalStore(
    subscribe,
    () => onlineManager.isOnline(),
    () => null,
  );
  if (isOnline === null) return null;
  return (
    <output aria-label="Connection" className={classes.place}>
      {!isOnline && (
        <span className={classes.banner}>
          <IconCloudOff size={22} stroke={1.6} aria-hidden className={classes.icon ?? ""} />
          <span>
            <strong>{navigator.onLine ? "Wayfare isn't responding." : "You're offline."}</strong> What you've
            typed is safe, and we'll reconnect automatically.
          </span>
        </span>
      )}
    </output>
  );
}

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
function watchConnection(): () => void {
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
