import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { agentChangeLimits, changeReasonProblem } from "#domain/agent-change.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import type { Dashboard } from "./next-step.ts";
import classes from "./student-dashboard.module.css";

const refetchStudents = () => queryClient.invalidateQueries({ queryKey: api.students.key() });

type OwnAgentProps = { agent: NonNullable<Dashboard["agent"]>; dashboard: Dashboard };

/** Lets a student stop sharing their papers with their agent, and ask for another agent. */
export function OwnAgent({ agent, dashboard: { sharingStoppedAt, change } }: OwnAgentProps) {
  const [open, setOpen] = useState<"stop" | "change" | null>(null);
  const close = () => setOpen(null);
  const sharing = useMutation({
    mutationFn: (shares: boolean) => rpc.students.setSharing({ shares }),
    onSuccess: (_done, shares) =>
      announce(
        shares ? `${agent.name} sees your papers again.` : `${agent.name} no longer sees your papers.`,
      ),
    onSettled: refetchStudents,
  });
  const withdrawal = useMutation({
    mutationFn: () => rpc.students.withdrawChange(),
    onSuccess: () => announce("Your request was taken back."),
    onSettled: refetchStudents,
  });
  return (
    <>
      {sharingStoppedAt && (
        <p className={classes.words}>
          {agent.name} hasn't seen your identity details and files since {formatDate(sharingStoppedAt)}. They
          still see and move your applications.
        </p>
      )}
      {change && (
        <p className={classes.words}>
          You asked for another agent on {formatDate(change.askedAt)}. We'll answer by{" "}
          {formatDate(change.dueAt)}. {agent.name} doesn't know that you asked.
        </p>
      )}
      <div className={classes.agentButtons}>
        {sharingStoppedAt ? (
          <Button
            variant="default"
            size="compact-md"
            disabled={sharing.isPending}
            onClick={() => sharing.mutate(true)}
          >
            Share my papers again
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-md"
            disabled={sharing.isPending}
            aria-haspopup="dialog"
            onClick={() => setOpen("stop")}
          >
            Stop sharing my papers
          </Button>
        )}
        {change ? (
          <Button
            variant="default"
            size="compact-md"
            disabled={withdrawal.isPending}
            onClick={() => withdrawal.mutate()}
          >
            Take my request back
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-md"
            aria-haspopup="dialog"
            onClick={() => setOpen("change")}
          >
            Ask for another agent
          </Button>
        )}
      </div>
      <ConfirmModal
        question={
          open === "stop"
            ? {
                title: "Stop sharing your papers?",
                text: `${agent.name} can no longer see your identity details and files, from this moment on, and will be told. They still see and move your applications. You can share them again at any time.`,
                action: "Stop sharing",
              }
            : null
        }
        onConfirm={() => {
          sharing.mutate(false);
          close();
        }}
        onCancel={close}
      />
      <ReasonDialog
        opened={open === "change"}
        title="Ask for another agent"
        draft="another agent"
        maxLength={agentChangeLimits.reason}
        check={changeReasonProblem}
        send={async (reason) => {
          await rpc.students.askForChange({ reason });
          await refetchStudents();
          announce("We've got your request.");
        }}
        action={{ text: "Send", busyText: "Sending..." }}
        errorTitle="Request not sent"
        onClose={close}
      >
        Only our administrators read your reason and answer within five working days. {agent.name} isn't told.
      </ReasonDialog>
      <ErrorModal
        title="Error"
        error={sharing.error ?? withdrawal.error}
        onClose={() => {
          sharing.reset();
          withdrawal.reset();
        }}
      />
    </>
  );
}
