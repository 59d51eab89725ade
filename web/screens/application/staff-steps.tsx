import { useState } from "react";
import type { Application } from "#contract/applications.ts";
import { type ApplicationState, applicationLimits } from "#domain/application.ts";
import { decideStep, type Mover, nextSteps, type Step, stepLabel } from "#domain/application-step.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { draftOf } from "../../lib/drafts.ts";
import { Form } from "../../ui/form/form.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import type { Moving } from "./use-move.ts";

type StaffStepsProps = { mover: Mover; application: Application; moving: Moving };

/** `version` is of the application as it was when the step was chosen; null: as it is now, after a conflict was shown. */
type Choice = { to: string; version: number | null };

/** Moves an application on: the steps that this person may take, and the note that some of them need. */
export function StaffSteps({ mover, application, moving }: StaffStepsProps) {
  const { state } = application;
  const steps = nextSteps(mover, state);
  const [taken, setTaken] = useState(0);
  const draftName = `step ${application.id}`;
  const [chosen, setChosen] = useState<Choice | null>(() => keptChoice(draftName));
  if (steps.length === 0) return null;
  const needsNote = stepTo(steps, chosen?.to ?? "")?.needsNote ?? false;

  /** From the version that the step was chosen for: what it shows by now may be somebody else's doing. */
  async function take(step: Step, note: string) {
    const seen = { ...application, version: chosen?.version ?? application.version };
    const isTaken = await moving.move(seen, step.to, note);
    if (!isTaken) setChosen({ to: step.to, version: null });
    return isTaken;
  }
  return (
    <Form
      // Emptied once the step is taken, and kept as typed when it is not.
      key={taken}
      errorTitle="Application Error"
      draftName={draftName}
      fields={["to", "note"]}
      check={({ to, note }) => problemOf(mover, state, stepTo(steps, to), note)}
      send={async ({ to, note }) => {
        const step = stepTo(steps, to);
        return step !== undefined && (await take(step, note));
      }}
      onDone={() => {
        setTaken(taken + 1);
        setChosen(null);
      }}
    >
      <SelectField
        name="to"
        label="Next step"
        data={[{ value: "", label: "Choose a step" }, ...steps.map(optionOf)]}
        onChange={({ currentTarget: { value } }) => setChosen({ to: value, version: application.version })}
      />
      <TextAreaField
        name="note"
        label={needsNote ? "Note for the student" : "Note for the student (optional)"}
        optional={!needsNote}
        rows={2}
        maxLength={applicationLimits.note}
      />
      <div>
        <SubmitButton busyText="Saving...">Save step</SubmitButton>
      </div>
    </Form>
  );
}

/** The step that was chosen before the form was left: from what the application is now, which is what it shows. */
function keptChoice(draftName: string): Choice | null {
  const { to } = draftOf<"to">(draftName);
  return to ? { to, version: null } : null;
}

const optionOf = (step: Step) => ({ value: step.to, label: stepLabel(step) });
const stepTo = (steps: readonly Step[], to: string) => steps.find((step) => step.to === to);

/** What the form can see by itself. */
function problemOf(
  mover: Mover,
  from: ApplicationState,
  step: Step | undefined,
  note: string,
): Problem | null {
  if (!step) return { code: "form/incomplete", message: "Please choose the next step.", field: "to" };
  const outcome = decideStep(mover, from, step.to, note);
  return outcome.kind === "problem" ? outcome.problem : null;
}
