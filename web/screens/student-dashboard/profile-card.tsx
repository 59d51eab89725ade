import { IconId } from "@tabler/icons-react";
import type { Viewer } from "#contract/account.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./student-dashboard.module.css";
import type { Dashboard } from "./use-dashboard.ts";

type ProfileCardProps = { viewer: Viewer; agent: Dashboard["agent"]; onOpen: () => void };

/** Who the student is, and the assigned agent. */
export function ProfileCard({ viewer, agent, onOpen }: ProfileCardProps) {
  return (
    <Card
      title="Profile"
      icon={<IconId />}
      action={
        <Button variant="default" size="md" aria-haspopup="dialog" onClick={onOpen}>
          Update Personal Details
        </Button>
      }
    >
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd>{`${viewer.firstName} ${viewer.lastName}`}</dd>
        <dt>Email</dt>
        <dd>{viewer.email}</dd>
        <dt>Phone</dt>
        <dd>{viewer.phone || "Not given yet"}</dd>
        <dt>Agent</dt>
        <dd>{agent ? <AgentFacts agent={agent} /> : "No agent assigned yet."}</dd>
      </dl>
    </Card>
  );
}

function AgentFacts({ agent }: { agent: NonNullable<Dashboard["agent"]> }) {
  return (
    <ul className={classes.agent} aria-label="Your agent">
      <li>{agent.name}</li>
      {agent.agency && <li>{agent.agency}</li>}
      <li>
        <TextLink to={`mailto:${agent.email}`}>{agent.email}</TextLink>
      </li>
      {agent.phone && (
        <li>
          <TextLink to={`tel:${agent.phone.replace(/[^\d+]/g, "")}`}>{agent.phone}</TextLink>
        </li>
      )}
    </ul>
  );
}
