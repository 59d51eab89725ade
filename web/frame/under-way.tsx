import { useEffect, useSyncExternalStore } from "react";
import { watchConnection } from "../lib/connection.ts";
import { followIntent } from "../lib/intent.ts";
import { learnToWait } from "../lib/late-code.ts";
import keepFocus from "./keep-focus.ts";
import { ConnectionBanner } from "./under-way/connection-banner.tsx";
import { ScreenProgress } from "./under-way/screen-progress.tsx";
import { untilAnswered, waitFor } from "./under-way/wait-for.ts";

learnToWait({ waitFor, untilAnswered });

const never = () => () => {};

/** What makes the ways between the screens quick, safe where the connection is not, and easy to follow with the focus. */
export default function UnderWay() {
  useEffect(followIntent, []);
  useEffect(watchConnection, []);
  useEffect(keepFocus, []);
  // React takes over this part of the built page later than the rest: useHydrated() would be true by then.
  const watched = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <>
      <ScreenProgress />
      {watched && <ConnectionBanner />}
    </>
  );
}
