import { z } from "zod";
import { auctionStates } from "#domain/auction.ts";
import { pairSigns } from "#domain/pair.ts";
import { reportOutcomes, reportReasons, reportSubjects } from "#domain/trade-report.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { done, formText, guarded, pageOf, uuid } from "./base.ts";
import { declared } from "./errors.ts";

const person = z
  .object({ id: z.string(), name: z.string(), email: z.string() })
  .meta({ title: "ReportedPerson" });

/** `product` is null once the item is erased, `account` and `reporter` once the account is. */
const report = z
  .object({
    id: z.string(),
    subject: z.enum(reportSubjects),
    reason: z.enum(reportReasons),
    text: z.string(),
    at: z.date(),
    product: z.object({ id: z.string(), name: z.string(), state: z.enum(auctionStates) }).nullable(),
    /** The reported question; null for other subjects, and once it is erased. */
    question: z
      .object({ id: z.string(), text: z.string(), answer: z.string().nullable(), isHidden: z.boolean() })
      .nullable(),
    account: person.nullable(),
    reporter: person.nullable(),
    answer: z
      .object({ outcome: z.enum(reportOutcomes), text: z.string(), at: z.date(), by: z.string() })
      .nullable(),
  })
  .meta({ title: "Report" });
export type Report = z.infer<typeof report>;

/** A bidder and a seller: `common` of the bidder's `all` auctions were this seller's; `narrow` lost by under 5%. */
const pair = z
  .object({
    seller: person,
    bidder: person,
    common: z.number().int(),
    all: z.number().int(),
    won: z.number().int(),
    narrow: z.number().int(),
    signs: z.array(z.enum(pairSigns)),
  })
  .meta({ title: "BiddingPair" });
export type BiddingPair = z.infer<typeof pair>;

/** Reports of items and of users who trade, and pairs that admins review. */
export const tradeReports = {
  /**
   * Reports an item, its seller, for the seller its buyer, or a question about it that the caller can read.
   * `permission-denied`: it is the caller's own. `already-exists`: the caller's report of this is still open.
   */
  send: guarded({ who: "signedIn", audited: [] })
    .errors(declared("not-found", "already-exists", "form/incomplete"))
    .input(
      z.object({
        subject: z.enum(reportSubjects),
        productId: uuid,
        /** The question, if that is the subject. */
        questionId: uuid.optional(),
        reason: z.enum(reportReasons),
        text: formText,
      }),
    )
    .output(done),

  list: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/trade-reports",
      summary: "List reports of items and people",
      description:
        "Returns open reports, oldest first, or answered reports, latest answer first. `account` is the person whom a report is about, such as the seller of a reported item or the author of a reported question. Answered reports are kept for a year.",
    })
    .input(z.object({ show: z.enum(["open", "answered"]).default("open"), ...pageOf(adminRowsPerPage) }))
    .output(z.object({ reports: z.array(report), next: z.string().nullable() })),

  answer: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/trade-reports/{reportId}/answers",
      summary: "Answer a report",
      description:
        "The reporter is notified of the answer. Nothing else happens: removing the item or disabling the account takes a separate call. `failed-precondition`: the report has already been answered.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ reportId: uuid, outcome: z.enum(reportOutcomes), answer: formText }))
    .output(done),

  pairs: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/bidding-pairs",
      summary: "List pairs of bidder and seller to review",
      description:
        "Returns pairs that met in at least three auctions of the last 180 days and show at least two signs that the bids may not be genuine. A sign is no proof, and has no consequences. `common` counts the auctions of this seller that the bidder bid on, `all` counts all auctions that the bidder bid on, and `narrow` counts the auctions of this seller that the bidder lost by less than 5%. At most 100 pairs are returned, those with the most signs first.",
    })
    .errors(declared("deadline-exceeded"))
    .input(z.object({}))
    .output(z.object({ pairs: z.array(pair) })),
};
