import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { SaleView } from "#contract/sale-views.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";
import { type SaleAnswer, type SaleClaim, saleTimes } from "#domain/sale.ts";
import { announce } from "../../../lib/announce.ts";
import { formatDay, ownZone } from "../../../lib/format-date.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import dialog from "../../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { Field, Select } from "../../../ui/form/fields.tsx";
import classes from "./sale.module.css";
import { answerLabels, claimLabels } from "./sale-words.ts";

/** Refetches everything that shows sales. */
export const refreshSales = () =>
  Promise.all(
    [api.sales.key(), api.auctions.relation.key(), api.auctions.myBids.key()].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );

type Act =
  | { kind: "handOver" }
  | { kind: "report"; claim: SaleClaim }
  | { kind: "answer"; answer: SaleAnswer; inDays?: number };

async function carryOut(saleId: string, act: Act): Promise<void> {
  if (act.kind === "handOver") await rpc.sales.handOver({ saleId });
  else if (act.kind === "report") await rpc.sales.report({ saleId, claim: act.claim });
  else await rpc.sales.answer({ saleId, answer: act.answer, inDays: act.inDays, timeZone: ownZone() });
}

const messages: Record<Act["kind"], string> = {
  handOver: "Noted: it was handed over.",
  report: "Reported. They have 48 hours to answer.",
  answer: "Your answer was sent.",
};

/** Buttons for everything that one side of a sale can say now. */
export function SaleActs({ sale: { id, may, side } }: { sale: SaleView }) {
  const [dialogOpen, setDialogOpen] = useState<"report" | "later" | "untrue" | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (act: Act) => carryOut(id, act),
    onSuccess: (_, { kind }) => announce(messages[kind]),
    onSettled: refreshSales,
  });
  const send = (act: Act) => {
    setDialogOpen(null);
    mutate(act);
  };
  const close = () => setDialogOpen(null);
  if (!may.handOver && may.claims.length === 0 && may.answers.length === 0) return null;
  return (
    <div className={classes.acts}>
      {may.answers.map((answer) => (
        <Button
          key={answer}
          variant={answer === "done" ? "filled" : "default"}
          disabled={isPending}
          onClick={() => (answer === "done" ? send({ kind: "answer", answer }) : setDialogOpen(answer))}
        >
          {answerLabels[answer]}
          {answer === "later" && "…"}
        </Button>
      ))}
      {may.handOver && (
        <Button disabled={isPending} onClick={() => send({ kind: "handOver" })}>
          Handed over
        </Button>
      )}
      {may.claims.length > 0 && (
        <Button variant="default" disabled={isPending} onClick={() => setDialogOpen("report")}>
          Something is wrong…
        </Button>
      )}
      <Dialog opened={dialogOpen === "report"} onClose={close} title="What is wrong?">
        <p className={dialog.words}>
          The {side === "seller" ? "buyer" : "seller"} has 48 hours to answer. Without an answer the sale
          falls through. A report that isn't true counts against you.
        </p>
        <div className={classes.claims}>
          {may.claims.map((claim) => (
            <Button key={claim} variant="default" onClick={() => send({ kind: "report", claim })}>
              {claimLabels[claim]}
            </Button>
          ))}
        </div>
        <DialogActions>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog opened={dialogOpen === "later"} onClose={close} title="By when?">
        <PromisedDay
          onCancel={close}
          onSend={(inDays) => send({ kind: "answer", answer: "later", inDays })}
        />
      </Dialog>
      <ConfirmModal
        question={
          dialogOpen === "untrue"
            ? {
                title: "That isn't true?",
                text: "An administrator will look at what both of you say, and decide. Both of you read why.",
                action: "It isn't true",
                harmless: true,
              }
            : null
        }
        onCancel={close}
        onConfirm={() => send({ kind: "answer", answer: "untrue" })}
      />
      <ErrorModal title="Sale Error" error={error} onClose={reset} />
    </div>
  );
}

/** Asks for the day of a promise. */
function PromisedDay({ onSend, onCancel }: { onSend: (days: number) => void; onCancel: () => void }) {
  const [days, setDays] = useState("3");
  const today = localTime(ownZone(), new Date(serverNow())).date;
  const choices = Array.from({ length: saleTimes.promiseDays }, (_, place) => ({
    value: String(place + 1),
    label: formatDay(daysFrom(today, place + 1)),
  }));
  return (
    <>
      <Field
        label="It will be done by"
        description="You have the whole of that day, and can promise this once."
      >
        {(control) => (
          <Select
            {...control}
            data={choices}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
          />
        )}
      </Field>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={() => onSend(Number(days))}>Promise</Button>
      </DialogActions>
    </>
  );
}
