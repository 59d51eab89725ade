import { bidRefusal, bidTexts } from "#domain/bid.ts";
import { barredText } from "#domain/strike.ts";
import { cursorOf, signedIn, visitor } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { answerByKey } from "./answer-by-key.ts";
import type { BidAnswer } from "./decide-batch.ts";
import { listMyBids, myBidCursor, olderBids, readRelation } from "./queries.ts";

const tooManyRaises = "You've raised your own bid many times in a row. Please wait a moment and try again.";

/** The refusals of bids that were not decided. */
const undecided = {
  notAllowed: () => new Refusal("permission-denied"),
  notFound: () => new Refusal("not-found"),
  keyReused: () => new Refusal("already-exists", { message: bidTexts.keyReused }),
};

/** Returns the declared error of every answer except an accepted bid. */
function refusalOf(answer: Exclude<BidAnswer, { kind: "accepted" }>): Refusal {
  if (answer.kind === "barred")
    return new Refusal("permission-denied", { message: barredText(answer.until) });
  if (answer.kind !== "refused") return undecided[answer.kind]();
  const { at, outcome } = answer;
  const { code, message } = bidRefusal(outcome);
  return new Refusal(code, { message, at, ...(outcome.kind === "tooLow" && { least: outcome.least }) });
}

export const bidding = {
  bid: signedIn.auctions.bid.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { productId, amount: cents, form, idempotencyKey: key, terms } = input;
    const amount = { kind: "amount", cents } as const;
    const attempt = { productId, bidderId: session.userId, form, amount, key, terms };
    // The bid may have been accepted or not, and the log has the reason. A retry with the same key finds out.
    const failed = () => Promise.reject(new Refusal("unavailable", { message: bidTexts.failed }));
    const wait = await services.limits.raise.wait(session.userId, productId);
    if (wait > 0) throw new Refusal("resource-exhausted", { retryAfter: wait, message: tooManyRaises });
    const answer = await services.bids.place(attempt).catch(failed);
    if (answer.kind !== "accepted") throw refusalOf(answer);
    if (answer.isRaise) await services.limits.raise.count(session.userId, productId);
    const { number, at, isLeading: leading, least, receipt } = answer;
    return { number, amount: answer.cents, at, leading, least, receipt };
  }),

  bidByKey: signedIn.auctions.bidByKey.handler(async ({ input, context }) => {
    const { services, session } = context;
    return await answerByKey(services, { bidderId: session.userId, key: input.idempotencyKey });
  }),

  relation: signedIn.auctions.relation.handler(async ({ input, context }) => {
    const { services, session } = context;
    const relation = await readRelation(services, input.productId, session.userId);
    if (!relation) throw new Refusal("not-found");
    return relation;
  }),

  bids: visitor.auctions.bids.handler(async ({ input, context }) => {
    const bids = await olderBids(context.services, input.productId, input.below, input.limit);
    if (!bids) throw new Refusal("not-found");
    return bids;
  }),

  myBids: signedIn.auctions.myBids.handler(async ({ input, context }) => {
    const { services, session } = context;
    const after = cursorOf(input.cursor, myBidCursor);
    return await listMyBids(services.database.db, session.userId, after, input.limit);
  }),
};
