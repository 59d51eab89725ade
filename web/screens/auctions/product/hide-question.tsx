import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { questionTexts } from "#domain/question.ts";
import { announce } from "../../../lib/announce.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";

/** Refetches everything that shows a question. */
export const refreshQuestions = () =>
  Promise.all(
    [api.auctions.questions.key(), api.auctions.openQuestions.key(), api.tradeReports.list.key()].map(
      (queryKey) => queryClient.invalidateQueries({ queryKey }),
    ),
  );

/** Lets an admin hide a question, with a reason for the audit log. */
export function HideQuestion({ questionId }: { questionId: string }) {
  const [isAsked, setAsked] = useState(false);
  const { mutateAsync } = useMutation({
    mutationFn: (reason: string) => rpc.auctions.hideQuestion({ questionId, reason }),
  });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
        Hide as admin
      </Button>
      <ReasonDialog
        opened={isAsked}
        title="Hide question"
        draft={`hide ${questionId}`}
        maxLength={auctionLimits.reason}
        check={removalReasonProblem}
        send={async (reason) => {
          await mutateAsync(reason);
          announce(questionTexts.hidden);
          await refreshQuestions();
        }}
        action={{ text: "Hide", busyText: "Hiding..." }}
        errorTitle="Question Error"
        onClose={() => setAsked(false)}
      >
        Nobody will see the question and its answer any more. The reason stands in the audit log.
      </ReasonDialog>
    </>
  );
}
