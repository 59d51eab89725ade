import { randomUUID } from "node:crypto";
import { unknownZone } from "#domain/deadline.ts";
import { timeZoneNamed } from "#domain/local-time.ts";
import { actorOf, cursorOf, done, signedIn } from "#server/procedures.ts";
import { answerByKey } from "../bidding/answer-by-key.ts";
import { applySaleAct, decideSale } from "./change-sale.ts";
import { disputeCursor, listDisputes, readMine, readSaleOfProduct, readStrikes } from "./queries.ts";
import { answerOffer, offerSecondChance, setSecondChances, withdrawOffer } from "./second-chances.ts";
import { liftStrike } from "./strikes.ts";
import { askToVoid, declineVoid, listVoidRequests } from "./void-requests.ts";
import { voidBids, withdrawBids } from "./withdraw-bids.ts";

export const sales = {
  mine: signedIn.sales.mine.handler(
    async ({ context: { services, session } }) => await readMine(services.database.db, session.userId),
  ),

  ofProduct: signedIn.sales.ofProduct.handler(
    async ({ input, context: { services, session } }) =>
      await readSaleOfProduct(services.database.db, input.productId, session.userId),
  ),

  handOver: signedIn.sales.handOver.handler(async ({ input, context }) => {
    await applySaleAct(context.services, actorOf(context), input.saleId, { kind: "handOver" });
    return done;
  }),

  report: signedIn.sales.report.handler(async ({ input: { saleId, claim }, context }) => {
    await applySaleAct(context.services, actorOf(context), saleId, { kind: "report", claim });
    return done;
  }),

  answer: signedIn.sales.answer.handler(async ({ input, context }) => {
    const { saleId, answer, inDays: days, timeZone } = input;
    const zone = timeZoneNamed(timeZone) ?? unknownZone;
    const act = answer === "later" ? { answer, days, zone } : { answer };
    await applySaleAct(context.services, actorOf(context), saleId, { kind: "answer", ...act });
    return done;
  }),

  offer: signedIn.sales.offer.handler(async ({ input, context }) => {
    await offerSecondChance(context.services, actorOf(context), input);
    return done;
  }),

  withdrawOffer: signedIn.sales.withdrawOffer.handler(async ({ input, context }) => {
    await withdrawOffer(context.services, actorOf(context), input.offerId);
    return done;
  }),

  answerOffer: signedIn.sales.answerOffer.handler(async ({ input: { offerId, accept }, context }) => {
    await answerOffer(context.services, actorOf(context), offerId, accept);
    return done;
  }),

  setSecondChances: signedIn.sales.setSecondChances.handler(async ({ input, context }) => {
    await setSecondChances(context.services, actorOf(context), input.wanted);
    return done;
  }),

  withdrawBids: signedIn.sales.withdrawBids.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { idempotencyKey: key = randomUUID(), ...withdrawal } = input;
    await withdrawBids(services, actorOf(context), { ...withdrawal, key });
    return { bid: await answerByKey(services, { bidderId: session.userId, key }) };
  }),

  askToVoid: signedIn.sales.askToVoid.handler(async ({ input, context }) => {
    await askToVoid(context.services, actorOf(context), input);
    return done;
  }),

  voidBids: signedIn.sales.voidBids.handler(async ({ input, context }) => {
    await voidBids(context.services, actorOf(context), input);
    return done;
  }),

  declineVoid: signedIn.sales.declineVoid.handler(async ({ input, context }) => {
    await declineVoid(context.services, actorOf(context), input.requestId, input.reason);
    return done;
  }),

  voidRequests: signedIn.sales.voidRequests.handler(async ({ context }) => ({
    requests: await listVoidRequests(context.services.database.db),
  })),

  disputes: signedIn.sales.disputes.handler(async ({ input, context }) => {
    const after = cursorOf(input.cursor, disputeCursor);
    return await listDisputes(context.services.database.db, after, input.limit);
  }),

  decide: signedIn.sales.decide.handler(async ({ input: { saleId, ...decision }, context }) => {
    await decideSale(context.services, actorOf(context), saleId, decision);
    return done;
  }),

  strikes: signedIn.sales.strikes.handler(
    async ({ input, context }) => await readStrikes(context.services.database.db, input.userId),
  ),

  liftStrike: signedIn.sales.liftStrike.handler(async ({ input, context }) => {
    await liftStrike(context.services, actorOf(context), input.strikeId, input.reason);
    return done;
  }),
};
