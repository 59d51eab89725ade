import { useEffect } from "react";
import { watchConnection } from "../lib/connection.ts";
import { followIntent } from "../lib/intent.ts";
import { learnToWait } from "../lib/late-code.ts";
import { ConnectionBanner } from "./under-way/connection-banner.tsx";
import { ScreenProgress } from "./under-way/screen-progress.tsx";
import { untilAnswered, waitFor } from "./under-way/wait-for.ts";

learnToWait({ waitFor, untilAnswered });

/** What makes the ways between the screens quick, and safe where the connection is not. */
export default function UnderWay() {
  useEffect(followIntent, []);
  useEffect(watchConnection, []);
  return (
    <>
      <ScreenProgress />
      <ConnectionBanner />
    </>
  );
}
