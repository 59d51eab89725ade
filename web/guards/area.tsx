import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from "react-router";
import { areaOfRoute } from "#protocol/area-route.ts";
import { useSignOut } from "../frame/sign-out.tsx";
import { sessionEnd } from "../lib/session-end.ts";
import { useVisit } from "../lib/viewer.ts";
import { Page } from "../ui/page.tsx";
import { Retry } from "../ui/retry.tsx";
import { Skeleton, Waiting } from "../ui/skeleton.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { resolveAccess } from "./access.ts";

/** Admits a viewer to an area, and decides again whenever the viewer changes. The route's id names the area. */
export default function AreaGuard() {
  const matches = useMatches();
  const area = matches.map(({ id }) => areaOfRoute(id)).find((each) => each !== null) ?? "signedIn";
  const visit = useVisit();
  const decision = resolveAccess(area, visit, useLocation());
  const { leavingTo } = useSignOut();
  const [wasIn, setWasIn] = useState(false);
  if (decision.kind === "enter" && !wasIn) setWasIn(true);
  if (decision.kind === "enter") return <Outlet />;
  if (decision.kind === "unauthorized") return <Unauthorized />;
  if (decision.kind === "failed")
    return (
      <Page>
        <Retry error={decision.error} onRetry={decision.retry} />
      </Page>
    );
  const isSignedOut = visit.state === "known" && visit.viewer === null;
  const state = wasIn && isSignedOut && leavingTo === null ? sessionEnd() : null;
  return (
    <>
      {decision.kind === "go" && <Navigate replace to={leavingTo ?? decision.to} state={state} />}
      <ScreenSkeleton />
    </>
  );
}

/** Reserves the space of a screen until the viewer is known. */
const ScreenSkeleton = () => (
  <Page>
    <Waiting gap="lg" label="Loading">
      <Skeleton h={40} w="min(20rem, 70%)" />
      <Skeleton h={18} w="min(30rem, 90%)" />
      <Skeleton h={220} />
    </Waiting>
  </Page>
);

const shownFor = 2_000;

/** The notice that a non-admin sees at /admin-dashboard for a moment, before going to the home page. */
function Unauthorized() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate("/", { replace: true }), shownFor);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Page
      title="Unauthorized Access"
      lead={
        <>
          This page is for administrators.{" "}
          <TextLink to="/" replace>
            Go to the home page
          </TextLink>
        </>
      }
    />
  );
}
