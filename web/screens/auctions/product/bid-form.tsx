import type { ProductState } from "#contract/auctions.ts";
import { amountTextLimit, formatMoney } from "#domain/money.ts";
import { Form } from "../../../ui/form/form.tsx";
import { SubmitButton } from "../../../ui/form/submit-button.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { bidErrorTitle } from "./bid-not-placed.ts";
import classes from "./panel.module.css";
import { useBidForm } from "./use-bid-form.ts";

type BidFormProps = { product: ProductState; isOver: () => boolean; onTooLate: (error: Error) => void };

/** Bids an amount; it starts with the least that can be bid (spec 4). */
export default function BidForm({ product, isOver, onTooLate }: BidFormProps) {
  const { amount, edit, ...plan } = useBidForm(product, isOver, onTooLate);
  return (
    <Form errorTitle={bidErrorTitle} {...plan}>
      <TextField
        name="amount"
        label="Your bid"
        description={
          <>
            At least <span className={classes.least}>{formatMoney(product.leastBid)}</span>
          </>
        }
        leftSection="R"
        inputMode="decimal"
        autoComplete="off"
        maxLength={amountTextLimit}
        value={amount}
        onChange={({ currentTarget }) => edit(currentTarget.value)}
      />
      <SubmitButton fullWidth busyText="Placing bid...">
        Place bid
      </SubmitButton>
    </Form>
  );
}
