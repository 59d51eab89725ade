import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentRequest, Task } from "#contract/planned-work.ts";
import { isWanted, type RequestState, requestTitle } from "#domain/document-request.ts";
import { nextTaskStates, taskStateLabels } from "#domain/task.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Retry } from "../../ui/retry.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./plan.module.css";
import { planQuery } from "./plan-dialogs.tsx";
import { OpenFile } from "./request-item.tsx";
import { ReopenDialog, taskTones } from "./task-item.tsx";

type SentState = Exclude<RequestState, "asked" | "sentBack">;
const sentBadges: Record<SentState, { words: string; tone: Tone }> = {
  supplied: { words: "Being checked", tone: "going" },
  accepted: { words: "Accepted", tone: "good" },
  cancelled: { words: "Cancelled", tone: "ended" },
};

type SentAndDoneProps = { studentId: string; applicationId: string | undefined };

/** A collapsed list of what a student has sent and done, perhaps for one application. Shows nothing if it is empty. */
export function SentAndDone({ studentId, applicationId }: SentAndDoneProps) {
  const { data, error, refetch } = useQuery(planQuery(studentId));
  const [reopened, setReopened] = useState<Task | null>(null);
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const isShown = (thing: DocumentRequest | Task) =>
    applicationId === undefined || thing.applicationId === applicationId;
  const requests = data.requests.filter((request) => isShown(request) && !isWanted(request.state));
  const tasks = data.tasks.filter((task) => isShown(task) && task.state !== "open");
  const number = requests.length + tasks.length;
  if (number === 0) return null;
  return (
    <details className={classes.sent}>
      <summary>
        <h2>Sent and done: {number}</h2>
      </summary>
      <ItemList label="Sent and done">
        {requests.map((request) => (
          <SentRequest key={request.id} request={request} />
        ))}
        {tasks.map((task) => (
          <DoneTask key={task.id} task={task} onReopen={() => setReopened(task)} />
        ))}
      </ItemList>
      <ReopenDialog task={reopened} onClose={() => setReopened(null)} />
    </details>
  );
}

function SentRequest({ request }: { request: DocumentRequest }) {
  const { kind, state, file, suppliedAt } = request;
  if (isWanted(state)) return null;
  const { words, tone } = sentBadges[state];
  return (
    <Item
      name={requestTitle(request)}
      level={3}
      state={<StateBadge tone={tone}>{words}</StateBadge>}
      details={
        file && (
          <>
            <p>{file.name}</p>
            {file.enteredBy && (
              <p>
                <EnteredBy by={file.enteredBy} at={suppliedAt} />
              </p>
            )}
          </>
        )
      }
      actions={
        kind === "other" ? (
          file && <OpenFile request={request} />
        ) : (
          <LinkButton
            to="/student-documents"
            size="compact-md"
            aria-label={`See your documents: ${requestTitle(request)}`}
          >
            See your documents
          </LinkButton>
        )
      }
    />
  );
}

function DoneTask({ task, onReopen }: { task: Task; onReopen: () => void }) {
  const { title, text, state } = task;
  return (
    <Item
      name={title}
      level={3}
      // A done task waits for staff, not for the student.
      state={
        <StateBadge tone={state === "done" ? "going" : taskTones[state]}>{taskStateLabels[state]}</StateBadge>
      }
      details={text && <p>{text}</p>}
      actions={
        nextTaskStates("student", task).includes("open") && (
          <Button
            size="compact-md"
            variant="default"
            aria-haspopup="dialog"
            aria-label={`Reopen: ${title}`}
            onClick={onReopen}
          >
            Reopen
          </Button>
        )
      }
    />
  );
}
