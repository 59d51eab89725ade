import {
  type Head,
  type HeadSignature,
  type HistoryRow,
  type KeptReceipt,
  termsText,
} from "./bid-history.ts";
import type { Cents } from "./money.ts";

/** The lines of a history and the file of receipts, read from their texts without trust in what they say. */
export type Terms = {
  chained: true;
  text: string;
  productId: string;
  startingBid: Cents;
  firstHash: string;
  head: Head & HeadSignature;
};
export type UnchainedTerms = { chained: false; productId: string };
export type Row = HistoryRow & { hash: string | null };

const hashForm = /^[0-9a-f]{64}$/;
const signatureForm = /^[A-Za-z0-9+/]{86}==$/;
const wordForm = /^[\w-]{1,64}$/;

const textIn = (value: unknown, form: RegExp): string | null =>
  typeof value === "string" && form.test(value) ? value : null;
const countIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
function timeIn(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const time = new Date(value);
  // Another spelling of the moment would be another text.
  return !Number.isNaN(time.getTime()) && time.toISOString() === value ? time : null;
}

function fieldsIn(line: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return fieldsOf(value);
  } catch {
    return null;
  }
}
const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : null;

function signedHeadIn(value: unknown): (Head & HeadSignature) | null {
  const fields = fieldsOf(value);
  const number = countIn(fields?.get("number"));
  const hash = textIn(fields?.get("hash"), hashForm);
  const keyId = textIn(fields?.get("keyId"), wordForm);
  const signature = textIn(fields?.get("signature"), signatureForm);
  if (number === null || hash === null || keyId === null || signature === null) return null;
  return { number, hash, keyId, signature };
}

export function termsIn(line: string): Terms | UnchainedTerms | null {
  const fields = fieldsIn(line);
  const productId = textIn(fields?.get("productId"), wordForm);
  if (productId !== null && fields?.get("chained") === false) return { chained: false, productId };
  const sellerTag = textIn(fields?.get("sellerTag"), wordForm);
  const startingBid = countIn(fields?.get("startingBid"));
  const plannedEnd = timeIn(fields?.get("plannedEnd"));
  const softClose = fields?.get("softClose");
  const rules = countIn(fields?.get("rules"));
  const firstHash = textIn(fields?.get("firstHash"), hashForm);
  const head = signedHeadIn(fields?.get("head"));
  if (productId === null || sellerTag === null || startingBid === null || plannedEnd === null) return null;
  if (typeof softClose !== "boolean" || rules === null || firstHash === null || head === null) return null;
  const text = termsText({ productId, sellerTag, startingBid, plannedEnd, softClose, rules });
  return { chained: true, text, productId, startingBid, firstHash, head };
}

export function rowIn(line: string): Row | null {
  const fields = fieldsIn(line);
  const number = countIn(fields?.get("number"));
  const at = timeIn(fields?.get("at"));
  const tag = textIn(fields?.get("tag"), wordForm);
  const amount = countIn(fields?.get("amount"));
  const kind = textIn(fields?.get("kind"), wordForm);
  const commitment = textIn(fields?.get("commitment"), hashForm);
  const hash = textIn(fields?.get("hash"), hashForm);
  if (number === null || at === null || tag === null || amount === null || kind === null) return null;
  if (commitment === null && fields?.get("commitment") !== null) return null;
  if (hash === null && fields?.get("hash") !== null) return null;
  return { number, at, tag, amount, kind, commitment, hash };
}

/** Splits a stream of bytes into its lines; the last one needs no end. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Reads the receipts in the text of a file; none if it is no such file. */
export function receiptsIn(text: string): KeptReceipt[] {
  const receipts = fieldsIn(text)?.get("receipts");
  if (!Array.isArray(receipts)) return [];
  return receipts.map(receiptOf).filter((receipt) => receipt !== null);
}

function receiptOf(value: unknown): KeptReceipt | null {
  const fields = fieldsOf(value);
  const productId = textIn(fields?.get("productId"), wordForm);
  const number = countIn(fields?.get("number"));
  const hash = textIn(fields?.get("hash"), hashForm);
  const { keyId, signature } = Object.fromEntries(fields ?? []);
  const head = signedHeadIn({ ...Object(fields?.get("head")), keyId, signature });
  const salt = textIn(fields?.get("salt"), /^[0-9a-f]{32}$/);
  const limit = countIn(fields?.get("limit"));
  const moved = movedIn(fields?.get("moved"));
  if (productId === null || number === null || hash === null || head === null) return null;
  if (moved === null && (fields?.get("moved") ?? null) !== null) return null;
  return {
    productId,
    number,
    hash,
    head: { number: head.number, hash: head.hash },
    keyId: head.keyId,
    signature: head.signature,
    salt,
    moved,
    limit: salt === null ? null : limit,
  };
}

function movedIn(value: unknown): KeptReceipt["moved"] {
  const fields = fieldsOf(value);
  const tag = textIn(fields?.get("tag"), wordForm);
  const at = timeIn(fields?.get("at"));
  const commitment = textIn(fields?.get("commitment"), hashForm);
  const signature = textIn(fields?.get("signature"), signatureForm);
  if (tag === null || at === null || commitment === null || signature === null) return null;
  return { tag, at, commitment, signature };
}
