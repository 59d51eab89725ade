import { lazy, Suspense, useEffect, useRef } from "react";
import { queryClient } from "../lib/query-client.ts";
import { api } from "../lib/rpc.ts";
import { useViewer, useVisit } from "../lib/viewer.ts";

/** Loaded apart: visitors have no account to watch and are never shown an announcement. */
const WatchAccount = lazy(() => import("./watch-account.tsx"));
const Announcements = lazy(() => import("./announcements.tsx"));

/** Follows the person at this tab: watches their account live and forgets what was theirs when they leave. */
export function Session() {
  const isSignedIn = useViewer() !== null;
  useForgetting();
  if (!isSignedIn) return null;
  return (
    <>
      <Suspense>
        <WatchAccount />
      </Suspense>
      <Suspense>
        <Announcements />
      </Suspense>
    </>
  );
}

const myself = JSON.stringify(api.account.me.queryKey());
const isTheirs = ({ queryHash }: { queryHash: string }) => queryHash !== myself;

function useForgetting() {
  const visit = useVisit();
  const last = useRef<string | null>(null);
  const id = visit.state === "known" ? (visit.viewer?.id ?? null) : undefined;
  useEffect(() => {
    if (id === undefined) return;
    if (last.current !== null && last.current !== id) {
      queryClient.removeQueries({ type: "inactive", predicate: isTheirs });
      void queryClient.resetQueries({ type: "active", predicate: isTheirs });
    }
    last.current = id;
  }, [id]);
}
