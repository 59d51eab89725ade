import { z } from "zod";
import { auctionLimits, auctionTexts, categories, grades } from "#domain/auction.ts";
import { draftFields } from "#domain/item-draft.ts";
import { questionsPerPage } from "#protocol/page-sizes.ts";
import { cents, done, guarded, longFormText, open, pageOf, text, uuid } from "./base.ts";
import { declared } from "./errors.ts";
import { deniedOnly, picture, productId } from "./listed-products.ts";

/** The texts of the upload form; missing ones are empty. */
const draftForm = z.object(
  Object.fromEntries(draftFields.map((field) => [field, z.string()])) as Record<
    (typeof draftFields)[number],
    z.ZodString
  >,
);
const draft = z
  .object({
    id: z.string(),
    form: draftForm,
    pictures: z.array(picture),
    changedAt: z.date(),
    /** Whether it is a copy of an ended product. */
    isCopy: z.boolean(),
  })
  .meta({ title: "ItemDraft" });
export type ItemDraft = z.infer<typeof draft>;

/** A question with its answer, as everyone sees it; the asker's name is masked. */
const question = z
  .object({
    id: z.string(),
    asker: z.string(),
    text: z.string(),
    at: z.date(),
    answer: z.string(),
    answeredAt: z.date(),
  })
  .meta({ title: "Question" });
export type Question = z.infer<typeof question>;

/** A question without an answer, as its asker and the seller see it. */
const openQuestion = z
  .object({ id: z.string(), asker: z.string(), isOwn: z.boolean(), text: z.string(), at: z.date() })
  .meta({ title: "OpenQuestion" });
export type OpenQuestion = z.infer<typeof openQuestion>;

/**
 * The outcome of a row of a CSV file. `row` is its number in a spreadsheet, where the headings are row 1. `new`: it
 * would be listed. `listed`, with the product's id: it is listed now, or was listed by the same row earlier (`before`).
 */
const rowOutcome = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("new"),
    row: z.number().int(),
    name: z.string(),
    pictures: z.array(z.string()),
  }),
  z.object({
    kind: z.literal("listed"),
    row: z.number().int(),
    name: z.string(),
    productId: z.string(),
    before: z.boolean(),
  }),
  z.object({ kind: z.literal("refused"), row: z.number().int(), name: z.string(), message: z.string() }),
]);
export type RowOutcome = z.infer<typeof rowOutcome>;

/** A time in a body. Programs send it as text, since JSON has no dates. */
const momentOfBody = z.coerce.date<Date | string>().min(new Date(0)).max(new Date("9999-12-31"));

/** A CSV file's text and the zone of its times. */
const csvFile = { file: text(600_000), timeZone: text(100) };
const fileName = text(300);

const figures = z.object({ count: z.number().int(), sum: cents });

/** Selling: listing and changing items, drafts, and questions to sellers (docs/product.md, "Auctions"). */
export const selling = {
  /**
   * `images` are ids of pictures that POST /files/auction-pictures returned, in their order. `draftId` is the draft
   * that becomes the product.
   */
  create: guarded({
    who: "signedIn",
    audited: [],
    limit: "own",
    visitorMessage: auctionTexts.loginToUpload,
  })
    .errors(declared("form/incomplete", "not-found"))
    .input(
      z.object({
        productName: longFormText,
        description: longFormText,
        startingBid: longFormText,
        category: longFormText,
        subcategory: longFormText,
        grade: longFormText,
        handover: longFormText,
        collectionPlace: longFormText,
        courier: longFormText,
        endDate: z.date().nullable().default(null),
        softClose: z.boolean().default(true),
        images: z.array(uuid).max(50).default([]),
        draftId: uuid.optional(),
      }),
    )
    .output(z.object({ id: z.string() })),

  /** Changes an item until its first bid. Omitted fields stay as they are. */
  edit: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/changes",
      summary: "Change your item",
      description:
        "You can change an item until its first bid. Omitted fields keep their values. The checks are the same as for listing an item. `courier` is in cents: 0 means free, and null means no courier. `failed-precondition`: the item has bids, or its auction has ended.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        productId,
        productName: text(8192).optional(),
        description: text(8192).optional(),
        startingBid: cents.optional(),
        category: z.enum(categories).optional(),
        subcategory: text(40).optional(),
        grade: z.enum(grades).optional(),
        handover: text(8192).optional(),
        collectionPlace: text(8192).optional(),
        courier: cents.nullable().optional(),
        endDate: momentOfBody.optional(),
        softClose: z.boolean().optional(),
        images: z.array(uuid).max(50).optional(),
      }),
    )
    .output(done),

  addToDescription: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "POST",
      path: "/auctions/{productId}/additions",
      summary: "Add to your item's description",
      description:
        "You can add to the description until 12 hours before the end. Everyone who has bid is notified. Additions can't be changed.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ productId, text: longFormText }))
    .output(done),

  /** Copies an ended item's texts and pictures into a draft. */
  sellAgain: guarded({ who: "signedIn", audited: deniedOnly })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ productId }))
    .output(z.object({ draftId: z.string() })),

  ownFigures: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/items/figures",
      summary: "Get the numbers and sums of your items",
      description:
        "Returns how many of your items are open, unsold and sold, with the sum of the highest bids on open items and of the prices of sold items. `sales` has the sold items by the state of the handover of their latest sale.",
    })
    .input(z.object({}))
    .output(
      z
        .object({
          open: figures,
          unsold: z.number().int(),
          sold: figures,
          sales: z.object({
            awaiting: figures,
            handedOver: figures,
            fellThrough: figures,
            disputed: figures,
          }),
        })
        .meta({ title: "OwnFigures" }),
    ),

  drafts: guarded({ who: "signedIn", reads: true })
    .input(z.object({}))
    .output(z.object({ drafts: z.array(draft) })),

  draft: guarded({ who: "signedIn", reads: true })
    .errors(declared("not-found"))
    .input(z.object({ draftId: uuid }))
    .output(draft),

  /** Saves a form as a draft, under its former id if it has one. */
  saveDraft: guarded({ who: "signedIn" })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        draftId: uuid.optional(),
        form: z.partialRecord(z.enum(draftFields), text(8192)),
        images: z.array(uuid).max(auctionLimits.images),
      }),
    )
    .output(z.object({ draftId: z.string() })),

  dropDraft: guarded({ who: "signedIn" })
    .errors(declared("not-found"))
    .input(z.object({ draftId: uuid }))
    .output(done),

  /** Returns what a CSV file would list; nothing changes. `pictures` are the names of the files chosen with it. */
  checkFile: guarded({ who: "signedIn", reads: true })
    .errors(declared("form/incomplete"))
    .input(z.object({ ...csvFile, pictures: z.array(fileName).max(250) }))
    .output(z.object({ rows: z.array(rowOutcome) })),

  /** Lists the items of a CSV file that can be listed. The same row of the same user is listed only once. */
  listFile: guarded({ who: "signedIn", audited: [], limit: "own" })
    .errors(declared("form/incomplete"))
    .input(z.object({ ...csvFile, pictures: z.array(z.object({ name: fileName, id: uuid })).max(250) }))
    .output(z.object({ rows: z.array(rowOutcome) })),

  questions: open
    .route({
      method: "GET",
      path: "/auctions/{productId}/questions",
      summary: "List the answered questions about an item",
      description:
        "Returns questions with their answers, newest answer first. The names of askers are masked.",
    })
    .errors(declared("not-found"))
    .input(z.object({ productId, ...pageOf(questionsPerPage) }))
    .output(z.object({ questions: z.array(question), next: z.string().nullable() })),

  openQuestions: guarded({ who: "signedIn", audited: deniedOnly })
    .route({
      method: "GET",
      path: "/auctions/{productId}/open-questions",
      summary: "List the unanswered questions about an item",
      description:
        "Returns questions, oldest first, at most 100. The seller gets all of them, everyone else only their own.",
    })
    .errors(declared("not-found"))
    .input(z.object({ productId }))
    .output(z.object({ questions: z.array(openQuestion) })),

  ask: guarded({ who: "signedIn", audited: deniedOnly, limit: "own" })
    .route({
      method: "POST",
      path: "/auctions/{productId}/questions",
      summary: "Ask the seller",
      description:
        "A question has at most 500 characters. You can ask 20 questions a day, until the end of the auction. Everyone sees a question once it is answered.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ productId, text: longFormText }))
    .output(z.object({ id: z.string() })),

  answer: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/questions/{questionId}/answer",
      summary: "Answer a question about your item",
      description:
        "You can answer a question once, until the end of the auction. Everyone then sees the question and the answer.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ questionId: uuid, answer: longFormText }))
    .output(done),

  /** Hides a question and its answer, for a reason that the audit log records. */
  hideQuestion: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/questions/{questionId}/hiding",
      summary: "Hide a question",
      description: "Nobody sees the question and its answer any more. The audit log records the reason.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ questionId: uuid, reason: longFormText }))
    .output(done),
};
