import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { DocumentRequest, Task } from "#contract/planned-work.ts";
import { applicationName } from "#domain/application-notification.ts";
import { dayWords } from "#domain/deadline.ts";
import { isRequestOpen } from "#domain/document-request.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { rpc } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ItemList } from "../../ui/item-list.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./plan.module.css";
import {
  AskDialog,
  applicationsOf,
  ChangeRequestDialog,
  ChangeTaskDialog,
  PauseDialog,
  planQuery,
  refetchPlan,
  TaskDialog,
} from "./plan-dialogs.tsx";
import { RequestItem, SendBackDialog } from "./request-item.tsx";
import { ReopenDialog, TaskItem } from "./task-item.tsx";

type OpenDialog =
  | { what: "ask" | "task" | "pause" }
  | { what: "changeRequest" | "sendBack"; request: DocumentRequest }
  | { what: "changeTask" | "reopen"; task: Task };

/** All of a student's plan under a heading of its own, in the expanded row of Manage Students. */
export const StudentPlanSection = (props: StudentPlanProps) => (
  <section className={classes.plan} aria-label="Requests and tasks">
    <h2 className={classes.heading}>Requests and tasks</h2>
    <StudentPlan {...props} />
  </section>
);

type StudentPlanProps = {
  studentId: string;
  applicationId?: string;
  /** Whether the viewer may upload requested documents on the student's behalf. */
  mayUpload?: boolean;
};

/** A student's requests and tasks, or those of one application, for the assigned agent and admins. */
export function StudentPlan({ studentId, applicationId, mayUpload = false }: StudentPlanProps) {
  const { data, error, refetch } = useQuery(planQuery(studentId));
  const applications = useQuery(applicationsOf(studentId)).data?.applications ?? [];
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  if (error && friendlyError(error).code === "not-found") return null;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} label="Loading requests and tasks" />;
  const { pausedUntil, timeZone: studentZone } = data;
  const isShown = (thing: DocumentRequest | Task) =>
    applicationId === undefined || thing.applicationId === applicationId;
  const [requests, tasks] = [data.requests.filter(isShown), data.tasks.filter(isShown)];
  const choices = applications.map((application) => ({
    value: application.id,
    label: applicationName(application),
  }));
  const renderRequest = (request: DocumentRequest) => (
    <RequestItem
      key={request.id}
      request={request}
      mayUpload={mayUpload}
      onChange={() => setOpen({ what: "changeRequest", request })}
      onSendBack={() => setOpen({ what: "sendBack", request })}
    />
  );
  const renderTask = (task: Task) => (
    <TaskItem
      key={task.id}
      task={task}
      onChange={() => setOpen({ what: "changeTask", task })}
      onReopen={() => setOpen({ what: "reopen", task })}
    />
  );
  const shared = { studentId, studentZone, applications: choices, applicationId, onClose: close };
  return (
    <>
      <div className={classes.buttons}>
        <Button size="compact-md" aria-haspopup="dialog" onClick={() => setOpen({ what: "ask" })}>
          Ask for documents
        </Button>
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          onClick={() => setOpen({ what: "task" })}
        >
          Add a task
        </Button>
        <Pausing studentId={studentId} pausedUntil={pausedUntil} onPause={() => setOpen({ what: "pause" })} />
      </div>
      <Listed
        label="Requests"
        nothing="Nothing has been asked for."
        open={requests.filter(({ state }) => isRequestOpen(state)).map(renderRequest)}
        closed={requests.filter(({ state }) => !isRequestOpen(state)).map(renderRequest)}
      />
      <Listed
        label="Tasks"
        nothing="There are no tasks."
        open={tasks.filter(isInHand).map(renderTask)}
        closed={tasks.filter((task) => !isInHand(task)).map(renderTask)}
      />
      <AskDialog opened={open?.what === "ask"} {...shared} />
      <TaskDialog opened={open?.what === "task"} {...shared} />
      <PauseDialog opened={open?.what === "pause"} studentId={studentId} onClose={close} />
      <ChangeRequestDialog
        request={open?.what === "changeRequest" ? open.request : null}
        studentZone={studentZone}
        onClose={close}
      />
      <ChangeTaskDialog
        task={open?.what === "changeTask" ? open.task : null}
        studentZone={studentZone}
        onClose={close}
      />
      <SendBackDialog request={open?.what === "sendBack" ? open.request : null} onClose={close} />
      <ReopenDialog task={open?.what === "reopen" ? open.task : null} onClose={close} />
    </>
  );
}

type PausingProps = { studentId: string; pausedUntil: string | null; onPause: () => void };

function Pausing({ studentId, pausedUntil, onPause }: PausingProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.planner.pause({ studentId, lastDay: null }),
    onSettled: refetchPlan,
  });
  if (pausedUntil === null)
    return (
      <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={onPause}>
        Pause reminders
      </Button>
    );
  const until = dayWords(pausedUntil, String(new Date(serverNow()).getFullYear()));
  return (
    <>
      <Button size="compact-md" variant="default" disabled={isPending} onClick={() => mutate()}>
        Resume reminders (paused until {until})
      </Button>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

const isInHand = ({ state }: Task) => state === "open" || state === "done";

type ListedProps = {
  label: string;
  nothing: string;
  open: readonly ReactNode[];
  closed: readonly ReactNode[];
};

/** Lists the open entries, and collapses the closed ones. */
function Listed({ label, nothing, open, closed }: ListedProps) {
  return (
    <>
      {open.length > 0 ? (
        <ItemList label={label}>{open}</ItemList>
      ) : (
        <p className={classes.nothing}>{nothing}</p>
      )}
      {closed.length > 0 && (
        <details className={classes.closed}>
          <summary>
            {label}: {closed.length} closed
          </summary>
          <ItemList label={`Closed: ${label}`}>{closed}</ItemList>
        </details>
      )}
    </>
  );
}
