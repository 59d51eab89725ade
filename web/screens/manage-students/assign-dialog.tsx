import "@mantine/core/styles/Input.css";
import { Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StudentRow } from "#contract/students.ts";
import { isApprovedAgent } from "#domain/permission.ts";
import { agentsPerSearch, studentSearchLimit } from "#domain/student-list.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./assign-dialog.module.css";

type AssignDialogProps = {
  /** Null: closed. */
  student: StudentRow | null;
  busy: boolean;
  /** Null: the student shall have no agent. */
  onAssign: (agentId: string | null) => void;
  onClose: () => void;
};

/** Chooses the agent who guides a student (product decisions, "Assigning"). */
export function AssignDialog({ student, busy, onAssign, onClose }: AssignDialogProps) {
  return (
    <Dialog
      wide
      opened={student !== null}
      onClose={onClose}
      title={student ? `Assign an agent to ${student.name}` : ""}
    >
      {student && <Choice key={student.id} student={student} busy={busy} onAssign={onAssign} />}
    </Dialog>
  );
}

function Choice({
  student,
  busy,
  onAssign,
}: Omit<AssignDialogProps, "student" | "onClose"> & { student: StudentRow }) {
  const viewer = useViewer();
  const [search, setSearch] = useState("");
  const mine = viewer && isApprovedAgent(viewer) && student.agent?.id !== viewer.id ? viewer.id : null;
  return (
    <>
      <Text c="dimmed" mb="md">
        {student.agent
          ? `${student.agent.name} guides this student now.`
          : "No agent guides this student yet."}
      </Text>
      <div className={classes.search}>
        <TextInput
          type="search"
          size="md"
          label="Search agents"
          description="By name or agency"
          maxLength={studentSearchLimit}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <Agents search={search} busy={busy} currentId={student.agent?.id ?? null} onChoose={onAssign} />
      <DialogActions>
        {student.agent && (
          <Button variant="default" disabled={busy} onClick={() => onAssign(null)}>
            Remove agent
          </Button>
        )}
        {mine && (
          <Button disabled={busy} onClick={() => onAssign(mine)}>
            {busy ? "Assigning..." : "Assign to me"}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** The agents whom a text finds. What is shown stays until the next answer is there. */
function useAgents(search: string) {
  const [asked] = useDebouncedValue(search, 200);
  const { data, ...query } = useQuery({
    ...api.students.agents.queryOptions({ input: { search: asked } }),
    placeholderData: keepPreviousData,
  });
  return { ...query, agents: data?.agents ?? null };
}

const words = { one: "agent", many: "agents", none: "No agents match" };

type AgentsProps = { busy: boolean; currentId: string | null; onChoose: (agentId: string) => void };

function Agents({ search, ...choosing }: AgentsProps & { search: string }) {
  const found = useAgents(search);
  const count = found.isPlaceholderData ? null : (found.agents?.length ?? null);
  return (
    <>
      <ListStatus count={count} more={count === agentsPerSearch} words={words} />
      <Found found={found} {...choosing} />
    </>
  );
}

type FoundProps = AgentsProps & { found: ReturnType<typeof useAgents> };

function Found({ found: { agents, error, refetch }, busy, currentId, onChoose }: FoundProps) {
  if (!agents && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!agents) return <Skeleton h={160} label="Loading agents" />;
  if (agents.length === 0) return <Text c="dimmed">No approved agent has this in their name or agency.</Text>;
  return (
    <ul className={classes.list} aria-label="Agents">
      {agents.map(({ id, name, agency }) => (
        <li key={id}>
          <button
            type="button"
            className={classes.agent}
            disabled={busy || id === currentId}
            onClick={() => onChoose(id)}
          >
            <span className={classes.name}>{name}</span>
            <span className={classes.agency}>{agency}</span>
            <span className={classes.verb}>{id === currentId ? "Guides now" : "Assign"}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
