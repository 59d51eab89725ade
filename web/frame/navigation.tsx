import { useEffect, useRef } from "react";
import { NavigationType, useBlocker, useLocation, useNavigation } from "react-router";
import { untilAnswering } from "../lib/connection.ts";
import { useSinceHydration } from "../lib/hydration.ts";
import { isServerReachable } from "../lib/live.ts";
import { pendingScreen } from "../lib/pending-screen.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import classes from "./navigation.module.css";

/** The progress of a navigation and the state of the connection. The server's HTML has neither. */
export default function Navigation() {
  // This code may load while a navigation is pending, long after the rest of the page was hydrated.
  const isHydrated = useSinceHydration(
    () => true,
    () => false,
  );
  if (!isHydrated) return null;
  return (
    <>
      <ScreenProgress />
      <ConnectionBanner />
    </>
  );
}

/**
 * Delays every new screen until the server is known to answer. The browser remembers code that failed to load, and
 * React Router then reloads the page, which without a server leaves the browser's error page. The current page stays
 * usable meanwhile. Returns whether a screen waits.
 */
function useWaitingForServer(): boolean {
  const { pathname } = useLocation();
  const opened = useRef(new Set<string>());
  useEffect(() => void opened.current.add(pathname), [pathname]);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    // Going back to a screen that was open before needs no code.
    const isBack = historyAction === NavigationType.Pop && opened.current.has(nextLocation.pathname);
    const waits = nextLocation.pathname !== currentLocation.pathname && !isBack && !isServerReachable();
    pendingScreen.location = waits ? nextLocation : null;
    return waits;
  });
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void untilAnswering().then(() => {
      // A later navigation, which React hasn't rendered yet, may have replaced this one.
      if (pendingScreen.location !== blocker.location) return;
      pendingScreen.location = null;
      blocker.proceed();
    });
  }, [blocker]);
  return blocker.state === "blocked";
}

/** A line along the top during a navigation, once that takes long enough to be noticed. */
function ScreenProgress() {
  const { state } = useNavigation();
  const isWaiting = useWaitingForServer();
  return state === "idle" && !isWaiting ? null : (
    <output className={classes.line}>
      <progress aria-label="Loading the page" className={classes.named} />
    </output>
  );
}
