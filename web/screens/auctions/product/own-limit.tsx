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

/** The leader's own limit, which nobody else sees, and a way to go no higher than the price. */
export function OwnLimit({ product, limit }: { product: ProductState; limit: Cents }) {
  const [price, setPrice] = useState<Cents | null>(null);
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
    onSuccess: () => {
      noteBid(product.id, "upTo", product.price);
      announce("We no longer bid for you.");
    },
  });
  const question = price !== null && {
    title: "Stop bidding for you?",
    text: `Your bid of ${formatMoney(price)} stays. When somebody bids more, you are outbid.`,
    action: "Stop",
    harmless: true as const,
  };
  return (
    <div className={classes.limit}>
      <p className={classes.small}>
        We bid for you up to <span className={classes.least}>{formatMoney(limit)}</span>. Only you see this.
      </p>
      <Button variant="default" disabled={isPending} onClick={() => setPrice(product.price)}>
        Stop
      </Button>
      <ConfirmModal
        question={question || null}
        onCancel={() => setPrice(null)}
        onConfirm={() => {
          setPrice(null);
          if (price !== null) mutate(price);
        }}
      />
      <ErrorModal title={bidErrorTitle} error={error} onClose={reset} />
    </div>
  );
}
