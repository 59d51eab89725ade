import { z } from "zod";
import { roles } from "#domain/account.ts";
import { currencies } from "#domain/currency.ts";
import {
  conditionKinds,
  conditionMarks,
  conditionStates,
  offerLimits,
  offerRanks,
  offerStates,
} from "#domain/offer.ts";
import { offersPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, id, pageOf, text } from "./base.ts";
import { deadline, deadlineForm } from "./deadline.ts";
import { linkModes } from "./documents.ts";
import { enteredBy } from "./entered-by.ts";
import { declared } from "./errors.ts";

const offerState = z.enum(offerStates);
const amountText = "Amount in the currency's smallest unit: 400000 in GBP is 4,000 pounds.";
const paidOnText = "The day on which the deposit was paid, as YYYY-MM-DD.";
const startDateText = "The day on which the course starts, as YYYY-MM-DD.";

/** `claim` is the student's text about it; `reason` says why it was waived or sent back. */
const condition = z
  .object({
    id: z.string(),
    text: z.string(),
    kind: z.enum(conditionKinds),
    due: deadline.nullable(),
    state: z.enum(conditionStates),
    claim: z.string(),
    reason: z.string(),
  })
  .meta({ title: "OfferCondition" });
export type OfferCondition = z.infer<typeof condition>;

const letter = z
  .object({ name: z.string(), type: z.string(), size: z.number().int(), uploadedAt: z.date() })
  .meta({ title: "OfferLetter" });

const offer = z
  .object({
    conditions: z.array(condition),
    replyBy: deadline.nullable(),
    deposit: z
      .object({
        amount: z.number().int().meta({ description: amountText }),
        currency: z.enum(currencies),
        due: deadline.nullable(),
        /** Null if it isn't marked as paid. */
        paid: z.object({ on: z.string().meta({ description: paidOnText }), by: enteredBy }).nullable(),
      })
      .nullable(),
    startDate: z.string().nullable().meta({ description: startDateText }),
    rank: z.enum(offerRanks).nullable(),
    letter: letter.nullable(),
    updatedAt: z.date(),
  })
  .meta({ title: "Offer" });
export type Offer = z.infer<typeof offer>;

const conditionForm = z
  .object({
    id: id.nullable().default(null).meta({ description: "Null for a new condition." }),
    text: formText,
    kind: z.enum(conditionKinds),
    due: deadlineForm.nullable().default(null),
  })
  .meta({ title: "NewOfferCondition" });

const offerForm = z
  .object({
    // A list that is a little too long is refused with a message.
    conditions: z
      .array(conditionForm)
      .max(2 * offerLimits.conditions)
      .default([]),
    replyBy: deadlineForm.nullable().default(null),
    deposit: z
      .object({
        amount: z.number().int().meta({ description: amountText }),
        currency: z.enum(currencies),
        due: deadlineForm.nullable().default(null),
      })
      .nullable()
      .default(null),
    startDate: text(10).nullable().default(null).meta({ description: startDateText }),
  })
  .meta({ title: "NewOffer" });

const waitingOffer = z
  .object({
    applicationId: z.string(),
    student: z.object({ id: z.string(), name: z.string() }).meta({ title: "Person" }),
    program: z.string(),
    intake: z.string(),
    university: z.string(),
    year: z.number().int().nullable(),
    state: offerState,
    replyBy: deadline.nullable(),
    rank: z.enum(offerRanks).nullable(),
    /** The number of its conditions, of those that are met or waived, and of those that the student claims are met. */
    conditions: z.object({ all: z.number().int(), settled: z.number().int(), claimed: z.number().int() }),
  })
  .meta({ title: "OfferToAnswer" });
export type WaitingOffer = z.infer<typeof waitingOffer>;

/**
 * Offers of places, for their student, the assigned agent and admins (docs/product.md, "Offers"). Everyone else gets
 * none.
 */
export const offers = {
  /** `mover`: the role in which the caller acts. `version` is the application's, named by every change of the offer. */
  ofApplication: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/applications/{applicationId}/offer",
      summary: "Get the offer that an application received",
      description:
        "`offer` is null until its details are entered. `version` is that of the application; send the one that you read here when you save the offer.",
    })
    .errors(declared("not-found"))
    .input(z.object({ applicationId: id }))
    .output(
      z.object({
        mover: z.enum(roles),
        state: z.string(),
        version: z.number().int(),
        /** The zone of an applicant's own deadlines, an IANA name. */
        studentZone: z.string(),
        offer: offer.nullable(),
      }),
    ),

  save: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/applications/{applicationId}/offer",
      summary: "Enter or change an offer",
      description:
        "If `to` is set, the application moves to that state in the same transaction. `version` is that of the application as you saw it. You can change or omit only open conditions, and change a deposit only while it isn't marked as paid. `failed-precondition`: the application or a condition has changed in the meantime, or the application has no open offer.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        applicationId: id,
        version: z.number().int(),
        to: offerState.optional(),
        note: formText,
        offer: offerForm,
      }),
    )
    .output(done),

  mark: guarded({ who: "staff" })
    .route({
      method: "POST",
      path: "/offer-conditions/{conditionId}/marks",
      summary: "Mark a condition as met or waived, or reopen it",
      description:
        "`seen` is the state that you saw. Waiving or reopening a condition requires a `reason`, which the student reads. `failed-precondition`: the condition has changed in the meantime.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        conditionId: id,
        seen: z.enum(conditionStates),
        mark: z.enum(conditionMarks),
        reason: formText,
      }),
    )
    .output(done),

  markDeposit: guarded({ who: "staff" })
    .route({
      method: "PUT",
      path: "/applications/{applicationId}/offer/deposit/payment",
      summary: "Mark the deposit of an offer as paid or unpaid",
      description:
        "`paidOn` is the day on which the deposit was paid, or null to mark it as unpaid. `seen` is the day that you saw, or null. `failed-precondition`: the deposit has changed in the meantime, the offer requires none, or the application no longer has an offer.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        applicationId: id,
        seen: text(10).nullable().meta({ description: paidOnText }),
        paidOn: text(10).nullable().meta({ description: paidOnText }),
      }),
    )
    .output(done),

  /** Claims that a condition is met. `failed-precondition`: it is not open any more. */
  claim: guarded({ who: "student" })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ conditionId: id, text: formText }))
    .output(done),

  /** Declines the offer that the student saw, by the application's `version`. The application is then withdrawn. */
  decline: guarded({ who: "student" })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ applicationId: id, version: z.number().int() }))
    .output(done),

  /** Ranks an open offer. Another offer that had the rank loses it. */
  rank: guarded({ who: "student" })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ applicationId: id, rank: z.enum(offerRanks).nullable() }))
    .output(done),

  /** Returns an address of the letter, for 5 minutes and only this session. The audit log records each use. */
  letterLink: guarded({ who: "signedIn" })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ applicationId: id, mode: z.enum(linkModes) }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  /** `total` and `overdue` count all offers; only the first page has them. */
  toAnswer: guarded({ who: "staff" })
    .route({
      method: "GET",
      path: "/offers/to-answer",
      summary: "List open offers by reply-by date",
      description:
        "Returns the offers of an agent's students or, for an admin, all offers. Those with the earliest reply-by date come first, and those without one last.",
    })
    .input(z.object({ ...pageOf(offersPerPage) }))
    .output(
      z.object({
        offers: z.array(waitingOffer),
        total: z.number().int().nullable(),
        overdue: z.number().int().nullable(),
        next: z.string().nullable(),
      }),
    ),
};
