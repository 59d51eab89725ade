import type { Receipt } from "./bid-history.ts";
import type { Cents } from "./money.ts";

/** A receipt as its owner keeps it, with the limit that it commits to, if any. */
export type KeptReceipt = Receipt & { limit: Cents | null };

/** Writes the file in which somebody keeps their receipts. */
export const receiptFile = (receipts: readonly KeptReceipt[]): string =>
  `${JSON.stringify({ receipts }, null, 2)}\n`;
