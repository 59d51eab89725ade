import { useState } from "react";
import type { Application } from "#contract/applications.ts";
import { type ApplicationState, applicationLimits } from "#domain/application.ts";
import { decideStep, type Mover, nextSteps, type Step, stepLabel } from "#domain/application-step.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { Form } from "../../ui/form/form.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import type { Moving } from "./use-move.ts";

type GuideStepsProps = { mover: Mover; application: Application; moving: Moving };

/** Moves an application on: the steps that this person may take, and the note that some of them need. */
export function GuideSteps({ mover, application, moving }: GuideStepsProps) {
  const { state } = application;
  const steps = nextSteps(mover, state);
  const [taken, setTaken] = useState(0);
  const [chosen, setChosen] = useState("");
  if (steps.length === 0) return null;
  const needsNote = stepTo(steps, chosen)?.needsNote ?? false;
  return (
    <Form
      // Emptied once the step is taken, and kept as typed when it is not.
      key={taken}
      errorTitle="Application Error"
      fields={["to", "note"]}
      check={({ to, note }) => problemOf(mover, state, stepTo(steps, to), note)}
      send={async ({ to, note }) => {
        const step = stepTo(steps, to);
        if (!step || !(await moving.move(application, step.to, note))) return;
        setTaken(taken + 1);
        setChosen("");
      }}
    >
      <SelectField
        name="to"
        label="Next step"
        data={[{ value: "", label: "Choose a step" }, ...steps.map(optionOf)]}
        onChange={(event) => setChosen(event.currentTarget.value)}
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
