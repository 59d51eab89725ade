import { z } from "zod";
import { saleAnswers, saleClaims, saleKinds, saleSides, saleStates } from "#domain/sale.ts";
import { cents } from "./base.ts";

const side = z.enum(saleSides);

/** The results of a user's sales (`recordText`). */
export const saleRecord = z
  .object({ handedOver: z.number().int(), of: z.number().int(), medianDays: z.number().nullable() })
  .meta({ title: "SaleRecord" });

const report = z
  .object({
    by: side,
    claim: z.enum(saleClaims),
    at: z.date(),
    answer: z.enum([...saleAnswers, "settled"]).nullable(),
  })
  .meta({ title: "SaleReport" });

/** The state of a sale, as both its sides see it. `dueAt` is when silence or a broken promise decides. */
export const saleStanding = z
  .object({
    kind: z.enum(saleKinds),
    state: z.enum(saleStates),
    sellerSaidAt: z.date().nullable(),
    buyerSaidAt: z.date().nullable(),
    report: report.nullable(),
    dueAt: z.date().nullable(),
    fault: side.nullable(),
  })
  .meta({ title: "SaleStanding" });
export type SaleStanding = z.infer<typeof saleStanding>;

/** A sale as one of its two sides sees it. `reason` is an administrator's; `may` says what this side can do now. */
export const sale = saleStanding
  .extend({
    id: z.string(),
    productId: z.string(),
    productName: z.string(),
    side,
    amount: cents,
    madeAt: z.date(),
    /** The other side's name and record; null once their account is deleted. */
    other: z.object({ name: z.string(), record: saleRecord }).nullable(),
    reason: z.string(),
    may: z.object({
      handOver: z.boolean(),
      claims: z.array(z.enum(saleClaims)),
      answers: z.array(z.enum(saleAnswers)),
    }),
  })
  .meta({ title: "Sale" });
export type SaleView = z.infer<typeof sale>;

/** An offer of a second chance to the caller. */
export const offer = z
  .object({
    id: z.string(),
    productId: z.string(),
    productName: z.string(),
    amount: cents,
    until: z.date(),
  })
  .meta({ title: "SecondChance" });
export type OfferView = z.infer<typeof offer>;

/** The seller's second chances: the open one, or the next bidder with the price. */
export const sellersOffer = z
  .object({
    open: z.object({ id: z.string(), name: z.string(), amount: cents, until: z.date() }).nullable(),
    next: z.object({ name: z.string(), amount: cents }).nullable(),
    /** Why nobody can be offered it. */
    why: z.string(),
  })
  .meta({ title: "SecondChances" });
export type SecondChanceOffer = z.infer<typeof sellersOffer>;

export const strike = z
  .object({
    id: z.string(),
    productId: z.string(),
    productName: z.string(),
    at: z.date(),
    until: z.date(),
    liftedAt: z.date().nullable(),
    reason: z.string(),
  })
  .meta({ title: "Strike" });
export type StrikeView = z.infer<typeof strike>;

export const dispute = z
  .object({
    id: z.string(),
    productId: z.string(),
    productName: z.string(),
    amount: cents,
    madeAt: z.date(),
    report,
    seller: z.object({ id: z.string(), name: z.string() }).nullable(),
    buyer: z.object({ id: z.string(), name: z.string() }).nullable(),
    sellerSaidAt: z.date().nullable(),
    buyerSaidAt: z.date().nullable(),
  })
  .meta({ title: "Dispute" });
export type Dispute = z.infer<typeof dispute>;

export const voidRequest = z
  .object({
    id: z.string(),
    productId: z.string(),
    productName: z.string(),
    bidder: z.string(),
    /** The latest bid that it is about; null once no bid of the bidder counts. */
    number: z.number().int().nullable(),
    amount: cents,
    reason: z.string(),
    at: z.date(),
  })
  .meta({ title: "VoidRequest" });
export type VoidRequest = z.infer<typeof voidRequest>;
