import { Group, Text } from "@mantine/core";
import { useId } from "react";
import type { AgentCard as Agent } from "#contract/agents.ts";
import { formatDate } from "../../lib/format-date.ts";
import { Button } from "../../ui/button.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./agent-card.module.css";
import { type Decision, decisions, decisionsFor } from "./decisions.ts";

const dateLabel: Record<Agent["kind"], string> = {
  pending: "Applied",
  approved: "Approved",
  revoked: "Revoked",
  denied: "Denied",
  disabled: "Disabled",
};

/** Those whom the tab of former agents mixes are told apart at a glance. */
const badge: Partial<Record<Agent["kind"], Tone>> = { revoked: "ended", denied: "ended", disabled: "asks" };

type AgentCardProps = { agent: Agent; busy: boolean; onDecide: (decision: Decision) => void };

/** One agent of the admin dashboard (spec 2). A denied application is known by its address alone. */
export function AgentCard({ agent, busy, onDecide }: AgentCardProps) {
  const titleId = useId();
  const tone = badge[agent.kind];
  return (
    <article className={classes.card} aria-labelledby={titleId}>
      <div className={classes.facts}>
        <Group gap="0.25rem 0.625rem" mb={2}>
          <h2 id={titleId} className={classes.name}>
            {agent.name || agent.email}
          </h2>
          {tone && <StateBadge tone={tone}>{dateLabel[agent.kind]}</StateBadge>}
        </Group>
        {agent.name && <Text>{agent.email}</Text>}
        {agent.kind !== "denied" && <Text>Agency: {agent.agency || "Not specified"}</Text>}
        <Text c="dimmed" size="sm">
          {dateLabel[agent.kind]}: {agent.date ? formatDate(agent.date) : "Unknown"}
        </Text>
        {agent.by && (
          <Text c="dimmed" size="sm">
            By: {agent.by}
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.actions}>
        {decisionsFor[agent.kind].map((decision, place) => (
          <Button
            key={decision}
            variant={place === 0 && !decisions[decision].question ? "filled" : "default"}
            disabled={busy}
            aria-describedby={titleId}
            onClick={() => onDecide(decision)}
          >
            {decisions[decision].label}
          </Button>
        ))}
      </Group>
    </article>
  );
}
