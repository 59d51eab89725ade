import { useState } from "react";
import type { Viewer } from "#contract/account.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { Applications } from "../application/applications.tsx";
import { ProfileDialog } from "../profile/profile-dialog.tsx";
import { Documents } from "../student-documents/documents.tsx";
import { ApplicationsCard } from "./applications-card.tsx";
import { DocumentsCard } from "./documents-card.tsx";
import { nextStep, type Opens } from "./next-step.ts";
import { NextStepBanner } from "./next-step-banner.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { ProgressCard } from "./progress-card.tsx";
import classes from "./student-dashboard.module.css";
import { type Dashboard, refreshDashboard, useDashboard } from "./use-dashboard.ts";

export const meta = () => pageMeta("Student dashboard");

/** The student's start: the one next thing to do, then the four cards. */
export default function StudentDashboard() {
  const viewer = useViewer();
  const { data: dashboard, error, refetch } = useDashboard();
  if (!viewer) return null;
  return (
    <Page title={`Hello, ${viewer.firstName}`}>
      {dashboard && <LoadedDashboard viewer={viewer} dashboard={dashboard} />}
      {!dashboard && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!dashboard && !error && <DashboardSkeleton />}
    </Page>
  );
}

function LoadedDashboard({ viewer, dashboard }: { viewer: Viewer; dashboard: Dashboard }) {
  const [open, setOpen] = useState<Opens | null>(null);
  const close = () => {
    setOpen(null);
    refreshDashboard();
  };
  return (
    <>
      <NextStepBanner step={nextStep(dashboard)} onOpen={setOpen} />
      <div className={classes.cards}>
        <ProfileCard viewer={viewer} agent={dashboard.agent} onOpen={() => setOpen({ what: "profile" })} />
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

/** Holds the place of the banner and the cards. */
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
