import { z } from "zod";
import { unknownZone } from "#domain/deadline.ts";
import { disputeEnds, disputeFaults, saleAnswers, saleClaims, saleTimes } from "#domain/sale.ts";
import { secondChanceRules } from "#domain/second-chance.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { cents, done, formText, guarded, id, pageOf, text, uuid } from "./base.ts";
import { bidAnswer } from "./bid-receipt.ts";
import { declared } from "./errors.ts";
import { deniedOnly } from "./listed-products.ts";
import { dispute, offer, sale, sellersOffer, strike, voidRequest } from "./sale-views.ts";

const changes = declared("not-found", "failed-precondition");
const withReason = declared("not-found", "failed-precondition", "form/incomplete");

/**
 * Calls about the handover after a sale, and about bids that no longer count (docs/product.md, "After the hammer").
 * Every signed-in user may trade.
 */
export const sales = {
  mine: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/sales",
      summary: "List your purchases, your offers and your strikes",
      description:
        "Returns your latest 50 purchases with the state of their handover, the second chances that are offered to you, and your strikes. `barredUntil` is the time until which they bar you from bidding and selling.",
    })
    .output(
      z.object({
        sales: z.array(sale),
        offers: z.array(offer),
        strikes: z.array(strike),
        barredUntil: z.date().nullable(),
        wantsSecondChances: z.boolean(),
      }),
    ),

  /** The caller's part in the sale of a product: null except for its seller, its buyer and the bidder with an offer. */
  ofProduct: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "GET",
      path: "/auctions/{productId}/sale",
      summary: "Get the state of an item's handover",
      description:
        "The item's seller and buyer get `sale`, and whoever has a second chance gets `offer`. For everyone else, everything is null. Wayfare sees no money: it knows only what the two sides say.",
    })
    .errors(declared("not-found"))
    .input(z.object({ productId: uuid }))
    .output(
      z.object({
        sale: sale.nullable(),
        secondChances: sellersOffer.nullable(),
        offer: offer.nullable(),
      }),
    ),

  handOver: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/sales/{saleId}/handover",
      summary: "Confirm that an item was handed over",
      description:
        "The sale is settled once both sides have confirmed, or once one side has confirmed and the other is silent for 7 days.",
    })
    .errors(changes)
    .input(z.object({ saleId: uuid }))
    .output(done),

  report: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/sales/{saleId}/report",
      summary: "Report the other side of a sale",
      description:
        "You can report the other side from 72 hours to 30 days after the sale, and while their confirmation of the handover waits for your agreement. They have 48 hours to answer. Only the seller can claim `notPaid`, and only the buyer `notAsDescribed`.",
    })
    .errors(changes)
    .input(z.object({ saleId: uuid, claim: z.enum(saleClaims) }))
    .output(done),

  answer: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/sales/{saleId}/answer",
      summary: "Answer a report about you",
      description: `With \`later\`, you promise to resolve the matter by the end of the day that is \`inDays\` days ahead (at most ${saleTimes.promiseDays}) in \`timeZone\`, an IANA name. You can answer \`later\` and \`done\` only once each. After \`untrue\`, an administrator decides.`,
    })
    .errors(changes)
    .input(
      z.object({
        saleId: uuid,
        answer: z.enum(saleAnswers),
        inDays: z.number().int().min(1).max(saleTimes.promiseDays).default(1),
        timeZone: text(100).default(unknownZone),
      }),
    )
    .output(done),

  /** `amount` is the price that the page showed, in cents. */
  offer: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/second-chances",
      summary: "Offer an item to the next bidder",
      description:
        "You can offer the item after the sale fell through because of its buyer. `amount` is the price that `GET /auctions/{productId}/sale` returns; any other amount is refused.",
    })
    .errors(changes)
    .input(
      z.object({
        productId: uuid,
        hours: z.literal(secondChanceRules.hours).default(secondChanceRules.hours[0]),
        amount: cents,
      }),
    )
    .output(done),

  withdrawOffer: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/second-chances/{offerId}/withdrawal",
      summary: "Withdraw a second chance that you offered",
      description:
        "You can withdraw an offer while it is open. The bidder is not notified, and you can offer the item again.",
    })
    .errors(changes)
    .input(z.object({ offerId: uuid }))
    .output(done),

  answerOffer: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/second-chances/{offerId}/answer",
      summary: "Accept or decline a second chance",
      description: "If you accept, a sale is made. Declining has no consequences.",
    })
    .errors(changes)
    .input(z.object({ offerId: uuid, accept: z.boolean() }))
    .output(done),

  setSecondChances: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/second-chances/choice",
      summary: "Choose whether you get second chances",
      description:
        "If you choose not to, you are passed over when a sale falls through. Offers that are already open stay.",
    })
    .input(z.object({ wanted: z.boolean() }))
    .output(done),

  /**
   * Returns the bid that was made instead of a slip; null if there is none, since it is no longer enough or the law
   * lets any bid be withdrawn. The key is that bid's: one that was used for another bid is refused (`already-exists`).
   */
  withdrawBids: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/withdrawal",
      summary: "Withdraw your bids on an item",
      description:
        "Your bids on the item no longer count. Depending on how this site is configured, you can withdraw either only a slip, where `instead` is the amount in cents that you meant to bid, or any bid before the end of the auction. `bid` is the bid that was made instead, with its receipt, like the response to any other bid. It is null if the amount that you meant is no longer enough, and where any bid can be withdrawn. `already-exists`: the `Idempotency-Key` was used for another bid.",
    })
    .errors(changes)
    .errors(declared("already-exists"))
    .input(
      z.object({
        productId: uuid,
        instead: cents.positive().nullable().default(null),
        idempotencyKey: uuid.optional(),
      }),
    )
    .output(z.object({ bid: bidAnswer.nullable() })),

  /** `number` is that of a bid in the public history. */
  askToVoid: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/void-requests",
      summary: "Ask an administrator to void a bidder's bids on your item",
      description: "`number` is the number of one of the bidder's bids.",
    })
    .errors(withReason)
    .errors(declared("already-exists"))
    .input(z.object({ productId: uuid, number: z.int32().min(1), reason: formText }))
    .output(done),

  voidBids: guarded({ who: "admin", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/voiding",
      summary: "Void a bidder's bids, as an admin",
      description:
        "Voids all bids on the item by whoever made the bid with this `number`. Everyone can read the reason in the item's history.",
    })
    .errors(withReason)
    .input(z.object({ productId: uuid, number: z.int32().min(1), reason: formText }))
    .output(done),

  declineVoid: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/void-requests/{requestId}/refusal",
      summary: "Decline a seller's request to void bids",
      description: "The bids stay. The seller reads the reason.",
    })
    .errors(withReason)
    .input(z.object({ requestId: uuid, reason: formText }))
    .output(done),

  voidRequests: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/void-requests",
      summary: "List requests to void bids",
      description:
        "Returns the requests of sellers that admins have not answered yet, oldest first, at most 50.",
    })
    .output(z.object({ requests: z.array(voidRequest) })),

  disputes: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/disputes",
      summary: "List disputed sales",
      description: "Returns the sales that admins have not decided about yet, oldest first.",
    })
    .input(z.object({ ...pageOf(adminRowsPerPage) }))
    .output(z.object({ disputes: z.array(dispute), next: z.string().nullable() })),

  decide: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/disputes/{saleId}/decision",
      summary: "Decide a disputed sale",
      description:
        "`end` is the outcome of the sale. The side at `fault` gets a strike: the one who was reported, or the reporter if the report is false. Both sides read the reason.",
    })
    .errors(withReason)
    .input(
      z.object({
        saleId: uuid,
        end: z.enum(disputeEnds),
        fault: z.enum(disputeFaults),
        reason: formText,
      }),
    )
    .output(done),

  strikes: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/accounts/{userId}/strikes",
      summary: "List the strikes of an account",
      description: "Returns the latest 50 strikes, newest first, including those that were lifted.",
    })
    .errors(declared("not-found"))
    .input(z.object({ userId: id }))
    .output(z.object({ strikes: z.array(strike), barredUntil: z.date().nullable() })),

  liftStrike: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/strikes/{strikeId}/lifting",
      summary: "Lift a strike",
      description: "The account holder reads the reason.",
    })
    .errors(withReason)
    .input(z.object({ strikeId: uuid, reason: formText }))
    .output(done),
};
