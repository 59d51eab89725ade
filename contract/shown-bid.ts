import { z } from "zod";
import { cents } from "./base.ts";
import { milliseconds } from "./listed-products.ts";

/**
 * One bid as everyone sees it. `tag` identifies the bidder on this product's page only. `automatic`: a limit led to it.
 * `counts` is false once an admin has closed the bidder's account before the end, or for the reason in `void`: their
 * bids were withdrawn, or a withdrawal since has left the price below it (`superseded`). A `row` isn't a bid: this
 * bidder's earlier bids were withdrawn, or voided for an administrator's `reason`, and `amount` is the price since, or
 * 0.
 */
export const bid = z
  .object({
    number: z.number().int(),
    bidder: z.string(),
    tag: z.string(),
    amount: cents,
    automatic: z.boolean(),
    at: z.date(),
    counts: z.boolean(),
    row: z.enum(["withdrawn", "voided"]).optional(),
    void: z.enum(["withdrawn", "superseded"]).optional(),
    reason: z.string().optional(),
  })
  .meta({ title: "Bid" });
export type Bid = z.infer<typeof bid>;
/** A bid in a `ProductState`. */
export const shownBid = bid.extend({ at: milliseconds });
export type ShownBid = z.infer<typeof shownBid>;
