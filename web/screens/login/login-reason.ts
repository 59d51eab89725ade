/** What the login screen says to visitors who come from one of these screens. */
const reasons: Readonly<Record<string, string>> = {
  "upload-product": "You must be logged in to upload a product.",
  product: "You must be logged in to place a bid.",
};

/** The message for the address to go on to after login; null for most. */
export const loginReason = (next: string | null): string | null =>
  reasons[next?.split(/[/?]/, 2)[1] ?? ""] ?? null;
