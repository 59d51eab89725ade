import {
  type Head,
  type HeadSignature,
  type HistoryRow,
  type KeptReceipt,
  termsText,
} from "./bid-history.ts";
import type { Cents } from "./money.ts";

/** The first line of a history. Lines and receipts are parsed without trust in their content. */
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

const hashPattern = /^[0-9a-f]{64}$/;
const signaturePattern = /^[A-Za-z0-9+/]{86}==$/;
const wordPattern = /^[\w-]{1,64}$/;

const textIn = (value: unknown, pattern: RegExp): string | null =>
  typeof value === "string" && pattern.test(value) ? value : null;
const countIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
function timeIn(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const time = new Date(value);
  // Another spelling of the same moment would have another hash.
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
  const hash = textIn(fields?.get("hash"), hashPattern);
  const keyId = textIn(fields?.get("keyId"), wordPattern);
  const signature = textIn(fields?.get("signature"), signaturePattern);
  if (number === null || hash === null || keyId === null || signature === null) return null;
  return { number, hash, keyId, signature };
}

export function termsIn(line: string): Terms | UnchainedTerms | null {
  const fields = fieldsIn(line);
  const productId = textIn(fields?.get("productId"), wordPattern);
  if (productId !== null && fields?.get("chained") === false) return { chained: false, productId };
  const sellerTag = textIn(fields?.get("sellerTag"), wordPattern);
  const startingBid = countIn(fields?.get("startingBid"));
  const plannedEnd = timeIn(fields?.get("plannedEnd"));
  const softClose = fields?.get("softClose");
  const rules = countIn(fields?.get("rules"));
  const firstHash = textIn(fields?.get("firstHash"), hashPattern);
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
  const tag = textIn(fields?.get("tag"), wordPattern);
  const amount = countIn(fields?.get("amount"));
  const kind = textIn(fields?.get("kind"), wordPattern);
  const commitment = textIn(fields?.get("commitment"), hashPattern);
  const hash = textIn(fields?.get("hash"), hashPattern);
  if (number === null || at === null || tag === null || amount === null || kind === null) return null;
  if (commitment === null && fields?.get("commitment") !== null) return null;
  if (hash === null && fields?.get("hash") !== null) return null;
  return { number, at, tag, amount, kind, commitment, hash };
}

/** Splits a stream of bytes into its lines. The last one needs no line break. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Parses the receipts in the text of a file. Returns none if it isn't a file of receipts. */
export function receiptsIn(text: string): KeptReceipt[] {
  const receipts = fieldsIn(text)?.get("receipts");
  if (!Array.isArray(receipts)) return [];
  return receipts.map(receiptOf).filter((receipt) => receipt !== null);
}

function receiptOf(value: unknown): KeptReceipt | null {
  const fields = fieldsOf(value);
  const productId = textIn(fields?.get("productId"), wordPattern);
  const number = countIn(fields?.get("number"));
  const hash = textIn(fields?.get("hash"), hashPattern);
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
  const tag = textIn(fields?.get("tag"), wordPattern);
  const at = timeIn(fields?.get("at"));
  const commitment = textIn(fields?.get("commitment"), hashPattern);
  const signature = textIn(fields?.get("signature"), signaturePattern);
  if (tag === null || at === null || commitment === null || signature === null) return null;
  return { tag, at, commitment, signature };
}
