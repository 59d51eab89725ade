import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { announce } from "../../../lib/announce.ts";
import { IdempotencyKeys } from "../../../lib/idempotency-keys.ts";
import { rpc } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { bidErrorTitle } from "./bid-form.tsx";
import classes from "./panel.module.css";
import { keepReceipt } from "./receipts.ts";
import { isAnswered } from "./use-bid-form.ts";
import { noteBid } from "./viewer-relation.ts";

/** The leader's own limit, which nobody else sees, and a button that lowers it to the price. */
export function OwnLimit({ product, limit }: { product: ProductState; limit: Cents }) {
  const { price } = product;
  const [isAsking, setIsAsking] = useState(false);
  const [keys] = useState(() => new IdempotencyKeys());
  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn(amount: Cents) {
      const content = String(amount);
      const idempotencyKey = keys.of(content);
      try {
        const { receipt } = await rpc.auctions.bid({
          productId: product.id,
          form: "upTo",
          amount,
          idempotencyKey,
        });
        keepReceipt(receipt, amount);
        keys.answered(content);
      } catch (error) {
        if (isAnswered(error)) keys.answered(content);
        throw error;
      }
    },
    onSuccess: (_, amount) => {
      noteBid(product.id, "upTo", amount);
      announce("We no longer bid for you.");
    },
  });
  // Rivals may raise the price while the dialog is open, so it always uses the current price.
  const question = {
    title: "Stop bidding for you?",
    text: `Your bid of ${formatMoney(price)} stays. When somebody bids more, you are outbid.`,
    action: "Stop",
    harmless: true,
  };
  return (
    <div className={classes.limit}>
      <p className={classes.small}>
        We bid for you up to <span className={classes.least}>{formatMoney(limit)}</span>. Only you see this.
      </p>
      <Button variant="default" disabled={isPending} onClick={() => setIsAsking(true)}>
        Stop
      </Button>
      <ConfirmModal
        question={isAsking ? question : null}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          mutate(price);
        }}
      />
      <ErrorModal title={bidErrorTitle} error={error} onClose={reset} />
    </div>
  );
}
