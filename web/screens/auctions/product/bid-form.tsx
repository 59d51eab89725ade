import { useEffect, useRef, useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { bidRefusal, type BidForm as FormOfBid, mostBid } from "#domain/bid.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { configuration } from "../../../lib/configuration.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { Form, SubmitButton, useForm } from "../../../ui/form/form.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { MoneyField } from "../money-field.tsx";
import classes from "./panel.module.css";
import { type Bidder, formOf, leastFor, problemWith, useBidForm } from "./use-bid-form.ts";

export const bidErrorTitle = "Bid Error";

type BidFormProps = { product: ProductState; isLeader: boolean; onTooLate: (error: Error) => void };

/** Returns the highest bid in cents before the viewer's email address is verified; null once it is. */
function useUnverifiedLimit(): Cents | null {
  const viewer = useViewer();
  return viewer?.emailVerified === false ? configuration().unverifiedBidLimit : null;
}

/** The bid form, or the reason why the viewer can't bid. */
export function BidForm({ product, isLeader, onTooLate }: BidFormProps) {
  const unverifiedLimit = useUnverifiedLimit();
  if (unverifiedLimit !== null && product.leastBid > mostBid(unverifiedLimit))
    return (
      <p className={classes.result}>{bidRefusal({ kind: "unverified", limit: unverifiedLimit }).message}</p>
    );
  return <AmountForm product={product} bidder={{ isLeader, unverifiedLimit }} onTooLate={onTooLate} />;
}

type AmountFormProps = { product: ProductState; bidder: Bidder; onTooLate: (error: Error) => void };

/** Starts with the least bid, as an exact one. */
function AmountForm({ product, bidder, onTooLate }: AmountFormProps) {
  const { amount, edit, unanswered, closeUnanswered, question, closeQuestion, plan } = useBidForm(
    product,
    bidder,
    onTooLate,
  );
  const [form, setForm] = useState<FormOfBid>("exact");
  return (
    <>
      <Form errorTitle={bidErrorTitle} {...plan} onEdit={(values) => setForm(formOf(values.form))}>
        <Forms onChosen={setForm} />
        <Amount product={product} bidder={bidder} form={form} amount={amount} onType={edit} />
        <SubmitButton fullWidth busyText="Placing bid...">
          Place bid
        </SubmitButton>
      </Form>
      <ErrorModal title={bidErrorTitle} error={unanswered} onClose={closeUnanswered} />
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

const formLabels: Record<FormOfBid, string> = { exact: "Bid", upTo: "Bid for me up to" };

/**
 * The two forms of a bid. The inputs are uncontrolled, so that a choice from before hydration counts and is passed to
 * `onChosen`.
 */
function Forms({ onChosen }: { onChosen: (form: FormOfBid) => void }) {
  const group = useRef<HTMLFieldSetElement>(null);
  const { draft } = useForm();
  const first = formOf(draft["form"] ?? "");
  useEffect(() => {
    const input = group.current?.querySelector<HTMLInputElement>("input:checked");
    onChosen(formOf(input?.value ?? ""));
  }, [onChosen]);
  return (
    <fieldset ref={group} className={classes.forms}>
      <legend className="unseen">How to bid</legend>
      {Object.entries(formLabels).map(([form, label]) => (
        <label key={form} className={classes.form}>
          <input type="radio" name="form" value={form} defaultChecked={form === first} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

type AmountProps = Omit<AmountFormProps, "onTooLate"> & {
  form: FormOfBid;
  amount: string;
  onType: (amount: string) => void;
};

function Amount({ product, bidder, form, amount, onType }: AmountProps) {
  const { failure } = useForm();
  // The price may have risen since the refusal.
  const current = failure?.code === "out-of-range" ? problemWith(product, { amount, form }, bidder) : null;
  const { unverifiedLimit } = bidder;
  return (
    <MoneyField
      name="amount"
      label={form === "upTo" ? "Your limit" : "Your bid"}
      hint={
        <>
          At least <span className={classes.least}>{formatMoney(leastFor(product, form, bidder))}</span>
          {unverifiedLimit !== null && (
            <>
              , and up to <span className={classes.least}>{formatMoney(unverifiedLimit)}</span> until you
              verify your email address
            </>
          )}
          {form === "upTo" && (
            <>
              . We bid as little as it takes. Only you see your limit.{" "}
              <TextLink to="/auction-rules">How limits work</TextLink>
            </>
          )}
        </>
      }
      value={amount}
      onType={onType}
      {...(current && { error: current.message })}
    />
  );
}
