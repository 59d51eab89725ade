import type { BulkAct } from "#domain/bulk-run.ts";
import { messageLimits, messageProblem } from "#domain/conversation.ts";
import { documentKinds, documentLabel } from "#domain/document.ts";
import { checkRequest, requestKinds, requestLimits } from "#domain/document-request.ts";
import { rpc } from "../../lib/rpc.ts";
import dialog from "../../ui/dialog.module.css";
import { SelectField, TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { DeadlineFields, deadlineFields, deadlineIn } from "../plan/deadline-fields.tsx";
import plan from "../plan/plan.module.css";
import { TaskTexts, taskProblem } from "../plan/plan-dialogs.tsx";
import { useOpenPreview } from "./preview.ts";

type SendFormProps = { studentIds: readonly string[]; onClose: () => void };
type PrepareInput = Parameters<typeof rpc.bulkRuns.prepare>[0];

/** Returns a function that prepares an act and opens its preview. */
function usePrepared(studentIds: readonly string[]) {
  const openPreview = useOpenPreview(studentIds);
  return async (input: PrepareInput) => {
    const { id } = await rpc.bulkRuns.prepare(input);
    await openPreview(id);
  };
}

const shared = {
  errorTitle: "Error",
  action: "Preview",
  busyText: "Preparing...",
} as const;

function MessageForm({ studentIds, onClose }: SendFormProps) {
  const prepare = usePrepared(studentIds);
  return (
    <ModalForm
      {...shared}
      draftName="message to many"
      fields={["text"]}
      check={({ text }) => messageProblem(text, 0)}
      send={({ text }) => prepare({ act: "message", studentIds: [...studentIds], text })}
      onDone={onClose}
      onCancel={onClose}
    >
      <p className={dialog.words}>
        Everybody gets it in their own conversation, and sees nobody else. You'll see who gets it before it is
        sent.
      </p>
      <TextAreaField name="text" label="Message" maxLength={messageLimits.text} />
    </ModalForm>
  );
}

function TaskForm({ studentIds, onClose }: SendFormProps) {
  const prepare = usePrepared(studentIds);
  return (
    <ModalForm
      {...shared}
      draftName="task for many"
      fields={["title", "text", ...deadlineFields]}
      check={taskProblem}
      send={({ title, text, ...due }) =>
        prepare({ act: "task", studentIds: [...studentIds], title, text, due: deadlineIn(due) })
      }
      onDone={onClose}
      onCancel={onClose}
    >
      <div className={plan.fields}>
        <TaskTexts />
        <DeadlineFields studentZone={null} />
      </div>
    </ModalForm>
  );
}

const kindLabels = { ...documentLabel, other: "Something else" };

function RequestForm({ studentIds, onClose }: SendFormProps) {
  const prepare = usePrepared(studentIds);
  const requestIn = (values: { kind: string; name: string; reason: string }) => ({
    kind: requestKinds.find((each) => each === values.kind) ?? "other",
    name: values.name,
    reason: values.reason,
  });
  return (
    <ModalForm
      {...shared}
      draftName="request to many"
      fields={["kind", "name", "reason", ...deadlineFields]}
      check={(values) => {
        const request = checkRequest(requestIn(values));
        return "code" in request ? request : null;
      }}
      send={(values) =>
        prepare({
          act: "request",
          studentIds: [...studentIds],
          ...requestIn(values),
          due: deadlineIn(values),
        })
      }
      onDone={onClose}
      onCancel={onClose}
    >
      <div className={plan.fields}>
        <SelectField
          name="kind"
          label="What do you need?"
          defaultValue={documentKinds[0]}
          data={requestKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
        />
        <TextField
          optional
          name="name"
          label="Something else"
          description="Only if it is none of the six documents."
          maxLength={requestLimits.name}
        />
        <TextAreaField
          optional
          name="reason"
          label="Why, and what to look out for"
          maxLength={requestLimits.reason}
        />
        <DeadlineFields studentZone={null} />
      </div>
    </ModalForm>
  );
}

/** Acts that send something to many students, each with its button, the title of its dialog, and its form. */
export const sendForms = {
  message: { button: "Message", title: "Write to", Form: MessageForm },
  task: { button: "Give a task", title: "A task for", Form: TaskForm },
  request: { button: "Ask for a document", title: "Ask for a document:", Form: RequestForm },
} as const satisfies Partial<Record<BulkAct, object>>;
export type SendAct = keyof typeof sendForms;
