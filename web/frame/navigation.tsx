import { useEffect } from "react";
import { watchConnection } from "../lib/connection.ts";
import { useHydrated } from "../lib/hydration.ts";
import keepFocus from "./keep-focus.ts";
import { ConnectionBanner } from "./navigation/connection-banner.tsx";
import { ScreenProgress } from "./navigation/screen-progress.tsx";

/** Progress of a navigation, the state of the connection, and a focus that is never lost. */
export default function Navigation() {
  useEffect(watchConnection, []);
  useEffect(keepFocus, []);
  const watched = useHydrated();
  return (
    <>
      <ScreenProgress />
      {watched && <ConnectionBanner />}
    </>
  );
}
