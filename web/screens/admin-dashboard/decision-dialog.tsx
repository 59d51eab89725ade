import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { decisionReasonLimit, decisionReasonProblem } from "#domain/agent-approval.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { dropDraft } from "../../lib/drafts.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextAreaField } from "../../ui/form/fields.tsx";
import { Form } from "../../ui/form/form.tsx";
import classes from "./decision-dialog.module.css";
import { type About, type Answers, type Decision, decisions } from "./decisions.ts";

export type Proposal = { decision: Decision; agent: About };

const noAnswers: Answers = { reason: "", isTicked: false };
const draftFor = ({ id }: About) => `decision ${id}`;

const queryKeys = [api.agents.key(), api.accounts.key(), api.overview.key()];
const refresh = () => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** Refetches what a decision changes. Queries from before the decision are cancelled: their answers may be outdated. */
async function refreshAfter() {
  await Promise.all(queryKeys.map((queryKey) => queryClient.cancelQueries({ queryKey })));
  await refresh();
}

/** Messages that are more specific than the decision's own about its failure. */
const specificMessages = new Set<string>([messageOf["agent/unverified"], messageOf["resource-exhausted"]]);

function failureOf(error: unknown, decision: Decision): FriendlyError {
  const failure = friendlyError(error);
  return specificMessages.has(failure.message)
    ? failure
    : { ...failure, message: decisions[decision].failed };
}

/** Carries out an admin's decisions: asks for confirmation if necessary, announces the result and refetches. */
export function useDecide() {
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: ({ decision, agent, ...answers }: Proposal & Answers) =>
      decisions[decision].call({ id: agent.id, ...answers }),
    onSuccess: (_answer, { decision, agent }) => {
      dropDraft(draftFor(agent));
      announce(decisions[decision].done(agent));
    },
    // Refetches after a failure too: another admin may have decided first.
    onSettled: refreshAfter,
  });
  return {
    /** The decision that waits for a confirmation, or null. */
    proposal,
    pending: isPending ? variables.agent.id : null,
    failure: error && variables ? failureOf(error, variables.decision) : null,
    decide(next: Proposal) {
      if (!decisions[next.decision].question) return mutate({ ...next, ...noAnswers });
      setProposal(next);
      // Fetches the number of students that the question names.
      void refresh();
    },
    confirm(answers: Answers) {
      if (proposal) mutate({ ...proposal, ...answers });
      setProposal(null);
    },
    cancel: () => setProposal(null),
    clearFailure: reset,
  };
}

type DecisionDialogProps = Omit<ReturnType<typeof useDecide>, "pending" | "decide">;

/** Asks for a confirmation and its additional answers; also shows a decision's failure. */
export function DecisionDialog({ proposal, confirm, cancel, failure, clearFailure }: DecisionDialogProps) {
  const question = proposal && decisions[proposal.decision].question?.(proposal.agent);
  return (
    <>
      <Dialog opened={proposal !== null} onClose={cancel} title={question?.title ?? ""}>
        {proposal && <Question proposal={proposal} onConfirm={confirm} onCancel={cancel} />}
      </Dialog>
      <ErrorModal title="Error" error={failure} onClose={clearFailure} />
    </>
  );
}

type QuestionProps = { proposal: Proposal; onConfirm: (answers: Answers) => void; onCancel: () => void };

function Question({ proposal: { decision, agent }, onConfirm, onCancel }: QuestionProps) {
  const [isTicked, setTicked] = useState(false);
  const question = decisions[decision].question?.(agent);
  if (!question) return null;
  return (
    <Form
      errorTitle="Error"
      draftName={draftFor(agent)}
      fields={["reason"]}
      check={({ reason }) => decisionReasonProblem(reason)}
      send={async ({ reason }) => {
        onConfirm({ reason, isTicked });
        // The form stays unsent, so that the reason is kept until the decision is made.
        return false;
      }}
    >
      <p className={dialog.words}>{question.text}</p>
      {question.aside && <p className={dialog.words}>{question.aside}</p>}
      {question.checkbox && (
        <label className={classes.choice}>
          <input
            type="checkbox"
            className={classes.box}
            checked={isTicked}
            onChange={({ currentTarget }) => setTicked(currentTarget.checked)}
          />
          {question.checkbox}
        </label>
      )}
      {question.asksReason && (
        <TextAreaField
          optional
          name="reason"
          label="Reason (optional)"
          description={`We'll include it in the email to the agent. At most ${decisionReasonLimit} characters.`}
          maxLength={decisionReasonLimit}
        />
      )}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant={question.harmless ? "filled" : "danger"}>
          {question.action}
        </Button>
      </DialogActions>
    </Form>
  );
}
