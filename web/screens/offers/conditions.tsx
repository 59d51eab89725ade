import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { OfferCondition } from "#contract/offers.ts";
import type { Mover } from "#domain/application-step.ts";
import { strictnessWords } from "#domain/deadline.ts";
import {
  type ConditionMark,
  type ConditionState,
  claimProblem,
  conditionKindLabels,
  markReasonProblem,
  offerLimits,
} from "#domain/offer.ts";
import { announce } from "../../lib/announce.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextAreaField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { DeadlineText } from "./deadline-text.tsx";
import classes from "./offer-section.module.css";
import { refetchOffers } from "./refetch-offers.ts";

const toStudent: Record<ConditionState, { words: string; tone: Tone }> = {
  open: { words: "To do", tone: "asks" },
  claimed: { words: "Being checked", tone: "going" },
  met: { words: "Met", tone: "good" },
  waived: { words: "Waived", tone: "good" },
};
const toStaff: typeof toStudent = {
  ...toStudent,
  open: { words: "Open", tone: "going" },
  claimed: { words: "To check", tone: "asks" },
};

type ConditionsProps = {
  conditions: readonly OfferCondition[];
  /** The role in which the viewer acts; null if they may only read. */
  mover: Mover | null;
};

/** The conditions of an offer, each with the viewer's actions. */
export function Conditions({ conditions, mover }: ConditionsProps) {
  const [claimed, setClaimed] = useState<OfferCondition | null>(null);
  const marking = useMarks();
  if (conditions.length === 0) return null;
  const words = mover === "student" ? toStudent : toStaff;
  return (
    <>
      <ol className={classes.conditions} aria-label="Conditions">
        {conditions.map((condition) => (
          <li key={condition.id} ref={passFocusOn} className={classes.condition}>
            <div className={classes.head}>
              <span className={classes.text}>{condition.text}</span>
              <StateBadge tone={words[condition.state].tone}>{words[condition.state].words}</StateBadge>
            </div>
            <p className={classes.aside}>
              {conditionKindLabels[condition.kind]}
              {condition.due && (
                <>
                  {" · due "}
                  <DeadlineText due={condition.due} />. {strictnessWords(condition.due.hard)}
                </>
              )}
            </p>
            {condition.claim && <p className={classes.said}>“{condition.claim}”</p>}
            {condition.reason && (
              <p className={classes.reason}>
                <strong>{condition.state === "waived" ? "Why it was waived" : "Why it was sent back"}</strong>{" "}
                {condition.reason}
              </p>
            )}
            {mover === "student" && condition.state === "open" && (
              <Button
                size="compact-md"
                variant="light"
                aria-haspopup="dialog"
                aria-label={`I've met this: ${condition.text}`}
                onClick={() => setClaimed(condition)}
              >
                I've met this
              </Button>
            )}
            {mover !== null && mover !== "student" && <MarkButtons condition={condition} marking={marking} />}
          </li>
        ))}
      </ol>
      <ClaimDialog condition={claimed} onClose={() => setClaimed(null)} />
      <MarkDialog marking={marking} />
      <ErrorModal title="Condition Error" error={marking.error} onClose={marking.clearError} />
    </>
  );
}

/** Claims that a condition is met, for staff to check. */
function ClaimDialog({ condition, onClose }: { condition: OfferCondition | null; onClose: () => void }) {
  return (
    <Dialog opened={condition !== null} onClose={onClose} title="I've met this condition">
      <p className={classes.words}>{condition?.text}</p>
      <ModalForm
        errorTitle="Condition Error"
        draftName={`claim ${condition?.id ?? ""}`}
        fields={["text"]}
        check={({ text }) => claimProblem(text)}
        send={async ({ text }) => {
          if (!condition) return;
          try {
            await rpc.offers.claim({ conditionId: condition.id, text });
            announce("Sent. We'll check it.");
          } finally {
            await refetchOffers();
          }
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Send"
        busyText="Sending..."
      >
        <TextAreaField
          name="text"
          label="Anything we should know? (optional)"
          optional
          maxLength={offerLimits.claim}
        />
      </ModalForm>
    </Dialog>
  );
}

type MarkRequest = { condition: OfferCondition; mark: Exclude<ConditionMark, "met"> };
const done: Record<ConditionMark, string> = {
  met: "Condition met.",
  waived: "Condition waived.",
  open: "Condition sent back.",
};

/** Marks conditions in the state that the viewer saw. */
function useMarks() {
  const [dialog, setDialog] = useState<MarkRequest | null>(null);
  async function mark({ id, state }: OfferCondition, mark: ConditionMark, reason = "") {
    try {
      await rpc.offers.mark({ conditionId: id, seen: state, mark, reason });
      announce(`${done[mark]} The student will be notified.`);
    } finally {
      await refetchOffers();
    }
  }
  const meeting = useMutation({ mutationFn: (condition: OfferCondition) => mark(condition, "met") });
  return {
    mark,
    dialog,
    ask: setDialog,
    meet: meeting.mutate,
    pending: meeting.isPending ? meeting.variables.id : null,
    error: meeting.error,
    clearError: meeting.reset,
  };
}
type MarkActions = ReturnType<typeof useMarks>;

function MarkButtons({ condition, marking }: { condition: OfferCondition; marking: MarkActions }) {
  const { state, text, id } = condition;
  const isBusy = marking.pending === id;
  const ask = (mark: MarkRequest["mark"]) => marking.ask({ condition, mark });
  return (
    <div className={classes.buttons}>
      {state !== "met" && (
        <Button
          size="compact-sm"
          variant="light"
          disabled={isBusy}
          aria-label={`Mark as met: ${text}`}
          onClick={() => marking.meet(condition)}
        >
          Mark as met
        </Button>
      )}
      {state !== "waived" && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isBusy}
          aria-haspopup="dialog"
          aria-label={`Waive: ${text}`}
          onClick={() => ask("waived")}
        >
          Waive
        </Button>
      )}
      {state !== "open" && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isBusy}
          aria-haspopup="dialog"
          aria-label={`Send back: ${text}`}
          onClick={() => ask("open")}
        >
          Send back
        </Button>
      )}
    </div>
  );
}

function MarkDialog({ marking: { dialog, ask, mark } }: { marking: MarkActions }) {
  const isWaived = dialog?.mark === "waived";
  return (
    <ReasonDialog
      opened={dialog !== null}
      title={isWaived ? "Waive condition" : "Send condition back"}
      draft={`mark ${dialog?.mark} ${dialog?.condition.id}`}
      maxLength={offerLimits.reason}
      check={markReasonProblem}
      send={async (reason) => {
        if (dialog) await mark(dialog.condition, dialog.mark, reason);
      }}
      action={
        isWaived ? { text: "Waive", busyText: "Saving..." } : { text: "Send back", busyText: "Saving..." }
      }
      errorTitle="Condition Error"
      onClose={() => ask(null)}
    >
      {dialog?.condition.text}. The student will see this reason.
    </ReasonDialog>
  );
}
