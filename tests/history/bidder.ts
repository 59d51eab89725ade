import { z } from "zod";
import type { BidForm } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import type { Operation, OperationAnswer } from "./operation.ts";

/** Somebody who is signed in. */
export type Bidder = { id: string; cookie: string };
/** A bid to send. `amount` is in cents, or null for an invalid one. */
export type Wish = { productId: string; key: string; form: BidForm; amount: Cents | null };

const body = z.object({
  json: z.object({
    number: z.number().optional(),
    amount: z.number().optional(),
    at: z.string().optional(),
    leading: z.boolean().optional(),
    least: z.number().optional(),
    code: z.string().optional(),
    data: z.object({ least: z.number().optional(), at: z.string().optional() }).nullish(),
  }),
});
type Body = z.infer<typeof body>["json"];

type Data = { least?: number | undefined; at?: string | undefined };

/** Translates the code of a refusal. */
const refusals: Record<string, (data: Data) => OperationAnswer> = {
  "out-of-range": ({ least }) => (least === undefined ? { kind: "tooHigh" } : { kind: "tooLow", least }),
  "failed-precondition": ({ at = "" }) => ({ kind: "ended", at: Date.parse(at) }),
  "permission-denied": () => ({ kind: "ownProduct" }),
  "invalid-argument": () => ({ kind: "notAnAmount" }),
  "already-exists": () => ({ kind: "keyReused" }),
};

function answerOf({
  number,
  amount,
  at,
  leading,
  least,
  code = "an answer without a code",
  data,
}: Body): OperationAnswer {
  if (at !== undefined && number !== undefined && amount !== undefined && least !== undefined)
    return { kind: "accepted", number, amount, at: Date.parse(at), leading: leading === true, least };
  return refusals[code]?.(data ?? {}) ?? { kind: "unknown", why: code };
}

async function ask(url: string, { cookie }: Bidder, { productId, key, form, amount }: Wish) {
  const response = await fetch(`${url}/rpc/auctions/bid`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie },
    body: JSON.stringify({ json: { productId, form, amount: amount ?? "twelve", idempotencyKey: key } }),
  });
  return answerOf(body.parse(await response.json()).json);
}

/** Sends a bid to a server and records the result; after a broken connection the result is unknown. */
export async function sendBid(url: string, bidder: Bidder, wish: Wish): Promise<Operation> {
  const sentAt = performance.now();
  const answer = await ask(url, bidder, wish).catch(
    (error: unknown): OperationAnswer => ({ kind: "unknown", why: String(error) }),
  );
  return { ...wish, bidderId: bidder.id, sentAt, answeredAt: performance.now(), answer };
}
