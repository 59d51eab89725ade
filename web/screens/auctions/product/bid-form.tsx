import { useMutation } from "@tanstack/react-query";
import { useLocation } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { formatMoney } from "#domain/money.ts";
import { api } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import { Form, SubmitButton, useForm } from "../../../ui/form/form.tsx";
import { MoneyField } from "../money-field.tsx";
import { bidErrorTitle } from "./bidding.tsx";
import classes from "./panel.module.css";
import { problemWith, useBidForm } from "./use-bid-form.ts";

type BidFormProps = { product: ProductState; onTooLate: (error: Error) => void };

/** Bids an amount; it starts with the least that can be bid. */
export default function BidForm({ product, onTooLate }: BidFormProps) {
  const { amount, edit, mustVerify, question, closeQuestion, plan } = useBidForm(product, onTooLate);
  return (
    <>
      <Form errorTitle={bidErrorTitle} {...plan}>
        <Amount product={product} amount={amount} onType={edit} />
        <SubmitButton fullWidth busyText="Placing bid...">
          Place bid
        </SubmitButton>
        {mustVerify && <SendLinkAgain />}
      </Form>
      <ConfirmModal
        question={question}
        onCancel={closeQuestion}
        onConfirm={() => {
          closeQuestion();
          question?.goOn();
        }}
      />
    </>
  );
}

type AmountProps = { product: ProductState; amount: string; onType: (amount: string) => void };

function Amount({ product, amount, onType }: AmountProps) {
  const { failure } = useForm();
  // The price may have gone on since the refusal.
  const current = failure?.code === "out-of-range" ? problemWith(product, amount) : null;
  return (
    <MoneyField
      name="amount"
      label="Your bid"
      hint={
        <>
          At least <span className={classes.least}>{formatMoney(product.leastBid)}</span>
        </>
      }
      value={amount}
      onType={onType}
      {...(current && { error: current.message })}
    />
  );
}

/** For somebody who has to verify their email address first. */
function SendLinkAgain() {
  const { pathname } = useLocation();
  const { mutate, isPending, isSuccess, error } = useMutation(
    api.account.resendVerification.mutationOptions(),
  );
  return (
    <>
      <output className={classes.small}>
        {error ? friendlyError(error).message : isSuccess && "Sent. Please check your inbox and spam folder."}
      </output>
      {!isSuccess && (
        <Button variant="default" fullWidth disabled={isPending} onClick={() => mutate({ next: pathname })}>
          {isPending ? "Sending..." : "Send the link again"}
        </Button>
      )}
    </>
  );
}
