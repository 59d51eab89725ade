import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { bidTexts, decideBid, refusedBidWords } from "#domain/bid.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { amountInput, parseAmount } from "#domain/money.ts";
import { draftOf, dropDraft, keepDraft } from "../../../lib/drafts.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { randomUuid } from "../../../lib/random-uuid.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { createBidKeys } from "./bid-keys.ts";
import { bidNotPlaced, isAnswered } from "./bid-not-placed.ts";

const fields = ["amount"] as const;
type Typed = { amount: string };

/**
 * What the page can see by itself, in the server's words. Whether the time is over only the server tells: its clock
 * counts, so the moment that is asked about here is one at which nothing has ended.
 */
function problemWith(product: ProductState, amount: string): Problem | null {
  const bidding = {
    sellerId: null,
    startingBid: product.startingBid,
    endDate: new Date(product.endDate),
    open: true,
    highestBid: product.bidCount > 0 ? product.price : null,
    highestBidderId: null,
    bidCount: product.bidCount,
  };
  const attempt = { bidderId: "viewer", amount: parseAmount(amount) };
  const outcome = decideBid(bidding, attempt, new Date(product.endDate - 1));
  return outcome.kind === "accepted" ? null : { ...refusedBidWords(outcome), field: "amount" };
}

/**
 * The bid form's state and what it sends. The amount follows the least bid until another one is typed. `onTooLate`
 * gets a failure for which there is no form any more.
 */
export function useBidForm(product: ProductState, isOver: () => boolean, onTooLate: (error: Error) => void) {
  const draft = `bid ${product.id}`;
  const least = amountInput(product.leastBid);
  const [typed, setTyped] = useState(() => draftOf<keyof Typed>(draft).amount ?? null);
  const [keys] = useState(() => createBidKeys(randomUuid));

  function edit(amount: string) {
    setTyped(amount === least ? null : amount);
    keepDraft(draft, { amount }, { amount: least }, fields);
  }

  async function place(amount: string) {
    try {
      await rpc.auctions.bid({ productId: product.id, amount, idempotencyKey: keys.of(amount) });
      keys.answered(amount);
    } catch (error) {
      if (isAnswered(error)) keys.answered(amount);
      // The bid may have been taken and the price be above it by now: a retry is of the same amount.
      else setTyped(amount);
      throw bidNotPlaced(error);
    } finally {
      const { standing, myBids, list } = api.auctions;
      for (const queryKey of [standing.key(), myBids.key(), list.key()])
        void queryClient.invalidateQueries({ queryKey });
    }
  }

  return {
    fields,
    amount: typed ?? least,
    edit,
    // A retry is for the server to judge: the first try may be what made the amount too low.
    check: ({ amount }: Typed) => (keys.isOpen(amount) ? null : problemWith(product, amount)),
    async send({ amount }: Typed) {
      try {
        await place(amount);
      } catch (error) {
        if (!isOver() || !(error instanceof Error)) throw error;
        onTooLate(error);
        return;
      }
      setTyped(null);
      dropDraft(draft);
      notifications.show({ message: bidTexts.placed });
    },
  };
}
