import { z } from "zod";
import type { BidForm } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import type { Operation, OperationAnswer, Voiding } from "./operation.ts";

/** A signed-in user. */
export type Bidder = { id: string; cookie: string };
/** A bid to send. `amount` is in cents, or null for an invalid one. */
export type BidRequest = { productId: string; key: string; form: BidForm; amount: Cents | null };

const refusalOrBid = z.object({
  number: z.number().optional(),
  amount: z.number().optional(),
  at: z.string().optional(),
  leading: z.boolean().optional(),
  least: z.number().optional(),
  code: z.string().optional(),
  data: z.object({ least: z.number().optional(), at: z.string().optional() }).nullish(),
});
type Body = z.infer<typeof refusalOrBid>;
const withdrawn = z.object({ bid: refusalOrBid.nullish(), code: z.string().optional() });
const voided = z.object({ done: z.boolean().optional(), code: z.string().optional() });

type Data = { least?: number | undefined; at?: string | undefined };

/** Translates the code of a refusal into an answer. */
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

/** Calls a procedure and parses its answer. */
async function call<Answer>(
  url: string,
  { cookie }: Bidder,
  procedure: string,
  input: object,
  form: z.ZodType<Answer>,
): Promise<Answer> {
  const response = await fetch(`${url}/rpc/${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie },
    body: JSON.stringify({ json: input }),
  });
  return z.object({ json: form }).parse(await response.json()).json;
}

/** Times a call. After a broken connection its answer is unknown. */
async function timed(ask: () => Promise<OperationAnswer>) {
  const sentAt = performance.now();
  const answer = await ask().catch(
    (error: unknown): OperationAnswer => ({ kind: "unknown", why: String(error) }),
  );
  return { sentAt, answeredAt: performance.now(), answer };
}

/** Sends a bid to a server and records the result. */
export async function sendBid(url: string, bidder: Bidder, bidRequest: BidRequest): Promise<Operation> {
  const { productId, key, form, amount } = bidRequest;
  const input = { productId, form, amount: amount ?? "twelve", idempotencyKey: key };
  const times = await timed(async () =>
    answerOf(await call(url, bidder, "auctions/bid", input, refusalOrBid)),
  );
  return { ...bidRequest, bidderId: bidder.id, ...times };
}

/** Withdraws a bidder's slip in favour of the intended bid, and records the result. */
export async function sendCorrection(
  url: string,
  bidder: Bidder,
  bidRequest: BidRequest,
): Promise<Operation> {
  const { productId, key, amount: instead } = bidRequest;
  const times = await timed(async () => {
    const input = { productId, instead, idempotencyKey: key };
    const { bid, code } = await call(url, bidder, "sales/withdrawBids", input, withdrawn);
    if (bid) return answerOf(bid);
    if (code === undefined) return { kind: "withdrawn" };
    return code === "failed-precondition" ? { kind: "stays" } : { kind: "unknown", why: code };
  });
  return { ...bidRequest, bidderId: bidder.id, replacesSlip: true, ...times };
}

/** Refusals of an admin who voids bids that have been voided or withdrawn, or whose auction is over. */
const notVoided = new Set(["failed-precondition", "conflict", "not-found"]);

/** Codes that mean that the caller is no admin. */
const noAdmin = new Set(["unauthenticated", "permission-denied"]);

/** Voids, as an admin, all bids of the person who made this bid, and records the result. */
export async function sendVoiding(
  url: string,
  admin: Bidder,
  bid: Pick<Voiding, "productId" | "number">,
): Promise<Voiding> {
  const sentAt = performance.now();
  const input = { ...bid, reason: "A test of bids." };
  const answer = await call(url, admin, "sales/voidBids", input, voided).catch(() => null);
  if (noAdmin.has(answer?.code ?? "")) throw new Error(`the admin can't void bids: ${answer?.code}`);
  const refusal = notVoided.has(answer?.code ?? "") ? "refused" : "unknown";
  return { ...bid, sentAt, answeredAt: performance.now(), answer: answer?.done ? "voided" : refusal };
}
