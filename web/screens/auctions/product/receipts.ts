import type { KeptReceipt, Receipt } from "#domain/bid-history.ts";
import type { Cents } from "#domain/money.ts";

/** The receipts of this tab's bids by product. They are kept in memory alone, because a limit is in them. */
const receipts = new Map<string, readonly KeptReceipt[]>();
const none: readonly KeptReceipt[] = [];
const watchers = new Set<() => void>();

/** Calls the watcher after each new receipt; returns the end of that. */
export function watchReceipts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Keeps the receipt of a bid, if it got one. `limit` is the one that it commits to, if any. */
export function keepReceipt(receipt: Receipt | null, limit: Cents | null): void {
  if (receipt === null) return;
  const { productId } = receipt;
  const own = { ...receipt, limit: receipt.salt === null ? null : limit };
  receipts.set(productId, [...receiptsOf(productId), own]);
  for (const watcher of watchers) watcher();
}

/** Returns the receipts of this tab's bids for a product, the oldest first. */
export const receiptsOf = (productId: string): readonly KeptReceipt[] => receipts.get(productId) ?? none;
