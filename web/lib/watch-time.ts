import { useEffect, useState } from "react";
import { useRenderedAt, wasHydrated } from "./hydration.ts";
import { serverClock, serverNow } from "./server-clock.ts";

type Clock = Pick<typeof serverClock, "now" | "onLeap">;

/**
 * Calls `onTick` with the server's time every `everyMs` milliseconds, in step with `end`, and a last time when that is
 * reached. Pauses while the page is hidden, and calls immediately when the page is visible again or the clock is
 * corrected. Returns a function that stops it.
 */
export function watchTime(
  everyMs: number,
  end: number,
  onTick: (now: number) => void,
  clock: Clock = serverClock,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tick() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    const now = clock.now();
    onTick(now);
    const milliseconds = end - now;
    // Rounded up, because a timer that fires a little early would show the same second twice.
    if (milliseconds > 0) timer = setTimeout(tick, Math.ceil(milliseconds % everyMs || everyMs));
  }

  tick();
  document.addEventListener("visibilitychange", tick);
  const stop = clock.onLeap(tick);
  return () => {
    stop();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", tick);
  };
}

/** Returns the server's time at which the component was mounted, or at which the server's HTML was rendered. */
function useMountedAt(): number {
  const renderedAt = useRenderedAt();
  const [mountedAt] = useState(() => (wasHydrated() ? serverNow() : renderedAt));
  return mountedAt;
}

/**
 * Returns the server's time in milliseconds since 1970, updated every `everyMs` while the component is mounted and the
 * page visible, up to `end`.
 */
export function useServerNow(everyMs: number, end: number): number {
  const [now, setNow] = useState(useMountedAt());
  useEffect(() => watchTime(everyMs, end, setNow), [everyMs, end]);
  return now;
}

/** Whether a moment of the server's clock has passed. The component renders again only when that changes. */
export function useHasEnded(end: number): boolean {
  const [hasEnded, setHasEnded] = useState(useMountedAt() >= end);
  useEffect(() => watchTime(60_000, end, (now) => setHasEnded(now >= end)), [end]);
  return hasEnded;
}
