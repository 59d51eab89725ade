import { useState } from "react";
import { decisionReasonLimit, decisionReasonProblem } from "#domain/agent-approval.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form } from "../../ui/form/form.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import classes from "./decision-dialog.module.css";
import { type Answers, type Decided, type Decision, decisions } from "./decisions.ts";

const fields = ["reason"] as const;
const draftFor = (agentId: string) => `decision ${agentId}`;

/** Once it has been sent. */
export const dropReason = (agentId: string): void => dropDraft(draftFor(agentId));

type Asked = { decision: Decision; agent: Decided };

type DecisionDialogProps = {
  /** Null: nothing is asked, and the dialog is closed. */
  asked: Asked | null;
  onConfirm: (answers: Answers) => void;
  onCancel: () => void;
};

/** Asks before a decision that takes something away, with what can go along with it. */
export function DecisionDialog({ asked, onConfirm, onCancel }: DecisionDialogProps) {
  const question = asked && decisions[asked.decision].question?.(asked.agent);
  return (
    <Dialog opened={asked !== null} onClose={onCancel} title={question?.title ?? ""}>
      {asked && <Question asked={asked} onConfirm={onConfirm} onCancel={onCancel} />}
    </Dialog>
  );
}

function Question({ asked, onConfirm, onCancel }: DecisionDialogProps & { asked: Asked }) {
  const [releaseStudents, setRelease] = useState(false);
  const question = decisions[asked.decision].question?.(asked.agent);
  const draft = draftFor(asked.agent.id);
  if (!question) return null;
  return (
    <Form
      errorTitle="Error"
      fields={fields}
      check={({ reason }) => decisionReasonProblem(reason)}
      onEdit={(typed) => keepDraft(draft, typed, { reason: "" }, fields)}
      send={async ({ reason }) => onConfirm({ reason, releaseStudents })}
    >
      <p className={classes.words}>{question.text}</p>
      {question.aside && <p className={classes.words}>{question.aside}</p>}
      {question.offersRelease && (
        <label className={classes.choice}>
          <input
            type="checkbox"
            className={classes.box}
            checked={releaseStudents}
            onChange={({ currentTarget }) => setRelease(currentTarget.checked)}
          />
          {question.offersRelease}
        </label>
      )}
      {question.asksReason && (
        <TextAreaField
          optional
          name="reason"
          label="Reason (optional)"
          description={`We'll include it in the email to the agent. At most ${decisionReasonLimit} characters.`}
          maxLength={decisionReasonLimit}
          defaultValue={draftOf<"reason">(draft).reason ?? ""}
        />
      )}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger">
          {question.action}
        </Button>
      </DialogActions>
    </Form>
  );
}
