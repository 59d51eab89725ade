import type { StudentRow } from "#contract/students.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { mayReassign } from "./responsible.ts";
import classes from "./row-buttons.module.css";
import type { RowActions } from "./use-row-actions.ts";

type RowButtonProps = { label: string; about: string; onClick: () => void; disabled?: boolean };

/** `about` is the label with whom it is about, for who can't see the row. */
const RowButton = ({ label, about, onClick, disabled = false }: RowButtonProps) => (
  <Button
    size="compact-sm"
    variant="default"
    className={classes.button}
    aria-label={about}
    disabled={disabled}
    onClick={onClick}
  >
    {label}
  </Button>
);

type Part = { student: StudentRow; actions: RowActions };

export const ShortlistButton = ({ student, actions }: Part) => (
  <RowButton
    label="Shortlist"
    about={`Shortlist of ${student.name}`}
    onClick={() => actions.shortlist(student)}
  />
);

export const ApplicationsAndAccount = ({ student, actions }: Part) => (
  <div className={classes.buttons}>
    <RowButton
      label="View Applications"
      about={`View Applications of ${student.name}`}
      onClick={() => actions.applications(student)}
    />
    <DisableButton student={student} actions={actions} />
  </div>
);

function DisableButton({ student, actions }: Part) {
  const viewer = useViewer();
  if (viewer?.role !== "admin") return null;
  const label = student.disabled ? "Enable" : "Disable";
  return (
    <RowButton
      label={label}
      about={`${label} ${student.name}`}
      disabled={actions.pending === student.id}
      onClick={() => actions.setDisabled(student)}
    />
  );
}

/** The assigned agent, and the button to change that. */
export function AssignedAgent({ student, actions }: Part) {
  const viewer = useViewer();
  const label = student.agent ? "Reassign" : "Assign Agent";
  const offered = viewer !== null && mayReassign(viewer, student);
  return (
    <div className={classes.agent}>
      {student.agent ? (
        <span className={classes.agentName}>{student.agent.name}</span>
      ) : (
        <span className={classes.nobody}>No agent yet</span>
      )}
      {offered && (
        <RowButton
          label={label}
          about={`${label}: ${student.name}`}
          onClick={() => actions.assign(student)}
        />
      )}
    </div>
  );
}
