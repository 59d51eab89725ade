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
      summary: "What you bought, and what is offered to you",
      description:
        "Your purchases with where the handover stands, the latest 50; offers of a second chance; your strikes, and until when they bar you from bidding and selling.",
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
      summary: "Where the handover of an item stands",
      description:
        "For its seller and its buyer, and `offer` for whoever has a second chance; for others everything is null. Wayfare sees no money: it only knows what the two say.",
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
      summary: "Say that an item was handed over",
      description:
        "The sale is settled once both have said so, or one has and the other is silent for 7 days.",
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
        "From 72 hours to 30 days after the sale, and while the other one's “handed over” waits for agreement. The other one has 48 hours to answer. `notPaid` is the seller's, `notAsDescribed` the buyer's.",
    })
    .errors(changes)
    .input(z.object({ saleId: uuid, claim: z.enum(saleClaims) }))
    .output(done),

  answer: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/sales/{saleId}/answer",
      summary: "Answer a report about you",
      description: `\`later\` promises it by the end of the day that is \`inDays\` ahead (at most ${saleTimes.promiseDays}) in \`timeZone\`, an IANA name; like \`done\` it can be said once. After \`untrue\` an administrator decides.`,
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
        "After the sale fell through by its buyer. `amount` is the price that GET /auctions/{productId}/sale states: another one is refused.",
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
        "While it is open. The bidder to whom it was offered is told nothing more, and the item can be offered again.",
    })
    .errors(changes)
    .input(z.object({ offerId: uuid }))
    .output(done),

  answerOffer: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/second-chances/{offerId}/answer",
      summary: "Accept or decline a second chance",
      description: "Accepting makes a sale. Declining costs nothing.",
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
        "Whoever chooses not to is passed over when a sale falls through; offers that are open stay.",
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
        "Your bids on it no longer count. Depending on how this site is set up, you can withdraw only a slip, with `instead` for what you meant in cents, or any bid before the end. `bid` is the bid that was made instead, answered as any other, with its receipt; it is null if what you meant is no longer enough. `already-exists`: the Idempotency-Key was used for another bid.",
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
      summary: "Ask an administrator to void somebody's bids on your item",
      description: "`number` is that of one of their bids.",
    })
    .errors(withReason)
    .errors(declared("already-exists"))
    .input(z.object({ productId: uuid, number: z.int32().min(1), reason: formText }))
    .output(done),

  voidBids: guarded({ who: "admin", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/voiding",
      summary: "Void somebody's bids, as an admin",
      description:
        "All bids on this item of whoever made the bid with this `number`. Everyone reads the reason in the item's history.",
    })
    .errors(withReason)
    .input(z.object({ productId: uuid, number: z.int32().min(1), reason: formText }))
    .output(done),

  declineVoid: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/void-requests/{requestId}/refusal",
      summary: "Let bids stay that a seller asked to void",
      description: "The seller reads the reason.",
    })
    .errors(withReason)
    .input(z.object({ requestId: uuid, reason: formText }))
    .output(done),

  voidRequests: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/void-requests",
      summary: "Requests to void bids",
      description: "Those of sellers that admins have yet to answer, the oldest first.",
    })
    .output(z.object({ requests: z.array(voidRequest) })),

  disputes: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/disputes",
      summary: "Disputed sales",
      description: "Those that admins have yet to decide about, the oldest first.",
    })
    .input(z.object({ ...pageOf(adminRowsPerPage) }))
    .output(z.object({ disputes: z.array(dispute), next: z.string().nullable() })),

  decide: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/disputes/{saleId}/decision",
      summary: "Decide about a disputed sale",
      description:
        "`end` is what becomes of it. Whoever is at fault gets a strike: the one who was reported, or a reporter whose report is false. Both read the reason.",
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
      summary: "Strikes of an account",
      description: "All of them, the newest first, with those that were lifted.",
    })
    .errors(declared("not-found"))
    .input(z.object({ userId: id }))
    .output(z.object({ strikes: z.array(strike), barredUntil: z.date().nullable() })),

  liftStrike: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/strikes/{strikeId}/lifting",
      summary: "Lift a strike",
      description: "Its account reads the reason.",
    })
    .errors(withReason)
    .input(z.object({ strikeId: uuid, reason: formText }))
    .output(done),
};
