import type { Role } from "#domain/account.ts";

const day = 24 * 3_600_000;

/** Days between a user's request for deletion and the erasure of the account; logging in meanwhile keeps it. */
export const coolingOffDays = 7;

/** Shown to a user who logs in during these days. */
export const accountKeptText = "Because you logged in, we won't delete your account.";

/** Days after a sale for which its buyer and seller can reach each other, even if one of them leaves. */
export const contactDays = 14;

/** Returns the moment until which the buyer and seller of a sale can reach each other. */
export const contactEnds = (soldAt: Date): Date => inDays(soldAt, contactDays);

/** Kinds of ties that an account's erasure waits for: the user's sale or purchase, item with bids, or bid. */
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

/** Days before the erasure of an unused account at which its user is warned by email. */
export const warningDays = 14;

const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * day);

/** Returns when an account is erased if its deletion is requested now, unless bids or sales keep it longer. */
export const deletionDue = (now: Date): Date => inDays(now, coolingOffDays);

/** Returns when an unused account is erased: `days` after the last login, but at least `warningDays` from now. */
export function unusedUntil(lastLogin: Date, days: number, now: Date): Date {
  const [end, earliest] = [inDays(lastLogin, days), inDays(now, warningDays)];
  return end > earliest ? end : earliest;
}

/** Whether users may delete their own account. An admin's is removed by way of `ADMIN_EMAILS`. */
export const mayDeleteAccount = ({ role }: { role: Role }): boolean => role !== "admin";
