import "@mantine/core/styles/SimpleGrid.css";
import { SimpleGrid } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconGavel, IconId, IconUsers } from "@tabler/icons-react";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ProfileDialog } from "../profile/profile-dialog.tsx";
import { WaitingList, waitingQuery } from "./waiting-list.tsx";

export const meta = () => pageMeta("Agent dashboard");

export const handle: ScreenHandle = { ask: () => queryClient.prefetchQuery(waitingQuery) };

/** The approved agent's start (spec 2; the third card's name is the product decisions'). */
export default function AgentDashboard() {
  const viewer = useViewer();
  return (
    <Page title={`Hello, ${viewer?.firstName ?? ""}`} lead={viewer?.agency}>
      <WaitingList />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        <Card title="Profile" icon={<IconId />} action={<OpenProfile />}>
          Your own details, as the consultancy keeps them.
        </Card>
        <Card
          title="Manage Students"
          icon={<IconUsers />}
          action={
            <LinkButton to="/manage-students" primary>
              Open students
            </LinkButton>
          }
        >
          Every student, their applications and who guides them.
        </Card>
        <Card
          title="Upload Product"
          icon={<IconGavel />}
          action={<LinkButton to="/upload-product">Upload an item</LinkButton>}
        >
          Put an item up for auction.
        </Card>
      </SimpleGrid>
    </Page>
  );
}

function OpenProfile() {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" size="md" aria-haspopup="dialog" onClick={dialog.open}>
        Open profile
      </Button>
      <ProfileDialog whose="agent" opened={opened} onClose={dialog.close} />
    </>
  );
}
