import { z } from "zod";
import { cents } from "./base.ts";

const head = z.object({ number: z.number().int(), hash: z.string() }).meta({ title: "HistoryHead" });
/** A limit that its owner moved, which adds no row to the history. */
const movedLimit = z
  .object({ tag: z.string(), at: z.date(), commitment: z.string(), signature: z.string() })
  .meta({ title: "MovedLimit" });
/** A receipt as domain/bid-history.ts defines it: hashes in hexadecimal, the Ed25519 signature in base64. */
const bidReceipt = z
  .object({
    productId: z.string(),
    number: z.number().int(),
    hash: z.string(),
    head,
    keyId: z.string(),
    signature: z.string(),
    salt: z.string().nullable(),
    moved: movedLimit.nullable(),
  })
  .meta({ title: "BidReceipt" });

/** The response to an accepted bid. */
export const bidAnswer = z.object({
  number: z.number().int(),
  amount: cents,
  at: z.date(),
  leading: z.boolean(),
  least: cents,
  receipt: bidReceipt.nullable(),
});
