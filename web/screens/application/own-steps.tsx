import { useState } from "react";
import type { Application } from "#contract/applications.ts";
import { applicationLimits } from "#domain/application.ts";
import { decideStep, nextSteps, type Step, stepLabel } from "#domain/application-step.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import classes from "./application-item.module.css";
import type { Moving } from "./use-move.ts";

type OwnStepsProps = { application: Application; moving: Moving };

/** What a student can do: answer, accept, withdraw. */
export function OwnSteps({ application, moving }: OwnStepsProps) {
  const steps = nextSteps("student", application.state);
  const [asked, setAsked] = useState<Asked | null>(null);
  if (steps.length === 0) return null;
  const busy = moving.pending === application.id;
  return (
    <>
      {steps.some(({ kind }) => kind === "answer") && <Answer application={application} moving={moving} />}
      <div className={classes.steps}>
        {steps
          .filter(({ kind }) => kind !== "answer")
          .map((step) => (
            <Button
              key={step.to}
              variant={step.kind === "accept" ? "filled" : "default"}
              disabled={busy}
              onClick={() => setAsked({ application, step })}
            >
              {stepLabel(step)}
            </Button>
          ))}
      </div>
      <ConfirmModal
        question={asked && questionOf(asked)}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          // As it stood when it was asked: an offer may have come since.
          if (asked) void moving.move(asked.application, asked.step.to);
          setAsked(null);
        }}
      />
    </>
  );
}

/** A step to be confirmed, and the application as it was then. */
type Asked = { application: Application; step: Step };

const questionOf = ({ application: { program }, step }: Asked) =>
  step.kind === "accept"
    ? {
        title: "Accept offer",
        text: `Are you sure you want to accept the offer for ${program}? You can still withdraw later.`,
        action: "Accept offer",
        harmless: true,
      }
    : {
        title: "Withdraw application",
        text: `Are you sure you want to withdraw your application for ${program}?`,
        action: "Withdraw",
      };

function Answer({ application, moving }: OwnStepsProps) {
  return (
    <Form
      errorTitle="Application Error"
      draftName={`answer ${application.id}`}
      fields={["note"]}
      check={({ note }) => {
        const outcome = decideStep("student", "informationRequired", "inReview", note);
        return outcome.kind === "problem" ? outcome.problem : null;
      }}
      send={({ note }) => moving.move(application, "inReview", note)}
    >
      <TextAreaField name="note" label="Your answer" maxLength={applicationLimits.note} />
      <div>
        <SubmitButton busyText="Sending...">Send answer</SubmitButton>
      </div>
    </Form>
  );
}
