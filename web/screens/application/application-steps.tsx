import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Application } from "#contract/applications.ts";
import { type ApplicationState, applicationLimits } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import { decideStep, type Mover, nextSteps, type Step, stepLabel } from "#domain/application-step.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { isOfferState, type OfferState } from "#domain/offer.ts";
import { announce } from "../../lib/announce.ts";
import { draftOf, dropDraft } from "../../lib/drafts.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { SelectField, TextAreaField } from "../../ui/form/fields.tsx";
import { type Failure, Form, failureOf, SubmitButton } from "../../ui/form/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OfferDialog, type OfferSnapshot } from "../offers/offer-form.tsx";
import { refetchOffers } from "../offers/refetch-offers.ts";
import classes from "./application-list.module.css";

/**
 * Moves the applications of a list. Failures are kept here and not with the application: it may have moved on by then,
 * and the submitted form is gone with its old state.
 */
export function useMove() {
  const [pending, setPending] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  /** Resolves to whether the application moved. Throws a problem of the note, for the form to show. */
  const move = ({ id: applicationId, version }: Application, to: ApplicationState, note = "") =>
    take(applicationId, () => rpc.applications.move({ applicationId, version, to, note }));
  const decline = ({ id: applicationId, version }: Application) =>
    take(applicationId, () => rpc.offers.decline({ applicationId, version }));

  async function take(applicationId: string, step: () => Promise<unknown>): Promise<boolean> {
    setPending(applicationId);
    try {
      await step();
      await refetchOffers();
      return true;
    } catch (error) {
      const newFailure = failureOf(error);
      if (newFailure.field !== null) throw error;
      setFailure(newFailure);
      await refetchOffers();
      return false;
    } finally {
      setPending(null);
    }
  }

  return { pending, failure, move, decline, clearFailure: () => setFailure(null) };
}

type StepsProps = { application: Application; moving: ReturnType<typeof useMove> };

/** The student's steps: answer, accept, withdraw. */
export function OwnSteps({ application, moving }: StepsProps) {
  const steps = nextSteps("student", application.state);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const hasOffer = isOfferState(application.state);
  if (steps.length === 0) return null;
  return (
    <>
      {steps.some(({ kind }) => kind === "answer") && <Answer application={application} moving={moving} />}
      <div className={classes.buttons}>
        {steps
          .filter(({ kind }) => kind !== "answer" && !(kind === "withdraw" && hasOffer))
          .map((step) => (
            <Button
              key={step.to}
              variant={step.kind === "accept" ? "filled" : "default"}
              disabled={moving.pending === application.id}
              onClick={() => setProposal({ application, step })}
            >
              {stepLabel(step)}
            </Button>
          ))}
        {hasOffer && (
          <Button
            variant="default"
            disabled={moving.pending === application.id}
            onClick={() => setProposal({ application, step: "decline" })}
          >
            Decline offer
          </Button>
        )}
      </div>
      <ConfirmModal
        question={proposal && questionOf(proposal)}
        onCancel={() => setProposal(null)}
        onConfirm={() => {
          // Sends the version that the question was about: an offer may have arrived since.
          if (proposal?.step === "decline") void moving.decline(proposal.application);
          else if (proposal) void moving.move(proposal.application, proposal.step.to);
          setProposal(null);
        }}
      />
    </>
  );
}

/** A step to be confirmed, and the application as it was when the step was chosen. */
type Proposal = { application: Application; step: Step | "decline" };

function questionOf({ application, step }: Proposal) {
  const name = applicationName(application);
  if (step === "decline")
    return {
      title: "Decline offer",
      text: `Are you sure you want to decline the offer for ${name}? You give up the place, and your application is withdrawn. Only an administrator can reopen it.`,
      action: "Decline offer",
    };
  return step.kind === "accept"
    ? {
        title: "Accept offer",
        text: `Are you sure you want to accept the offer for ${name}? Your agent tells the university that you take the place, on the terms shown here. You can still withdraw later.`,
        action: "Accept offer",
        harmless: true,
      }
    : {
        title: "Withdraw application",
        text: `Are you sure you want to withdraw your application for ${name}? Only an administrator can reopen it.`,
        action: "Withdraw",
      };
}

function Answer({ application, moving }: StepsProps) {
  return (
    <Form
      errorTitle="Application Error"
      draftName={`answer ${application.id}`}
      fields={["note"]}
      check={({ note }) => noteProblem("student", "informationRequired", "inReview", note)}
      send={({ note }) => moving.move(application, "inReview", note)}
    >
      <TextAreaField name="note" label="Your answer" maxLength={applicationLimits.note} />
      <div>
        <SubmitButton busyText="Sending...">Send answer</SubmitButton>
      </div>
    </Form>
  );
}

/** Checks what the form can check without the server. */
function noteProblem(mover: Mover, from: ApplicationState, to: ApplicationState, note: string) {
  const outcome = decideStep(mover, from, to, note, true);
  return outcome.kind === "problem" ? outcome.problem : null;
}

/** `version`: the application's when the step was chosen; null, once a conflict was shown, for the current one. */
type Choice = { to: string; version: number | null };

/** A form with the steps that the viewer may take and the note that some of them need. */
export function StaffSteps({ mover, application, moving }: StepsProps & { mover: Mover }) {
  const steps = nextSteps(mover, application.state);
  const [generation, setGeneration] = useState(0);
  const draftName = `step ${application.id}`;
  const [choice, setChoice] = useState<Choice | null>(() => keptChoice(draftName));
  if (steps.length === 0) return null;
  const stepTo = (to: string | undefined) => steps.find((step) => step.to === to);
  const needsNote = stepTo(choice?.to)?.needsNote ?? false;

  function check({ to, note }: { to: string; note: string }): Problem | null {
    const step = stepTo(to);
    if (!step) return { code: "form/incomplete", message: "Please choose the next step.", field: "to" };
    return noteProblem(mover, application.state, step.to, note);
  }

  /** Uses the version that the step was chosen for: the current one may be the result of another person's step. */
  async function take({ to, note }: { to: string; note: string }): Promise<boolean> {
    const step = stepTo(to);
    if (!step) return false;
    const version = choice?.version ?? application.version;
    const isTaken = await moving.move({ ...application, version }, step.to, note);
    if (!isTaken) setChoice({ to, version: null });
    return isTaken;
  }
  const to = stepTo(choice?.to)?.to;
  return (
    <>
      <Form
        // A new key empties the form once the step is taken; after a failure the form keeps what was typed.
        key={generation}
        errorTitle="Application Error"
        draftName={draftName}
        fields={["to", "note"]}
        check={check}
        send={take}
        onDone={() => {
          announce("Step saved. The student will be notified.");
          setGeneration(generation + 1);
          setChoice(null);
        }}
      >
        <SelectField
          name="to"
          label="Next step"
          data={[
            { value: "", label: "Choose a step" },
            ...steps.map((step) => ({ value: step.to, label: stepLabel(step) })),
          ]}
          onChange={({ currentTarget: { value } }) => setChoice({ to: value, version: application.version })}
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
      {to && isOfferState(to) && (
        <OfferWithStep
          application={application}
          to={to}
          onSaved={() => {
            dropDraft(draftName);
            setGeneration(generation + 1);
            setChoice(null);
          }}
        />
      )}
    </>
  );
}

type OfferWithStepProps = { application: Application; to: OfferState; onSaved: () => void };

/** Opens the details of an offer, which are then saved together with the step to the offer's state. */
function OfferWithStep({ application: { id, version }, to, onSaved }: OfferWithStepProps) {
  const [snapshot, setSnapshot] = useState<OfferSnapshot | null>(null);
  const { data } = useQuery(api.offers.ofApplication.queryOptions({ input: { applicationId: id } }));
  return (
    <>
      <Notice
        action={
          <Button
            variant="default"
            size="compact-md"
            aria-haspopup="dialog"
            disabled={!data}
            onClick={() => data && setSnapshot({ ...data, version })}
          >
            Enter the offer
          </Button>
        }
      >
        Conditions, the reply-by date and the deposit can be saved with this step.
      </Notice>
      <OfferDialog
        applicationId={id}
        snapshot={snapshot}
        to={to}
        onClose={() => setSnapshot(null)}
        onSaved={onSaved}
      />
    </>
  );
}

/** Returns the step that was chosen before the form was left. It applies to the current version, which is on screen. */
function keptChoice(draftName: string): Choice | null {
  const { to } = draftOf<"to">(draftName);
  return to ? { to, version: null } : null;
}
