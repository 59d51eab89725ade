import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { amountMessages, type Cents, formatMoney, parseAmount } from "#domain/money.ts";
import { announce } from "../../../lib/announce.ts";
import { configuration } from "../../../lib/configuration.ts";
import { IdempotencyKeys } from "../../../lib/idempotency-keys.ts";
import { rpc } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import dialog from "../../../ui/dialog.module.css";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { ModalForm } from "../../../ui/modal-form.tsx";
import { MoneyField } from "../money-field.tsx";
import { refreshSales } from "../sales/sale-acts.tsx";
import { keepReceipt } from "./receipts.ts";
import { type AcceptedBid, bidAnswer, isAnswered } from "./use-bid-form.ts";

const errorTitle = "Withdrawal Error";

/** Withdraws the viewer's bids, and keeps the receipt of the bid that replaces them. */
async function withdraw(productId: string, instead: Cents | null, keys: IdempotencyKeys): Promise<void> {
  const content = `${instead}`;
  const idempotencyKey = keys.of(content);
  const request = rpc.sales.withdrawBids({ productId, instead, idempotencyKey });
  try {
    const { bid } = await bidAnswer(request, async () => {
      const placed = await rpc.auctions.bidByKey({ idempotencyKey });
      return placed && { bid: placed };
    });
    keys.answered(content);
    keepReceipt(bid?.receipt ?? null, null);
    announce(`Your bids were withdrawn. ${insteadWords(instead, bid)}`.trim());
  } catch (error) {
    if (isAnswered(error)) keys.answered(content);
    throw error;
  }
  await refreshSales();
}

/** Says what became of the intended amount: only the server knows whether it was still enough. */
function insteadWords(instead: Cents | null, bid: AcceptedBid | null): string {
  if (instead === null) return "";
  if (bid === null) return `${formatMoney(instead)} is no longer enough, so it wasn't bid.`;
  const words = `You bid ${formatMoney(instead)} instead.`;
  return bid.leading ? words : `${words} It now takes ${formatMoney(bid.least)}.`;
}

/** Withdraws the viewer's bids on a product: after a slip with the intended amount, or by law for any reason. */
export default function WithdrawBids({ product: { id } }: { product: ProductState }) {
  const [opened, setOpened] = useState(false);
  const byLaw = configuration().bidWithdrawal === "law";
  return (
    <div>
      <Button variant="default" size="compact-md" onClick={() => setOpened(true)}>
        Withdraw my bids
      </Button>
      {byLaw ? (
        <ByLaw productId={id} opened={opened} onClose={() => setOpened(false)} />
      ) : (
        <Slip productId={id} opened={opened} onClose={() => setOpened(false)} />
      )}
    </div>
  );
}

type WithdrawProps = { productId: string; opened: boolean; onClose: () => void };

function ByLaw({ productId, opened, onClose }: WithdrawProps) {
  const [keys] = useState(() => new IdempotencyKeys());
  const { mutate, error, reset } = useMutation({ mutationFn: () => withdraw(productId, null, keys) });
  return (
    <>
      <ConfirmModal
        question={
          opened
            ? {
                title: "Withdraw your bids?",
                text: "None of your bids on this item counts any more, and everyone who bid is told. After three times within 6 months you can't withdraw anything for a year.",
                action: "Withdraw",
              }
            : null
        }
        onCancel={onClose}
        onConfirm={() => {
          onClose();
          mutate();
        }}
      />
      <ErrorModal title={errorTitle} error={error} onClose={reset} />
    </>
  );
}

function Slip({ productId, opened, onClose }: WithdrawProps) {
  const [text, setText] = useState("");
  const [keys] = useState(() => new IdempotencyKeys());
  return (
    <Dialog opened={opened} onClose={onClose} title="Withdraw your bids?">
      <p className={dialog.words}>
        This is for a slip: a bid of at least 5 times the price, within an hour, and more than 12 hours before
        the end. None of your bids on this item counts any more, and everyone who bid is told. What you meant
        is bid instead, if that is still enough.
      </p>
      <ModalForm
        errorTitle={errorTitle}
        fields={["instead"]}
        check={({ instead }) => {
          const amount = parseAmount(instead);
          return amount.kind === "amount"
            ? null
            : { code: "form/incomplete", field: "instead", message: amountMessages[amount.problem] };
        }}
        send={async ({ instead }) => {
          const amount = parseAmount(instead);
          if (amount.kind === "amount") await withdraw(productId, amount.cents, keys);
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Withdraw"
        busyText="Withdrawing..."
      >
        <MoneyField name="instead" label="What I meant to bid" hint="" value={text} onType={setText} />
      </ModalForm>
    </Dialog>
  );
}
