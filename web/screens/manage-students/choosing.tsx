import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Viewer } from "#contract/account.ts";
import {
  type ApplicationState,
  applicationLimits,
  applicationStates,
  stateLabels,
} from "#domain/application.ts";
import { nextSteps, stepLabel } from "#domain/application-step.ts";
import { bulkLimits } from "#domain/bulk-run.ts";
import { keysOf } from "#domain/keys-of.ts";
import { numberOfStudents } from "#domain/student-list.ts";
import { dropDraft } from "../../lib/drafts.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select, TextAreaField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import classes from "./choosing.module.css";
import { ExportDialog } from "./export-dialog.tsx";
import { HandoverNote, handoverDraft, useHandoverNote } from "./handover-note.tsx";
import { useOpenPreview } from "./preview.ts";
import { type SendAct, sendForms } from "./send-forms.tsx";
import { inputOf, type ListView } from "./use-list-view.ts";

/** The chosen students, by id. They stay chosen while filters change. */
export type StudentIds = ReadonlySet<string>;

type ChoosingProps = {
  selection: StudentIds;
  view: ListView;
  /** Number of students in the list, or null if that isn't known. */
  total: number | null;
  onChoose: (ids: readonly string[]) => void;
};

/** Names the draft of the note for the next agent of the chosen students. */
const manyStudents = "many students";

type Act = "assign" | "move" | "export" | SendAct;

/** The acts on the chosen students. */
export function Choosing({ selection, view, total, onChoose }: ChoosingProps) {
  const viewer = useViewer();
  const [act, setAct] = useState<Act | null>(null);
  const all = useMutation({
    mutationFn: () => rpc.bulkRuns.choose(inputOf(view)),
    onSuccess: ({ students }) => onChoose(students.map(({ id }) => id)),
  });
  const preparing = usePreparing(selection);
  const handover = useHandoverNote(manyStudents);
  const assign = (agentId: string | null) =>
    preparing.mutate({ act: "assign", studentIds: [...selection], agentId, note: handover.note });
  const isTooMany = selection.size > bulkLimits.students;
  const close = () => setAct(null);
  return (
    <section
      className={classes.bar}
      aria-label="Chosen students"
      data-empty={selection.size === 0 || undefined}
    >
      <p className={classes.number} aria-live="polite">
        {selection.size === 0 ? "Choose students to change them together." : `${selection.size} chosen`}
        {isTooMany && `, and at most ${bulkLimits.students} can be changed at once`}
      </p>
      <div className={classes.acts}>
        {total !== 0 && (
          <Button variant="subtle" size="compact-md" disabled={all.isPending} onClick={() => all.mutate()}>
            {allWords(total)}
          </Button>
        )}
        {selection.size > 0 && (
          <>
            <Button variant="subtle" size="compact-md" onClick={() => onChoose([])}>
              Clear
            </Button>
            <Button variant="default" size="compact-md" disabled={isTooMany} onClick={() => setAct("assign")}>
              Assign
            </Button>
            <Button variant="default" size="compact-md" disabled={isTooMany} onClick={() => setAct("move")}>
              Move applications
            </Button>
            {keysOf(sendForms).map((each) => (
              <Button
                key={each}
                variant="default"
                size="compact-md"
                disabled={isTooMany}
                onClick={() => setAct(each)}
              >
                {sendForms[each].button}
              </Button>
            ))}
            <Button variant="default" size="compact-md" disabled={isTooMany} onClick={() => setAct("export")}>
              Export
            </Button>
          </>
        )}
      </div>
      <Dialog
        wide
        opened={act === "assign"}
        onClose={close}
        title={`Assign ${numberOfStudents(selection.size)}`}
      >
        <p className={dialog.lead}>Choose their agent. You'll see what will change before anything does.</p>
        <div className={dialog.lead}>
          <HandoverNote busy={preparing.isPending} {...handover} />
        </div>
        <AgentPicker busy={preparing.isPending} currentId={null} onChoose={({ id }) => assign(id)} />
        <DialogActions>
          <Button variant="default" disabled={preparing.isPending} onClick={() => assign(null)}>
            Leave without an agent
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog opened={act === "move"} onClose={close} title="Move applications">
        {viewer && <MoveForm viewer={viewer} selection={selection} view={view} onClose={close} />}
      </Dialog>
      {keysOf(sendForms).map((each) => {
        const { title, Form } = sendForms[each];
        return (
          <Dialog
            key={each}
            wide
            opened={act === each}
            onClose={close}
            title={`${title} ${numberOfStudents(selection.size)}`}
          >
            <Form studentIds={[...selection]} onClose={close} />
          </Dialog>
        );
      })}
      <ExportDialog opened={act === "export"} selection={selection} view={view} onClose={close} />
      <ErrorModal
        title="Error"
        error={all.error ?? preparing.error}
        onClose={() => void [all.reset(), preparing.reset()]}
      />
    </section>
  );
}

function allWords(total: number | null): string {
  if (total === null) return `Choose all that match, up to ${bulkLimits.students}`;
  return total > bulkLimits.students
    ? `Choose the first ${bulkLimits.students} of ${total}`
    : `Choose all ${total} that match`;
}

type PrepareInput = Parameters<typeof rpc.bulkRuns.prepare>[0];

/** Prepares an act and shows what it will do. */
function usePreparing(selection: StudentIds) {
  const openPreview = useOpenPreview(selection);
  return useMutation({
    mutationFn: (input: PrepareInput) => rpc.bulkRuns.prepare(input),
    onSuccess({ id }) {
      dropDraft(handoverDraft(manyStudents));
      return openPreview(id);
    },
  });
}

type MoveFormProps = { viewer: Viewer; selection: StudentIds; view: ListView; onClose: () => void };

/** Asks for a step and its note. */
function MoveForm({ viewer, selection, view, onClose }: MoveFormProps) {
  const openPreview = useOpenPreview(selection);
  const mover = viewer.role === "admin" ? "admin" : "agent";
  const [from, setFrom] = useState<ApplicationState>(
    applicationStates.find((state) => state === view.situation) ?? "submitted",
  );
  const steps = nextSteps(mover, from);
  const [to, setTo] = useState<ApplicationState | null>(null);
  const step = steps.find((each) => each.to === to) ?? steps[0];
  return (
    <ModalForm
      errorTitle="Error"
      fields={["note"]}
      check={() => null}
      draftName="move applications"
      send={async ({ note }) => {
        if (!step) return;
        const studentIds = [...selection];
        const run = await rpc.bulkRuns.prepare({ act: "move", studentIds, from, to: step.to, note });
        await openPreview(run.id);
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Preview"
      busyText="Preparing..."
    >
      <p className={dialog.words}>
        Takes one step with the applications of {numberOfStudents(selection.size)} that are in one state.
      </p>
      <Field label="Applications in">
        {(control) => (
          <Select
            value={from}
            data={applicationStates
              .filter((state) => nextSteps(mover, state).length > 0)
              .map((state) => ({ value: state, label: stateLabels[state] }))}
            onChange={({ currentTarget: { value } }) => {
              setFrom(applicationStates.find((state) => state === value) ?? from);
              setTo(null);
            }}
            {...control}
          />
        )}
      </Field>
      <Field label="Move to">
        {(control) => (
          <Select
            value={step?.to ?? ""}
            data={steps.map((each) => ({ value: each.to, label: stepLabel(each) }))}
            onChange={({ currentTarget: { value } }) =>
              setTo(applicationStates.find((state) => state === value) ?? null)
            }
            {...control}
          />
        )}
      </Field>
      <TextAreaField
        name="note"
        label={step?.needsNote ? "Note" : "Note (optional)"}
        optional={!step?.needsNote}
        description="Each student will see it."
        maxLength={applicationLimits.note}
      />
    </ModalForm>
  );
}
