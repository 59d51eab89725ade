import { useEffect } from "react";
import { NavigationType, useBlocker, useNavigation } from "react-router";
import { ConnectionBanner } from "./connection-banner.tsx";
import keepFocus from "./keep-focus.ts";
import classes from "./navigation.module.css";

/** Progress of a navigation, the state of the connection, and a focus that is never lost. */
export default function Navigation() {
  useEffect(keepFocus, []);
  return (
    <>
      <ScreenProgress />
      <ConnectionBanner />
    </>
  );
}

/**
 * Offline a new screen is not even tried, since a browser remembers code that did not come: it opens when the
 * connection is back, and what is on the page stays usable meanwhile. Whether one waits.
 */
function useWaitingForConnection(): boolean {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      !navigator.onLine &&
      historyAction !== NavigationType.Pop &&
      nextLocation.pathname !== currentLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const proceed = () => blocker.proceed();
    if (navigator.onLine) return proceed();
    addEventListener("online", proceed, { once: true });
    return () => removeEventListener("online", proceed);
  }, [blocker]);
  return blocker.state === "blocked";
}

/** A line along the top while a screen is on the way, once that takes long enough to be noticed. */
function ScreenProgress() {
  const { state } = useNavigation();
  const isWaiting = useWaitingForConnection();
  return state === "idle" && !isWaiting ? null : (
    <output className={classes.line}>
      <progress aria-label="Loading the page" className={classes.named} />
    </output>
  );
}
