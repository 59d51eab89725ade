import { useId } from "react";
import type { AgentCard as Agent } from "#contract/agents.ts";
import { countryName } from "#domain/country.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatDate } from "../../lib/format-date.ts";
import { withErasure } from "../../lib/leaving.ts";
import { Button } from "../../ui/button.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./agent-card.module.css";
import { type Decision, decisions, decisionsFor, needsVerifying } from "./decisions.ts";

const dateLabel: Record<Agent["kind"], string> = {
  pending: "Applied",
  approved: "Approved",
  revoked: "Revoked",
  denied: "Denied",
  disabled: "Disabled",
  leaving: "Asked to delete their account",
};

type Badge = { tone: Tone; label: string };

/** Badges that distinguish the kinds of agents in the tab of former agents. */
const badges: Partial<Record<Agent["kind"], Badge>> = {
  revoked: { tone: "ended", label: "Revoked" },
  denied: { tone: "ended", label: "Denied" },
  disabled: { tone: "asks", label: "Disabled" },
  leaving: { tone: "asks", label: "Leaving" },
};

type AgentCardProps = {
  agent: Agent;
  busy: boolean;
  onDecide: (decision: Decision) => void;
  onHandOver: () => void;
};

/** One agent of the admin dashboard. Only the address of a denied application is known. */
export function AgentCard({ agent, busy, onDecide, onHandOver }: AgentCardProps) {
  const titleId = useId();
  const badge = badges[agent.kind];
  return (
    <article ref={passFocusOn} className={classes.card} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.name}>
          {agent.name || agent.email}
        </h2>
        {badge && <StateBadge tone={badge.tone}>{withErasure(badge.label, agent.erasedOn)}</StateBadge>}
      </div>
      <Facts agent={agent} />
      {needsVerifying(agent) && (
        <p className={classes.hint}>Can be approved once the email address is verified.</p>
      )}
      <div className={classes.decisions}>
        {decisionsFor(agent).map((decision, place) => (
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
        {agent.students > 0 && (
          <Button variant="default" disabled={busy} aria-describedby={titleId} onClick={onHandOver}>
            Reassign students
          </Button>
        )}
      </div>
    </article>
  );
}

function Facts({ agent }: { agent: Agent }) {
  const date = agent.date ? formatDate(agent.date) : "Unknown";
  return (
    <div className={classes.facts}>
      {agent.kind !== "denied" && (
        <>
          <p className={classes.wide}>
            {agent.email}{" "}
            <span className={classes.verified} data-verified={agent.emailVerified}>
              {agent.emailVerified ? "Verified" : "Not verified"}
            </span>
          </p>
          <p className={classes.wide}>Agency: {agent.agency || "Not specified"}</p>
          <p>Phone: {agent.phone || "Not specified"}</p>
          <p>Country: {countryName(agent.country) || "Not specified"}</p>
        </>
      )}
      {agent.students > 0 && <p>Students: {agent.students}</p>}
      <p className={classes.hint}>
        {dateLabel[agent.kind]}: {date}
      </p>
      {agent.by && <p className={classes.hint}>By: {agent.by}</p>}
    </div>
  );
}
