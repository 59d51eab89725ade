import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Viewer } from "#contract/account.ts";
import type { DueThing } from "#contract/planned-work.ts";
import { threadPath } from "#protocol/addresses.ts";
import { ownZone } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { Applications } from "../application/applications.tsx";
import { DueThings, dueQuery } from "../plan/due-things.tsx";
import { ProfileDialog } from "../profile/personal-details.tsx";
import { Documents } from "../student-documents/documents.tsx";
import { ApplicationsCard, DocumentsCard, ProfileCard, ProgressCard } from "./cards.tsx";
import { type Dashboard, type DialogTarget, type NextStep, nextStep } from "./next-step.ts";
import classes from "./student-dashboard.module.css";

export const meta = () => pageMeta("Student dashboard");

/** Refetched whenever the tab is visible again, because the stream may have missed events. */
const dashboardQuery = api.students.dashboard.queryOptions({ refetchOnWindowFocus: "always" });

/** The home of a student: the one next thing to do, then the four cards. */
export default function StudentDashboard() {
  useLive("dashboard");
  const viewer = useViewer();
  const { data: dashboard, error, refetch } = useQuery(dashboardQuery);
  // A failed query that is sent again, as by `DueThings`, is pending again.
  const { data: due, isFetched: isDueKnown } = useQuery(dueQuery);
  if (!viewer) return null;
  return (
    <Page title={`Hello, ${viewer.firstName}`}>
      {dashboard && isDueKnown && (
        <LoadedDashboard viewer={viewer} dashboard={dashboard} things={due?.things ?? []} />
      )}
      {!dashboard && error && <Retry error={error} onRetry={() => void refetch()} />}
      {(!dashboard || !isDueKnown) && !error && <DashboardSkeleton />}
    </Page>
  );
}

type LoadedProps = { viewer: Viewer; dashboard: Dashboard; things: readonly DueThing[] };

function LoadedDashboard({ viewer, dashboard, things }: LoadedProps) {
  const [open, setOpen] = useState<DialogTarget | null>(null);
  const close = () => {
    setOpen(null);
    void queryClient.invalidateQueries({ queryKey: api.students.dashboard.key() });
    void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
  };
  return (
    <>
      <NextStepBanner
        step={nextStep(dashboard, things, new Date(serverNow()), ownZone())}
        onOpen={(target) => (target.what === "due" ? showDueThings() : setOpen(target))}
      />
      <DueThings />
      <div className={classes.cards}>
        <ProfileCard viewer={viewer} dashboard={dashboard} onOpen={() => setOpen({ what: "profile" })} />
        <ApplicationsCard
          count={dashboard.applications}
          onOpen={(at) => setOpen({ what: "applications", at })}
        />
        <DocumentsCard documents={dashboard.documents} onOpen={() => setOpen({ what: "documents" })} />
        <ProgressCard dashboard={dashboard} />
      </div>
      <ProfileDialog whose="student" opened={open?.what === "profile"} onClose={close} />
      <Dialog wide opened={open?.what === "documents"} onClose={close} title="Your documents">
        <Documents studentId={viewer.id} />
      </Dialog>
      <Dialog wide opened={open?.what === "applications"} onClose={close} title="Your Applications">
        {open?.what === "applications" && <Applications at={open.at} />}
      </Dialog>
    </>
  );
}

/** Scrolls to the list, which is on this page below the banner. */
function showDueThings(): void {
  const list = document.getElementById("due");
  list?.scrollIntoView();
  list?.focus({ preventScroll: true });
}

/** The one thing to do next, before everything else. */
function NextStepBanner({ step, onOpen }: { step: NextStep; onOpen: (what: DialogTarget) => void }) {
  const { title, text, action } = step;
  return (
    <section className={classes.next} aria-labelledby="next-step">
      <div className={classes.nextWords}>
        {!step.isDone && <p className={classes.eyebrow}>Your next step</p>}
        <h2 id="next-step" className={classes.nextTitle}>
          {title}
        </h2>
        <p className={classes.nextText}>{text}</p>
      </div>
      {action.opens.what === "message" ? (
        <LinkButton variant="accent" to={threadPath(action.opens.threadId)}>
          {action.label}
        </LinkButton>
      ) : (
        <Button
          size="md"
          variant="accent"
          aria-haspopup={action.opens.what === "due" ? undefined : "dialog"}
          onClick={() => onOpen(action.opens)}
        >
          {action.label}
        </Button>
      )}
    </section>
  );
}

/** Reserves the space of the banner and the cards. */
function DashboardSkeleton() {
  return (
    <Waiting label="Loading your dashboard">
      <Skeleton h={128} mb={20} />
      <div className={classes.cards}>
        <Skeleton h={330} />
        <Skeleton h={330} />
        <Skeleton h={330} />
        <Skeleton h={330} />
      </div>
    </Waiting>
  );
}
