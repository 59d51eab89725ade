import { useLayoutEffect, useRef, useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { bidTexts, decideAmount, isFarAbove, refusedBidWords } from "#domain/bid.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { formatMoney, parseAmount } from "#domain/money.ts";
import { announce } from "../../../lib/announce.ts";
import { draftOf, dropDraft, keepDraft } from "../../../lib/drafts.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { randomUuid } from "../../../lib/random-uuid.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { BidKeys, bidNotPlaced, isAnswered, isForVerified } from "./bid-attempt.ts";
import { afterBidding, amountIn, follow, justMoved, proposal } from "./bid-field.ts";

const fields = ["amount"] as const;
type Typed = { amount: string };

/** What the page can see by itself, in the server's words. Whether the time is over only the server knows. */
export function problemWith({ leastBid }: ProductState, amount: string): Problem | null {
  const outcome = decideAmount(leastBid, parseAmount(amount), null);
  return outcome.kind === "accepted" ? null : { ...refusedBidWords(outcome), field: "amount" };
}

/** Why somebody is asked before their bid is sent; null when there is no reason to. */
function doubtAbout({ price }: ProductState, cents: number, isNews: boolean): string | null {
  if (isNews) return `The price has just changed to ${formatMoney(price)}.`;
  if (isFarAbove(price, cents))
    return `That's at least 10 times the current price of ${formatMoney(price)}. A bid can't be taken back.`;
  return null;
}

type Question = { amount: string; text: string; goOn: () => void };

/** The bid form's state and what it sends. `onTooLate` gets a failure for which there is no form any more. */
export function useBidForm(product: ProductState, isOver: () => boolean, onTooLate: (error: Error) => void) {
  const draft = `bid ${product.id}`;
  const [typed, setTyped] = useState(() => draftOf<keyof Typed>(draft).amount ?? null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [mustVerify, setMustVerify] = useState(false);
  const [keys] = useState(() => new BidKeys(randomUuid));
  const { leastBid } = product;
  const proposed = useRef(proposal(leastBid));
  useLayoutEffect(() => {
    proposed.current = follow(proposed.current, leastBid, performance.now());
  }, [leastBid]);

  async function place(amount: string) {
    try {
      await rpc.auctions.bid({ productId: product.id, amount, idempotencyKey: keys.of(amount) });
      keys.answered(amount);
    } catch (error) {
      setMustVerify(isForVerified(error));
      if (isAnswered(error)) keys.answered(amount);
      // The bid may have been taken and the price be above it by now: a retry is of the same amount.
      else setTyped(amount);
      throw bidNotPlaced(error);
    } finally {
      const { relation, myBids, list } = api.auctions;
      for (const queryKey of [relation.key(), myBids.key(), list.key()])
        void queryClient.invalidateQueries({ queryKey });
    }
  }

  return {
    amount: amountIn(typed, leastBid),
    edit(amount: string) {
      setTyped(amount);
      keepDraft(draft, { amount }, { amount: "" }, fields);
    },
    /** The last bid was too much for an address that isn't verified. */
    mustVerify,
    question,
    closeQuestion: () => setQuestion(null),
    plan: {
      fields,
      // A retry is for the server to judge: the first try may be what made the amount too low.
      check: ({ amount }: Typed) => (keys.isOpen(amount) ? null : problemWith(product, amount)),
      ask({ amount: text }: Typed, goOn: () => void) {
        const read = parseAmount(text);
        const isNews = justMoved(typed, proposed.current, performance.now());
        const doubt = read.kind === "amount" && doubtAbout(product, read.cents, isNews);
        if (doubt) setQuestion({ amount: formatMoney(read.cents), text: doubt, goOn });
        return Boolean(doubt);
      },
      async send({ amount }: Typed) {
        try {
          await place(amount);
        } catch (error) {
          if (!isOver() || !(error instanceof Error)) throw error;
          onTooLate(error);
          return;
        }
        setMustVerify(false);
        setTyped(null);
        proposed.current = afterBidding(proposed.current, performance.now());
        dropDraft(draft);
        announce(bidTexts.placed);
      },
    },
  };
}
