import { SimpleGrid } from "@mantine/core";
import { IconChartBar, IconFileText, IconFolder, IconId } from "@tabler/icons-react";
import type { Viewer } from "#contract/account.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Card } from "../../ui/card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { NextStep } from "./next-step.tsx";
import classes from "./student-dashboard.module.css";

export const meta = () => pageMeta("Student dashboard");

/** The student's start (spec 2): the one next thing to do, then the four cards. */
export default function StudentDashboard() {
  const viewer = useViewer();
  if (!viewer) return null;
  return (
    <Page title={`Hello, ${viewer.firstName}`}>
      <NextStep viewer={viewer} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <ProfileCard viewer={viewer} />
        <Card
          title="Your Applications"
          icon={<IconFileText />}
          action={<LinkButton to="/application">Open applications</LinkButton>}
        >
          Applying to programmes opens here soon.
        </Card>
        <Card
          title="Documents"
          icon={<IconFolder />}
          action={<LinkButton to="/student-documents">Open documents</LinkButton>}
        >
          Your six documents will be kept here.
        </Card>
        <Card
          title="Progress"
          icon={<IconChartBar />}
          action={<LinkButton to="/student-profile">Open profile</LinkButton>}
        >
          How complete your profile and documents are will show here.
        </Card>
      </SimpleGrid>
    </Page>
  );
}

function ProfileCard({ viewer }: { viewer: Viewer }) {
  return (
    <Card
      title="Profile"
      icon={<IconId />}
      action={<LinkButton to="/student-profile">Update Personal Details</LinkButton>}
    >
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd>{`${viewer.firstName} ${viewer.lastName}`}</dd>
        <dt>Email</dt>
        <dd>{viewer.email}</dd>
        <dt>Phone</dt>
        <dd>{viewer.phone || "Not given yet"}</dd>
      </dl>
    </Card>
  );
}
