import { hash, randomBytes } from "node:crypto";
import {
  commitmentText,
  type HistoryRow,
  type HistoryTerms,
  type MovedLimit,
  rowText,
  termsText,
} from "#domain/bid-history.ts";
import type { Cents } from "#domain/money.ts";

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");

/** Returns the hash that a product's history begins with. */
export const firstHash = (terms: HistoryTerms): Buffer => sha256(termsText(terms));

/** Returns the hash of a row after everything before it. */
export const nextHash = (head: Buffer, row: HistoryRow): Buffer => sha256(rowText(head.toString("hex"), row));

/** Commits to a limit: the commitment is public, and the salt opens it. */
export function commitTo(limit: Cents): { salt: Buffer; commitment: Buffer } {
  const salt = randomBytes(16);
  return { salt, commitment: commitmentOf(salt, limit) };
}

/** Returns the commitment to a limit that this salt opens. */
export const commitmentOf = (salt: Buffer, limit: Cents): Buffer =>
  sha256(commitmentText(salt.toString("hex"), limit));

/** Returns a receipt's statement about a limit that its owner moved. */
export const movedLimit = (move: { tag: string; at: Date; salt: string; limit: Cents }): MovedLimit => ({
  tag: move.tag,
  at: move.at,
  commitment: commitmentOf(Buffer.from(move.salt, "hex"), move.limit).toString("hex"),
});
