import type { Role } from "#domain/account.ts";

const day = 24 * 3_600_000;

/** Days after which an account is erased whose holder asked for it; logging in within them keeps it. */
export const coolingOffDays = 7;

/** Shown to somebody who logs in during these days. */
export const accountKeptText = "Because you logged in, we won't delete your account.";

/** Days after a sale for which its buyer and seller can reach each other, even if one of them leaves. */
export const contactDays = 14;

/** Returns the moment until which the buyer and seller of a sale can reach each other. */
export const contactEnds = (soldAt: Date): Date => inDays(soldAt, contactDays);

/** Kinds of ties that an account's erasure waits for: a sale or purchase, an own item with bids, a bid of one's own. */
export const tieKinds = ["sale", "item", "bid"] as const;
export type Tie = { product: string; kind: (typeof tieKinds)[number]; until: Date };

const tieTexts: Record<Tie["kind"], (product: string) => string> = {
  sale: (product) =>
    `${product}: buyer and seller can reach each other for ${contactDays} days after the sale`,
  item: (product) => `${product}: your item has bids and runs to its end`,
  bid: (product) => `${product}: your bid stands until the auction closes`,
};

/** Describes a tie that keeps an account, without its date. */
export const tieWords = ({ kind, product }: Pick<Tie, "kind" | "product">): string => tieTexts[kind](product);

/** Days before the end of an unused account of which its holder is told by email. */
export const warningDays = 14;

const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * day);

/**
 * Returns the moment at which an account is erased if its deletion is requested now, unless bids or sales keep it
 * longer.
 */
export const deletionDue = (now: Date): Date => inDays(now, coolingOffDays);

/**
 * Returns the moment at which an unused account is erased: so many days after the last login, and never sooner than the
 * days between the warning and its end.
 */
export function unusedUntil(lastLogin: Date, days: number, now: Date): Date {
  const [end, earliest] = [inDays(lastLogin, days), inDays(now, warningDays)];
  return end > earliest ? end : earliest;
}

/** Whether somebody may delete their own account. An admin's account ends with `ADMIN_EMAILS`. */
export const mayDeleteAccount = ({ role }: { role: Role }): boolean => role !== "admin";
