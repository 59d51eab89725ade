import { useMutation } from "@tanstack/react-query";
import type { Task } from "#contract/planned-work.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { nextTaskStates, type TaskState, taskLimits, taskStateLabels } from "#domain/task.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { DueText } from "./due-text.tsx";
import { refetchPlan } from "./plan-dialogs.tsx";

export const taskTones: Record<TaskState, Tone> = {
  open: "going",
  done: "asks",
  checked: "good",
  cancelled: "ended",
};
const ownerWords = { student: "The student's", agent: "The agent's", admin: "An admin's" } as const;
const moveLabels: Record<TaskState, string> = {
  open: "Reopen",
  done: "Mark as done",
  checked: "Checked",
  cancelled: "Cancel task",
};

type TaskItemProps = { task: Task; onChange: (task: Task) => void; onReopen: (task: Task) => void };

/** A task as the agent sees it. */
export function TaskItem({ task, onChange, onReopen }: TaskItemProps) {
  const { title, text, state, note, owner, due } = task;
  return (
    <Item
      name={title}
      level={3}
      state={<StateBadge tone={taskTones[state]}>{taskStateLabels[state]}</StateBadge>}
      details={
        <>
          {note && <p>Reopened: {note}</p>}
          {text && <p>{text}</p>}
          <p>{ownerWords[owner]} task</p>
          {due && state === "open" && <DueText due={due} />}
        </>
      }
      actions={
        <>
          {state === "open" && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Change ${title}`}
              onClick={() => onChange(task)}
            >
              Change
            </Button>
          )}
          {nextTaskStates("staff", task).map((to) => (
            <MoveTask key={to} task={task} to={to} onReopen={() => onReopen(task)} />
          ))}
        </>
      }
    />
  );
}

type MoveTaskProps = { task: Task; to: TaskState; onReopen: () => void };

function MoveTask({ task: { id: taskId, version, title }, to, onReopen }: MoveTaskProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.planner.moveTask({ taskId, version, to }),
    onSettled: refetchPlan,
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant={to === "cancelled" ? "subtle" : "default"}
        disabled={isPending}
        aria-label={`${moveLabels[to]}: ${title}`}
        onClick={() => (to === "open" ? onReopen() : mutate())}
      >
        {moveLabels[to]}
      </Button>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

/** Asks why a task is reopened. */
export function ReopenDialog({ task, onClose }: { task: Task | null; onClose: () => void }) {
  return (
    <ReasonDialog
      opened={task !== null}
      title={`Reopen ${task?.title ?? ""}`}
      draft={`reopen ${task?.id}`}
      maxLength={taskLimits.note}
      check={(reason) =>
        reason.trim() === ""
          ? wrong("reason", "Please enter a note.")
          : tooLong("reason", "The note", reason, taskLimits.note)
      }
      send={async (note) => {
        if (!task) return;
        const { id: taskId, version } = task;
        await rpc.planner.moveTask({ taskId, version, to: "open", note }).finally(() => void refetchPlan());
      }}
      action={{ text: "Reopen", busyText: "Reopening..." }}
      errorTitle="Not reopened"
      onClose={onClose}
    >
      Whoever sees the task will read this.
    </ReasonDialog>
  );
}
