import { IconGavel, IconId, IconMail, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page } from "../../ui/page.tsx";
import { WorkLists } from "../manage-students/work-lists.tsx";
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
        <OffersCard />
        <Card
          title="Upload Product"
          icon={<IconGavel />}
          action={<LinkButton to="/upload-product">Upload an item</LinkButton>}
        >
          Put an item up for auction.
        </Card>
      </div>
      <WorkLists />
    </Page>
  );
}

/** The number of open offers, which leads to their list. */
function OffersCard() {
  const { data } = useQuery(api.offers.toAnswer.queryOptions({ input: { limit: 1 } }));
  const { total, overdue } = { total: 0, overdue: 0, ...data };
  return (
    <Card
      title="Offers to answer"
      icon={<IconMail />}
      action={<LinkButton to="/offers">See offers</LinkButton>}
    >
      {data ? offersWords(total ?? 0, overdue ?? 0) : "Open offers, by the time to reply."}
    </Card>
  );
}

function offersWords(total: number, overdue: number): string {
  if (total === 0) return "No open offers right now.";
  return `${total} open ${total === 1 ? "offer" : "offers"}${overdue > 0 ? `, ${overdue} overdue` : ""}.`;
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
