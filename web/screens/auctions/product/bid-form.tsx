import type { ProductState } from "#contract/auctions.ts";
import { mostBid, refusedBidWords } from "#domain/bid.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { configuration } from "../../../lib/configuration.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import { Form, SubmitButton, useForm } from "../../../ui/form/form.tsx";
import { MoneyField } from "../money-field.tsx";
import classes from "./panel.module.css";
import { problemWith, useBidForm } from "./use-bid-form.ts";

export const bidErrorTitle = "Bid Error";

type BidFormProps = { product: ProductState; onTooLate: (error: Error) => void };

/** Returns the most in cents that the viewer can bid before their email address is verified; null once it is. */
function useUnverifiedLimit(): Cents | null {
  const viewer = useViewer();
  return viewer?.emailVerified === false ? configuration().unverifiedBidLimit : null;
}

/** The form to bid an amount, while the viewer can bid at all. */
export function BidForm(props: BidFormProps) {
  const limit = useUnverifiedLimit();
  if (limit !== null && props.product.leastBid > mostBid(limit))
    return <p className={classes.result}>{refusedBidWords({ kind: "unverified", limit }).message}</p>;
  return <AmountForm limit={limit} {...props} />;
}

type LimitedProps = BidFormProps & { limit: Cents | null };

/** The form starts with the least bid. */
function AmountForm({ product, limit, onTooLate }: LimitedProps) {
  const { amount, edit, question, closeQuestion, plan } = useBidForm(product, limit, onTooLate);
  return (
    <>
      <Form errorTitle={bidErrorTitle} {...plan}>
        <Amount product={product} limit={limit} amount={amount} onType={edit} />
        <SubmitButton fullWidth busyText="Placing bid...">
          Place bid
        </SubmitButton>
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

type AmountProps = Omit<LimitedProps, "onTooLate"> & { amount: string; onType: (amount: string) => void };

function Amount({ product, limit, amount, onType }: AmountProps) {
  const { failure } = useForm();
  // The price may have risen since the refusal.
  const current = failure?.code === "out-of-range" ? problemWith(product, amount, limit) : null;
  return (
    <MoneyField
      name="amount"
      label="Your bid"
      hint={
        <>
          At least <span className={classes.least}>{formatMoney(product.leastBid)}</span>
          {limit !== null && (
            <>
              , and up to <span className={classes.least}>{formatMoney(limit)}</span> until you verify your
              email address
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
