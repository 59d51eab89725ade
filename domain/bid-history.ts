import type { Cents } from "#domain/money.ts";

/**
 * The texts whose SHA-256 hashes chain a product's history (docs/auctions.md, "Open books"). Server, browser and `npm
 * run verify` hash the same texts in UTF-8. Hashes are lower-case hexadecimal, times ISO 8601 in UTC with milliseconds,
 * amounts cents. A line never holds a line break, so two different rows have different texts.
 */

/** The terms that every bidder on the product relies on; the first hash covers them. */
export type HistoryTerms = {
  productId: string;
  sellerTag: string;
  startingBid: Cents;
  plannedEnd: Date;
  softClose: boolean;
  /** The version of /auction-rules. */
  rules: number;
};

export const termsText = (terms: HistoryTerms): string =>
  [
    "wayfare auction 1",
    terms.productId,
    terms.sellerTag,
    terms.startingBid,
    terms.plannedEnd.toISOString(),
    terms.softClose ? "soft close" : "fixed end",
    terms.rules,
  ].join("\n");

/** A row of the history. `kind` may be one of a later version; `commitment` is null unless the bid has a limit. */
export type HistoryRow = {
  number: number;
  at: Date;
  tag: string;
  amount: Cents;
  kind: string;
  commitment: string | null;
};

/** Returns the text of a row, which includes the hash of everything before it. */
export const rowText = (before: string, { number, at, tag, amount, kind, commitment }: HistoryRow): string =>
  [before, number, at.toISOString(), tag, amount, kind, commitment ?? "-"].join("\n");

/** Returns the text that commits to a limit. Only its bidder has the salt, and can reveal both after the end. */
export const commitmentText = (salt: string, limit: Cents): string => `${salt}\n${limit}`;

/** The hash of a history's row, which covers the row and everything before it. Row 0 is the terms. */
export type Head = { number: number; hash: string };

/** Returns the text of a head. Receipts sign it, and it is a leaf of the daily log. */
export const headText = (productId: string, { number, hash }: Head): string =>
  ["wayfare auction head 1", productId, number, hash].join("\n");

/** A signature of a head's text, in base64, and the key that made it. */
export type HeadSignature = { keyId: string; signature: string };

/**
 * A limit that the leader moved, which adds no row. `tag` is the leader's, and the commitment is to the new limit.
 */
export type MovedLimit = { tag: string; at: Date; commitment: string };

/** Returns the text that Wayfare signs to acknowledge a moved limit; only the limit's owner receives it. */
export const movedLimitText = (
  { productId, number, hash }: Head & { productId: string },
  { tag, at, commitment }: MovedLimit,
): string =>
  ["wayfare auction limit 1", productId, number, hash, tag, at.toISOString(), commitment].join("\n");

/**
 * The receipt of a bid: the hash of its row, and a signed head that is at least as late. `salt` opens the commitment to
 * the bidder's limit, and is null without one. For a moved limit, `number` and `hash` are the latest row's, and `moved`
 * is signed by the same key.
 */
export type Receipt = Head &
  HeadSignature & {
    productId: string;
    head: Head;
    salt: string | null;
    moved: (MovedLimit & Pick<HeadSignature, "signature">) | null;
  };

/** A receipt as its owner keeps it, with the limit that it commits to, if any. */
export type KeptReceipt = Receipt & { limit: Cents | null };

/** Returns the content of the file in which a bidder keeps their receipts. */
export const receiptFile = (receipts: readonly KeptReceipt[]): string =>
  `${JSON.stringify({ receipts }, null, 2)}\n`;
