const keyOf = (viewerId: string): string => `receipts of ${viewerId}`;

/** Returns the text of a viewer's receipts that this browser keeps; empty if there are none. */
export function storedReceipts(viewerId: string): string {
  try {
    return localStorage.getItem(keyOf(viewerId)) ?? "";
  } catch {
    return "";
  }
}

export function storeReceipts(viewerId: string, text: string): void {
  try {
    localStorage.setItem(keyOf(viewerId), text);
  } catch {
    // Without storage the receipts live as long as the tab.
  }
}

/** Drops the receipts of a viewer who logs out on purpose: others may use the browser. */
export function dropReceipts(viewerId: string): void {
  try {
    localStorage.removeItem(keyOf(viewerId));
  } catch {
    // Without storage there are none.
  }
}
