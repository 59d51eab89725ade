import { type KeptReceipt, type Receipt, receiptFile } from "#domain/bid-history.ts";
import { receiptsIn } from "#domain/history-lines.ts";
import type { Cents } from "#domain/money.ts";
import { storedReceipts, storeReceipts } from "../../../lib/receipt-memory.ts";
import { viewerId } from "../../../lib/viewer.ts";

/** Maximum number of receipts that a browser stores for one person: the latest. */
const mostStored = 200;

/**
 * Receipts by bidder, with the limits of this tab's bids. Earlier ones come from the browser's storage, which holds no
 * limit and no salt, because others may use the browser.
 */
const receipts = new Map<string, readonly KeptReceipt[]>();
const none: readonly KeptReceipt[] = [];
const watchers = new Set<() => void>();

/** Calls the watcher after each new receipt, until the returned function is called. */
export function watchReceipts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Keeps the receipt of the viewer's bid, if it got one. `limit` is the one that it commits to, if any. */
export function keepReceipt(receipt: Receipt | null, limit: Cents | null): void {
  const bidderId = viewerId();
  if (receipt === null || bidderId === null) return;
  const own = { ...receipt, limit: receipt.salt === null ? null : limit };
  receipts.set(bidderId, [...receiptsOf(bidderId), own]);
  // Another tab may have stored one meanwhile.
  const all = [...receiptsIn(storedReceipts(bidderId)), { ...own, salt: null, limit: null }];
  storeReceipts(bidderId, receiptFile(all.slice(-mostStored)));
  for (const watcher of watchers) watcher();
}

/** Returns the bidder's receipts that this browser has, oldest first; none for a visitor. */
export function receiptsOf(bidderId: string | null): readonly KeptReceipt[] {
  if (bidderId === null) return none;
  const own = receipts.get(bidderId) ?? receiptsIn(storedReceipts(bidderId));
  receipts.set(bidderId, own);
  return own;
}
