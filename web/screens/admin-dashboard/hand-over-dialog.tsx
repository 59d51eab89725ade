import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentCard } from "#contract/agents.ts";
import { numberOfStudents } from "#domain/student-list.ts";
import { announce } from "../../lib/announce.ts";
import { dropDraft } from "../../lib/drafts.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { AgentPicker } from "../manage-students/agent-picker.tsx";
import { HandoverNote, handoverDraft, useHandoverNote } from "../manage-students/handover-note.tsx";
import classes from "./decision-dialog.module.css";

type HandOverDialogProps = {
  /** Null: closed. */
  agent: AgentCard | null;
  onClose: () => void;
};

/** Gives all of an agent's students to another agent, or leaves them without one. */
export function HandOverDialog({ agent, onClose }: HandOverDialogProps) {
  return (
    <Dialog
      wide
      opened={agent !== null}
      onClose={onClose}
      title={agent ? `Reassign students of ${agent.name}` : ""}
    >
      {agent && <Choice key={agent.id} agent={agent} onClose={onClose} />}
    </Dialog>
  );
}

/** `to` is null for no new agent. */
type Successor = { to: { id: string; name: string } | null };

function Choice({ agent, onClose }: { agent: AgentCard; onClose: () => void }) {
  const [successor, setSuccessor] = useState<Successor | null>(null);
  const handover = useHandoverNote(agent.id);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ to }: Successor) =>
      rpc.students.handOver({ fromAgentId: agent.id, toAgentId: to?.id ?? null, note: handover.note }),
    onSuccess({ students }, { to }) {
      dropDraft(handoverDraft(agent.id));
      announce(
        to
          ? `${numberOfStudents(students)} reassigned to ${to.name}.`
          : `${numberOfStudents(students)} left without an agent.`,
      );
      onClose();
    },
    onSettled() {
      const queryKeys = [api.agents.key(), api.students.key()];
      return Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  const confirm = () => {
    if (successor) mutate(successor);
    setSuccessor(null);
  };
  return (
    <>
      <p className={classes.lead}>
        {numberOfStudents(agent.students)} {agent.students === 1 ? "is" : "are"} assigned to {agent.name}.
        Choose their new agent.
      </p>
      <div className={classes.lead}>
        <HandoverNote busy={isPending} {...handover} />
      </div>
      <AgentPicker busy={isPending} currentId={agent.id} onChoose={(to) => setSuccessor({ to })} />
      <DialogActions>
        <Button variant="default" disabled={isPending} onClick={() => setSuccessor({ to: null })}>
          Leave without an agent
        </Button>
      </DialogActions>
      <ConfirmModal
        question={successor && questionAbout(agent, successor)}
        onConfirm={confirm}
        onCancel={() => setSuccessor(null)}
      />
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

const questionAbout = ({ name, students }: AgentCard, { to }: Successor) => ({
  title: "Reassign students",
  text: to
    ? `${numberOfStudents(students)} will move from ${name} to ${to.name}. The students and both agents will be notified.`
    : `${numberOfStudents(students)} of ${name} will be left without an agent. The students and all admins will be notified.`,
  action: "Reassign",
});
