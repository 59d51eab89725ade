import { useState } from "react";
import type { Viewer } from "#contract/account.ts";
import type { StudentRow } from "#contract/students.ts";
import { isApprovedAgent, mayAssign } from "#domain/permission.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { HandoverNote, useHandoverNote } from "./handover-note.tsx";

/** Whether the viewer may reassign the student, by the rule that the server applies. */
export const mayReassign = (viewer: Viewer, { id, agent }: StudentRow): boolean =>
  mayAssign(viewer, { id, assignedAgentId: agent?.id ?? null });

type AssignDialogProps = {
  /** Null: closed. */
  student: StudentRow | null;
  busy: boolean;
  /** Null removes the student's agent. The note is for the next one, and may be empty. */
  onAssign: (agentId: string | null, note: string) => void;
  onClose: () => void;
};

/** Chooses a student's agent. */
export function AssignDialog({ student, busy, onAssign, onClose }: AssignDialogProps) {
  return (
    <Dialog
      wide
      opened={student !== null}
      onClose={onClose}
      title={student ? `Assign an agent to ${student.name}` : ""}
    >
      {student && <Choice key={student.id} student={student} {...{ busy, onAssign, onClose }} />}
    </Dialog>
  );
}

function Choice({ student, busy, onAssign, onClose }: AssignDialogProps & { student: StudentRow }) {
  const viewer = useViewer();
  const [isRemoving, setRemoving] = useState(false);
  const handover = useHandoverNote(student.id);
  // An agent who takes a student on has nothing to hand over.
  const assign = (agentId: string | null) => onAssign(agentId, student.agent ? handover.note : "");
  // Another person may have assigned the student while this was open.
  if (!viewer || !mayReassign(viewer, student)) return <NotYours student={student} onClose={onClose} />;
  const mine = isApprovedAgent(viewer) && student.agent?.id !== viewer.id ? viewer.id : null;
  return (
    <>
      <p className={classes.lead}>
        {student.agent ? `Currently assigned to ${student.agent.name}.` : "This student has no agent yet."}
      </p>
      {student.agent && (
        <div className={classes.lead}>
          <HandoverNote busy={busy} {...handover} />
        </div>
      )}
      <AgentPicker busy={busy} currentId={student.agent?.id ?? null} onChoose={({ id }) => assign(id)} />
      <DialogActions>
        {student.agent && (
          <Button variant="default" disabled={busy} onClick={() => setRemoving(true)}>
            Remove agent
          </Button>
        )}
        {mine && (
          <Button disabled={busy} onClick={() => assign(mine)}>
            {busy ? "Assigning..." : "Assign to me"}
          </Button>
        )}
      </DialogActions>
      <ConfirmModal
        question={isRemoving ? removal(student) : null}
        onConfirm={() => {
          setRemoving(false);
          assign(null);
        }}
        onCancel={() => setRemoving(false)}
      />
    </>
  );
}

const removal = ({ name, agent }: StudentRow) => ({
  title: "Remove agent",
  text: `${agent?.name ?? "The agent"} will lose access to ${name}'s documents and identity details, and ${name} will have no agent. Both will be notified.`,
  action: "Remove agent",
});

const NotYours = ({ student: { agent }, onClose }: { student: StudentRow; onClose: () => void }) => (
  <>
    <p className={classes.words}>
      {`This student is now assigned to ${agent?.name ?? "another agent"}. Only their agent or an admin can change that.`}
    </p>
    <DialogActions>
      <Button onClick={onClose}>OK</Button>
    </DialogActions>
  </>
);
