import { IconGavel, IconId, IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page } from "../../ui/page.tsx";
import { ProfileDialog } from "../profile/personal-details.tsx";
import classes from "./waiting-list.module.css";
import { WaitingList } from "./waiting-list.tsx";

export const meta = () => pageMeta("Agent dashboard");

/** The home of an approved agent. */
export default function AgentDashboard() {
  const viewer = useViewer();
  return (
    <Page title={`Hello, ${viewer?.firstName ?? ""}`} lead={viewer?.agency}>
      <WaitingList />
      <div className={classes.cards}>
        <Card title="Profile" icon={<IconId />} action={<OpenProfile />}>
          Your details on file.
        </Card>
        <Card
          title="Manage Students"
          icon={<IconUsers />}
          action={
            <LinkButton to="/manage-students" primary>
              View students
            </LinkButton>
          }
        >
          All students, their applications and their agents.
        </Card>
        <Card
          title="Upload Product"
          icon={<IconGavel />}
          action={<LinkButton to="/upload-product">Upload an item</LinkButton>}
        >
          Put an item up for auction.
        </Card>
      </div>
    </Page>
  );
}

function OpenProfile() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" size="md" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Edit profile
      </Button>
      <ProfileDialog whose="agent" opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
