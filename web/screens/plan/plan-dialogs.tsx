import type { DocumentRequest, Task } from "#contract/planned-work.ts";
import { documentKinds, documentLabel } from "#domain/document.ts";
import { checkRequest, type RequestKind, requestLimits, requestTitle } from "#domain/document-request.ts";
import { wrong } from "#domain/problem.ts";
import { checkTask, type TaskOwner, taskLimits, taskOwners } from "#domain/task.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { DeadlineFields, deadlineFields, deadlineIn } from "./deadline-fields.tsx";
import { type ApplicationChoice, ForApplication, forAll } from "./for-application.tsx";
import classes from "./plan.module.css";

export const refetchPlan = () => queryClient.invalidateQueries({ queryKey: api.planner.key() });

export const planQuery = (studentId: string) => api.planner.ofStudent.queryOptions({ input: { studentId } });
export const applicationsOf = (studentId: string) =>
  api.applications.ofStudent.queryOptions({ input: { studentId } });

type NewProps = {
  opened: boolean;
  studentId: string;
  studentZone: string;
  applications: readonly ApplicationChoice[];
  /** The application that is chosen initially. */
  applicationId: string | undefined;
  onClose: () => void;
};

/** Asks a student for several documents at once. */
export function AskDialog({
  opened,
  studentId,
  studentZone,
  applications,
  applicationId = "",
  onClose,
}: NewProps) {
  const requestsIn = (values: Readonly<Record<string, string>>): { kind: RequestKind; name: string }[] => [
    ...documentKinds.filter((kind) => values[kind]).map((kind) => ({ kind, name: "" })),
    ...(values["other"]?.trim() ? [{ kind: "other" as const, name: values["other"] }] : []),
  ];
  const fields = [...documentKinds, "other", "reason", "applicationId", "blocks", ...deadlineFields] as const;
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Ask for documents">
      <ModalForm
        errorTitle="Not sent"
        draftName={`ask ${studentId} ${applicationId}`}
        fields={fields}
        check={(values) => {
          const [first] = requestsIn(values);
          if (!first) return wrong("other", "Please choose a document, or enter what you need.");
          const requests = requestsIn(values).map((each) => checkRequest({ ...each, reason: values.reason }));
          return requests.find((each) => "code" in each) ?? null;
        }}
        send={async (values) => {
          const { reason } = values;
          const due = deadlineIn(values);
          const shared = { reason, blocks: values.blocks !== "", due };
          const requests = requestsIn(values).map((request) => ({ ...request, ...shared }));
          await rpc.planner.askFor({ studentId, applicationId: values.applicationId || null, requests });
          announce("The student has been asked.");
          await refetchPlan();
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Send"
        busyText="Sending..."
      >
        <div className={classes.fields}>
          <fieldset className={classes.choices}>
            <legend>What do you need?</legend>
            {documentKinds.map((kind) => (
              <label key={kind} className={classes.choice}>
                <input type="checkbox" name={kind} />
                {documentLabel[kind]}
              </label>
            ))}
          </fieldset>
          <TextField optional name="other" label="Something else" maxLength={requestLimits.name} />
          <TextAreaField
            optional
            name="reason"
            label="Why, and what to look out for"
            maxLength={requestLimits.reason}
          />
          <ForApplication applicationId={applicationId} applications={applications} />
          <DeadlineFields studentZone={studentZone} />
        </div>
      </ModalForm>
    </Dialog>
  );
}

type ChangeRequestProps = { request: DocumentRequest | null; studentZone: string; onClose: () => void };

export function ChangeRequestDialog({ request, studentZone, onClose }: ChangeRequestProps) {
  return (
    <Dialog wide opened={request !== null} onClose={onClose} title={request ? requestTitle(request) : ""}>
      {request && (
        <ModalForm
          errorTitle="Not saved"
          draftName={`request ${request.id} ${request.version}`}
          fields={["reason", "blocks", ...deadlineFields]}
          check={({ reason }) => {
            const terms = checkRequest({ ...request, reason });
            return "code" in terms ? terms : null;
          }}
          send={async (values) => {
            const { id: requestId, version } = request;
            const { reason } = values;
            const due = deadlineIn(values);
            await rpc.planner
              .changeRequest({ requestId, version, reason, blocks: values.blocks !== "", due })
              .finally(() => void refetchPlan());
          }}
          onDone={onClose}
          onCancel={onClose}
          action="Save"
          busyText="Saving..."
        >
          <div className={classes.fields}>
            <TextAreaField
              optional
              name="reason"
              label="Why, and what to look out for"
              defaultValue={request.reason}
              maxLength={requestLimits.reason}
            />
            {request.applicationId !== null && (
              <label className={classes.choice}>
                <input type="checkbox" name="blocks" defaultChecked={request.blocks} />
                The application waits for it
              </label>
            )}
            <DeadlineFields studentZone={studentZone} due={request.due} />
          </div>
        </ModalForm>
      )}
    </Dialog>
  );
}

const ownerLabels: Record<TaskOwner, string> = {
  student: "The student",
  agent: "The student's agent",
  admin: "Me",
};

export const taskProblem = (form: { title: string; text: string }) => {
  const task = checkTask(form);
  return "code" in task ? task : null;
};

export const TaskTexts = ({ task }: { task?: Task }) => (
  <>
    <TextField name="title" label="Title" defaultValue={task?.title ?? ""} maxLength={taskLimits.title} />
    <TextAreaField
      optional
      name="text"
      label="What to do"
      defaultValue={task?.text ?? ""}
      maxLength={taskLimits.text}
    />
  </>
);

export function TaskDialog({
  opened,
  studentId,
  studentZone,
  applications,
  applicationId = "",
  onClose,
}: NewProps) {
  const viewer = useViewer();
  const owners = taskOwners.filter((owner) => owner !== "admin" || viewer?.role === "admin");
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Add a task">
      <ModalForm
        errorTitle="Not added"
        draftName={`task for ${studentId} ${applicationId}`}
        fields={["title", "text", "owner", "applicationId", ...deadlineFields]}
        check={taskProblem}
        send={async (values) => {
          const { title, text } = values;
          const owner = owners.find((each) => each === values.owner) ?? "student";
          const due = deadlineIn(values);
          const about = { studentId, applicationId: values.applicationId || null };
          await rpc.planner.addTask({ ...about, title, text, owner, due });
          await refetchPlan();
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Add task"
        busyText="Adding..."
      >
        <div className={classes.fields}>
          <TaskTexts />
          <SelectField
            name="owner"
            label="Whose task it is"
            defaultValue="student"
            data={owners.map((owner) => ({ value: owner, label: ownerLabels[owner] }))}
          />
          <SelectField
            name="applicationId"
            label="For the application"
            defaultValue={applicationId}
            required={false}
            data={[forAll, ...applications]}
          />
          <DeadlineFields studentZone={studentZone} />
        </div>
      </ModalForm>
    </Dialog>
  );
}

type ChangeTaskProps = { task: Task | null; studentZone: string; onClose: () => void };

export function ChangeTaskDialog({ task, studentZone, onClose }: ChangeTaskProps) {
  return (
    <Dialog wide opened={task !== null} onClose={onClose} title={task?.title ?? ""}>
      {task && (
        <ModalForm
          errorTitle="Not saved"
          draftName={`task ${task.id} ${task.version}`}
          fields={["title", "text", ...deadlineFields]}
          check={taskProblem}
          send={async (values) => {
            const { id: taskId, version } = task;
            const { title, text } = values;
            await rpc.planner
              .changeTask({ taskId, version, title, text, due: deadlineIn(values) })
              .finally(() => void refetchPlan());
          }}
          onDone={onClose}
          onCancel={onClose}
          action="Save"
          busyText="Saving..."
        >
          <div className={classes.fields}>
            <TaskTexts task={task} />
            <DeadlineFields studentZone={studentZone} due={task.due} />
          </div>
        </ModalForm>
      )}
    </Dialog>
  );
}

type PauseProps = Pick<NewProps, "opened" | "studentId" | "onClose">;

/** Pauses a student's reminders until a day. */
export function PauseDialog({ opened, studentId, onClose }: PauseProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Pause reminders">
      <ModalForm
        errorTitle="Not paused"
        fields={["lastDay"]}
        check={({ lastDay }) => (lastDay === "" ? wrong("lastDay", "Please enter a day.") : null)}
        send={async ({ lastDay }) => {
          await rpc.planner.pause({ studentId, lastDay });
          await refetchPlan();
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Pause"
        busyText="Pausing..."
      >
        <TextField
          name="lastDay"
          type="date"
          label="Until the end of"
          description="Neither you nor the student is reminded of anything until then. It starts again by itself."
        />
      </ModalForm>
    </Dialog>
  );
}
