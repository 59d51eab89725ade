import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { AgentChoice } from "#contract/students.ts";
import { studentSearchLimit } from "#domain/student-list.ts";
import { agentsPerSearch } from "#protocol/page-sizes.ts";
import { api } from "../../lib/rpc.ts";
import { Pressable } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/form/fields.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./agent-picker.module.css";

/** Milliseconds without a keystroke before a search starts. */
const pause = 200;

type AgentPickerProps = {
  busy: boolean;
  /** The agent who already has the students and can't be chosen, or null. */
  currentId: string | null;
  onChoose: (agent: AgentChoice) => void;
  /** The texts beside an agent who can be chosen, and beside the current one. */
  verbs?: { choose: string; current: string };
};

const assigning = { choose: "Assign", current: "Current agent" };

/** Chooses one of the approved agents, searched by name or agency. */
export function AgentPicker({ busy, currentId, onChoose, verbs = assigning }: AgentPickerProps) {
  const [search, setSearch] = useState("");
  const list = useAgents(search);
  const count = list.isPlaceholderData ? null : (list.agents?.length ?? null);
  return (
    <>
      <div className={classes.search}>
        <Field label="Search agents" description="By name or agency">
          {(control) => (
            <Input
              type="search"
              maxLength={studentSearchLimit}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              {...control}
            />
          )}
        </Field>
      </div>
      <ListStatus count={count} more={count === agentsPerSearch} words={words} />
      <AgentList list={list} {...{ busy, currentId, onChoose, verbs }} />
    </>
  );
}

const words = { one: "agent", many: "agents", none: "No agents match" };

/** Returns the agents that match a text. The current ones stay until the next answer arrives. */
function useAgents(search: string) {
  const [term, setTerm] = useState(search);
  useEffect(() => {
    const timer = setTimeout(() => setTerm(search), pause);
    return () => clearTimeout(timer);
  }, [search]);
  const { data, ...query } = useQuery({
    ...api.students.agents.queryOptions({ input: { search: term } }),
    placeholderData: keepPreviousData,
  });
  return { ...query, agents: data?.agents ?? null };
}

type AgentListProps = Required<AgentPickerProps> & { list: ReturnType<typeof useAgents> };

function AgentList({ list: { agents, error, refetch }, busy, currentId, onChoose, verbs }: AgentListProps) {
  if (!agents && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!agents) return <Skeleton h={160} label="Loading agents" />;
  if (agents.length === 0)
    return (
      <p className={classes.none}>No approved agents match your search. Try part of a name or agency.</p>
    );
  return (
    <ul className={classes.list} aria-label="Agents">
      {agents.map((agent) => (
        <li key={agent.id}>
          <Pressable
            className={classes.agent}
            disabled={busy || agent.id === currentId}
            onClick={() => onChoose(agent)}
          >
            <span className={classes.name}>{agent.name}</span>
            <span className={classes.agency}>{agent.agency}</span>
            <span className={classes.verb}>{agent.id === currentId ? verbs.current : verbs.choose}</span>
          </Pressable>
        </li>
      ))}
    </ul>
  );
}
