import type { Query } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { useHasAnnounced } from "../lib/announce.ts";
import { dropDrafts } from "../lib/drafts.ts";
import { settleLookReason, useStudentToExplain } from "../lib/look-reason.ts";
import { queryClient } from "../lib/query-client.ts";
import { settleConfirmation, useAskedForIdentity } from "../lib/recent-login.ts";
import { api } from "../lib/rpc.ts";
import { useViewer, useVisit } from "../lib/viewer.ts";
import { ErrorModal } from "../ui/error-modal.tsx";
import { late, Nothing, notLoaded } from "../ui/late.tsx";

/** Replaces a dialog whose code failed to load, and gives up the call that waits for the answer. */
const notAsked = (giveUp: () => void) => () => (
  <ErrorModal title="Something went wrong" error={new Error(notLoaded)} onClose={giveUp} />
);

/** Lazy-loaded, because visitors have no account to watch and seldom make an announcement. */
const WatchAccount = late(() => import("./watch-account.tsx"), Nothing);
const ConfirmIdentity = late(
  () => import("./confirm-identity.tsx"),
  notAsked(() => settleConfirmation(false)),
);
const LookReasonDialog = late(
  () => import("./look-reason-dialog.tsx"),
  notAsked(() => settleLookReason(null)),
);
const Announcements = late(() => import("./announcements.tsx"), Nothing);

/** Watches the signed-in person's account live, and evicts their data when they leave. */
export function Session() {
  const isSignedIn = useViewer() !== null;
  const hasAnnounced = useHasAnnounced();
  const isAskedForIdentity = useAskedForIdentity();
  const isAskedForReason = useStudentToExplain() !== null;
  useEviction();
  useEffect(() => {
    if (isSignedIn) return;
    settleConfirmation(false);
    settleLookReason(null);
  }, [isSignedIn]);
  return (
    <>
      {isSignedIn && (
        <Suspense>
          <WatchAccount />
        </Suspense>
      )}
      {(isSignedIn || hasAnnounced) && (
        <Suspense>
          <Announcements />
        </Suspense>
      )}
      {isSignedIn && isAskedForIdentity && (
        <Suspense>
          <ConfirmIdentity />
        </Suspense>
      )}
      {isSignedIn && isAskedForReason && (
        <Suspense>
          <LookReasonDialog />
        </Suspense>
      )}
    </>
  );
}

const viewerQueryHash = JSON.stringify(api.account.me.queryKey());
const predicate = ({ queryHash }: Query) => queryHash !== viewerQueryHash;

/**
 * Evicts a person's data when they leave. Their drafts stay until another person signs in or they log out on purpose
 * (`useSignOut`), because a session may end in the middle of a form.
 */
function useEviction() {
  const visit = useVisit();
  const last = useRef<string | null>(null);
  const id = visit.state === "known" ? (visit.viewer?.id ?? null) : undefined;
  useEffect(() => {
    if (id === undefined) return;
    if (last.current !== null && last.current !== id) {
      if (id !== null) dropDrafts();
      queryClient.removeQueries({ type: "inactive", predicate });
      void queryClient.resetQueries({ type: "active", predicate });
    }
    last.current = id ?? last.current;
  }, [id]);
}
