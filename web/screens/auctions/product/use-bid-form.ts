import { useLayoutEffect, useRef, useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { auctionTexts } from "#domain/auction.ts";
import {
  type BidForm,
  bidForms,
  bidRefusal,
  bidTexts,
  checkAmount,
  isFarAbove,
  leastAmount,
} from "#domain/bid.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";
import { amountInput, amountMessages, type Cents, formatMoney, parseAmount } from "#domain/money.ts";
import { announce } from "../../../lib/announce.ts";
import { untilAnswering } from "../../../lib/connection.ts";
import { draftOf, dropDraft } from "../../../lib/drafts.ts";
import { IdempotencyKeys } from "../../../lib/idempotency-keys.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { answerOrRecord, fetchRecordOnReturn } from "./lost-answer.ts";
import { keepReceipt } from "./receipts.ts";
import { noteBid } from "./viewer-relation.ts";

/**
 * The meaning of an error code for the form. `known`: show the error's own message. `amount`: show it beside the field.
 * `gone`: say that the item is gone.
 */
type Meaning = "known" | "amount" | "gone";
const meanings: Readonly<Record<string, Meaning>> = {
  "not-found": "gone",
  "invalid-argument": "amount",
  "out-of-range": "amount",
  "account/unverified": "amount",
  "failed-precondition": "known",
  "permission-denied": "known",
  "already-exists": "known",
  unauthenticated: "known",
  "resource-exhausted": "known",
  "auth/network-request-failed": "known",
};

/** Returns the code to show. An unverified email address is a failure that the error modal shows without its code. */
const codeOf = (error: unknown): string | null =>
  hasCode(error, "account/unverified") ? "account/unverified" : friendlyError(error).code;

/** Failures after which the bid may still have been accepted. */
const openEnds = new Set<string | null>(["auth/network-request-failed", "unavailable", "internal", null]);

/** Whether the server has decided on the bid. */
export const isAnswered = (error: unknown): boolean => !openEnds.has(codeOf(error));

/** Returns the error to show for a failed bid, with its code if it has one. */
export function bidNotPlaced(error: unknown): Error {
  const { message } = friendlyError(error);
  const code = codeOf(error);
  const meaning = meanings[code ?? ""];
  const words = { known: message, amount: message, gone: auctionTexts.notFound };
  return Object.assign(new Error(meaning ? words[meaning] : bidTexts.failed), {
    ...(code !== null && { code }),
    ...(meaning === "amount" && { field: "amount" }),
  });
}

/** Milliseconds that a proposed amount must be visible before it can be sent. */
const seenAfter = 1_000;

/**
 * The amount that the bid form proposes, which is the least bid. `movedAt` is when the proposal last changed, in
 * milliseconds of any one clock.
 */
export type Proposal = { least: Cents; movedAt: number };

export const proposal = (least: Cents): Proposal => ({ least, movedAt: Number.NEGATIVE_INFINITY });

/** Moves the proposal to a new least bid. */
export const follow = (before: Proposal, least: Cents, now: number): Proposal =>
  before.least === least ? before : { least, movedAt: now };

/** Returns the proposal after a bid, when it replaces the typed amount. */
export const afterBidding = (before: Proposal, now: number): Proposal => ({ ...before, movedAt: now });

/** Returns the amount in the field: the typed one, which never changes automatically, or else the least bid. */
export const amountIn = (text: string | null, least: Cents): string => text ?? amountInput(least);

/** Whether the amount changed so recently that the bidder may have clicked the button for another one. */
export const justMoved = (text: string | null, { movedAt }: Proposal, now: number): boolean =>
  text === null && now - movedAt < seenAfter;

const fields = ["amount", "form"] as const;
/** The form's texts; `form` is a `BidForm`. */
type BidInput = Record<(typeof fields)[number], string>;

export const formOf = (text: string): BidForm => bidForms.find((form) => form === text) ?? "exact";

/** The facts about a bidder: whether they lead, and the most they can bid before their email address is verified. */
export type Bidder = { isLeader: boolean; unverifiedLimit: Cents | null };

/** Returns the least amount in cents that this viewer can bid in this form. */
export function leastFor(
  { price, startingBid, leader }: Pick<ProductState, "price" | "startingBid" | "leader">,
  form: BidForm,
  { isLeader }: Pick<Bidder, "isLeader">,
): Cents {
  return leastAmount({ highestBid: leader === null ? null : price, startingBid }, { form, isLeader });
}

/** Checks an amount before it is sent, with the server's messages. Only the server knows whether the time is over. */
export function problemWith(
  product: Pick<ProductState, "price" | "startingBid" | "leader">,
  { amount, form }: BidInput,
  bidder: Bidder,
): Problem | null {
  const least = leastFor(product, formOf(form), bidder);
  const outcome = checkAmount(least, parseAmount(amount), bidder.unverifiedLimit);
  return typeof outcome === "number" ? null : { ...bidRefusal(outcome), field: "amount" };
}

/** Returns the reason to ask before the bid is sent, or null. A limit far above the price is normal. */
function doubtAbout(
  { price }: ProductState,
  form: BidForm,
  cents: number,
  hasJustMoved: boolean,
): string | null {
  if (hasJustMoved) return `The price has just changed to ${formatMoney(price)}.`;
  if (form === "exact" && isFarAbove(price, cents))
    return `That's at least 10 times the current price of ${formatMoney(price)}. A bid is binding.`;
  return null;
}

/** The question before a bid is sent; `goOn` sends it. */
type Question = { title: string; text: string; action: string; harmless: true; goOn: () => void };

export type AcceptedBid = Awaited<ReturnType<typeof rpc.auctions.bid>>;
/** A bid without an answer: `content` is the content of its key, and `fetchRecord` finds it by that key. */
type SentBid = {
  amount: string;
  form: BidForm;
  cents: Cents;
  content: string;
  fetchRecord: () => Promise<AcceptedBid | null>;
};

/** Milliseconds that a bid without an answer waits for the connection before it counts as failed. */
const waitForConnection = 2_000;

/** Looks up a bid whose answer got lost; rejects with the loss if it isn't found. */
async function findAfterLoss<Answer>(
  loss: unknown,
  fetchRecord: () => Promise<Answer | null>,
): Promise<Answer> {
  if (!navigator.onLine) throw loss;
  const waited = new Promise((resolve) => setTimeout(resolve, waitForConnection));
  await Promise.race([untilAnswering(), waited]);
  const bid = await fetchRecord().catch(() => null);
  if (bid) return bid;
  throw loss;
}

/** Resolves to the answer to a bid, or to the record found by its key if the answer gets lost. */
export const bidAnswer = <Answer>(
  request: Promise<Answer>,
  fetchRecord: () => Promise<Answer | null>,
): Promise<Answer> =>
  answerOrRecord(request, fetchRecord).catch((error: unknown) =>
    isAnswered(error) ? Promise.reject(error) : findAfterLoss(error, fetchRecord),
  );

/** The bid form's state and submission. `onTooLate` receives a failure after the end, when the form is gone. */
export function useBidForm(product: ProductState, bidder: Bidder, onTooLate: (error: Error) => void) {
  const draftName = `bid ${product.id}`;
  const [draft, setDraft] = useState(() => draftOf<keyof BidInput>(draftName).amount ?? null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [unanswered, setUnanswered] = useState<Error | null>(null);
  const [keys] = useState(() => new IdempotencyKeys());
  const { leastBid } = product;
  const proposed = useRef(proposal(leastBid));
  /** The terms that the bidder has seen: those on the page at first, then those that they were asked about. */
  const seenTerms = useRef(product.terms);
  useLayoutEffect(() => {
    proposed.current = follow(proposed.current, leastBid, performance.now());
  }, [leastBid]);

  /** Resets the form after a placed bid, and announces its result. */
  function placed(amount: string, { leading, least }: AcceptedBid) {
    setDraft((before) => (before === amount ? null : before));
    proposed.current = afterBidding(proposed.current, performance.now());
    announce(leading ? bidTexts.placed : bidTexts.beaten(least));
  }

  /** Records a bid that the server has accepted, and keeps its receipt. */
  function recordAccepted(
    { form, cents, content }: Pick<SentBid, "form" | "cents" | "content">,
    { receipt }: AcceptedBid,
  ) {
    keys.answered(content);
    noteBid(product.id, form, cents);
    keepReceipt(receipt, form === "upTo" ? cents : null);
  }

  /** Keeps looking for a bid without an answer after the failure was shown. */
  function keepLooking({ amount, form, cents, content, fetchRecord }: SentBid) {
    fetchRecordOnReturn(
      fetchRecord,
      () => keys.isOpen(content),
      (answer) => {
        setUnanswered(null);
        if (!answer) return announce(bidTexts.notReceived(form, cents));
        recordAccepted({ form, cents, content }, answer);
        if (draftOf<keyof BidInput>(draftName).amount === amount) dropDraft(draftName);
        placed(amount, answer);
      },
    );
  }

  async function place({ amount, form: text }: BidInput): Promise<AcceptedBid> {
    const form = formOf(text);
    const content = `${form} ${amount}`;
    const read = parseAmount(amount);
    // `check` has refused everything else.
    if (read.kind === "problem") throw new Error(amountMessages[read.problem]);
    const { cents } = read;
    const idempotencyKey = keys.of(content);
    const fetchRecord = () => rpc.auctions.bidByKey({ idempotencyKey });
    try {
      const terms = seenTerms.current;
      const request = rpc.auctions.bid({ productId: product.id, form, amount: cents, idempotencyKey, terms });
      const answer = await bidAnswer(request, fetchRecord);
      recordAccepted({ form, cents, content }, answer);
      return answer;
    } catch (error) {
      if (isAnswered(error)) keys.answered(content);
      else {
        // The bid may have been accepted and have raised the price: a retry must have the same amount.
        setDraft(amount);
        keepLooking({ amount, form, cents, content, fetchRecord });
      }
      throw error;
    } finally {
      // Events update the product and My bids, but not the list of auctions.
      void queryClient.invalidateQueries({ queryKey: api.auctions.list.key() });
    }
  }

  return {
    amount: amountIn(draft, leastBid),
    edit: setDraft,
    /** The failure of a bid that may still have been placed; null once the outcome is known or the message was read. */
    unanswered,
    closeUnanswered: () => setUnanswered(null),
    question,
    closeQuestion: () => setQuestion(null),
    plan: {
      draftName,
      fields,
      // A retry is left to the server: the first try itself may have made the amount too low.
      check: (input: BidInput) =>
        keys.isOpen(`${formOf(input.form)} ${input.amount}`) ? null : problemWith(product, input, bidder),
      ask({ amount: text, form }: BidInput, goOn: () => void) {
        const read = parseAmount(text);
        const hasJustMoved = justMoved(draft, proposed.current, performance.now());
        if (read.kind !== "amount") return false;
        const { terms } = product;
        const isChanged = terms !== seenTerms.current;
        const doubt = isChanged
          ? bidTexts.changed
          : doubtAbout(product, formOf(form), read.cents, hasJustMoved);
        if (!doubt) return false;
        const action = `Bid ${formOf(form) === "upTo" ? "up to " : ""}${formatMoney(read.cents)}`;
        const confirm = () => {
          seenTerms.current = terms;
          goOn();
        };
        setQuestion({ title: `${action}?`, text: doubt, action, harmless: true, goOn: confirm });
        return true;
      },
      async send(input: BidInput) {
        try {
          placed(input.amount, await place(input));
          return true;
        } catch (error) {
          const failure = bidNotPlaced(error);
          if (serverNow() >= product.endDate) onTooLate(failure);
          else if (isAnswered(error)) throw failure;
          else setUnanswered(failure);
          return false;
        }
      },
    },
  };
}
