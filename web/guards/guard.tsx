import { Navigate, Outlet, useLocation } from "react-router";
import type { Area } from "#domain/area.ts";
import { useSignOut } from "../frame/sign-out.tsx";
import { useVisit } from "../lib/viewer.ts";
import { Page } from "../ui/page.tsx";
import { Retry } from "../ui/retry.tsx";
import { ScreenSkeleton } from "../ui/screen-skeleton.tsx";
import { doorOf } from "./door.ts";
import { Unauthorized } from "./unauthorized.tsx";

/** Keeps an area to its people: follows the server's word about who is looking, whenever that changes. */
export function Guard({ area }: { area: Area }) {
  const door = doorOf(area, useVisit(), useLocation());
  const { leavingTo } = useSignOut();
  if (door.kind === "enter") return <Outlet />;
  if (door.kind === "unauthorized") return <Unauthorized />;
  if (door.kind === "failed") return <Failed {...door} />;
  return (
    <>
      {door.kind === "go" && <Navigate replace to={leavingTo ?? door.to} />}
      <ScreenSkeleton />
    </>
  );
}

function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Page>
      <Retry error={error} onRetry={retry} />
    </Page>
  );
}
