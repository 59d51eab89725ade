import { hasAccess, isBound } from "#domain/account.ts";
import { decideClose } from "#domain/auction-close.ts";
import { decideBid, newBidding } from "#domain/bid.ts";
import { deletionDue } from "#domain/deletion.ts";
import { type Disableable, decideDisabling, formerStatus } from "#domain/disabling.ts";
import type { Cents } from "#domain/money.ts";
import { decideSignIn } from "#domain/sign-in.ts";
import { type AuctionWorld, bidders, type Sale, type Step, startingBid } from "./leaving.ts";

const now = new Date(0);
const endDate = new Date(3_600_000);
const inUse: Disableable = {
  role: "student",
  status: "active",
  approvedAt: null,
  revokedAt: null,
  deletionDueAt: null,
};

/** A model of the rules of `domain/` alone, without a database: erased accounts are null. */
export class LeavingModel implements AuctionWorld {
  #bidding = newBidding({ sellerId: "seller", startingBid, endDate, latestEnd: null });
  readonly #accounts: (Disableable | null)[] = Array.from({ length: bidders }, () => inUse);
  readonly #highest = new Map<number, Cents>();

  take(step: Step): boolean {
    if (step.kind === "night") return this.#night();
    const account = this.#accounts[step.who];
    if (!account) return false;
    if (step.kind === "bid") return hasAccess(account) && this.#bid(step.who, step.amount);
    const next = changed(account, step.kind);
    if (next) this.#accounts[step.who] = next;
    return next !== null;
  }

  close(): Sale | null {
    const candidates = [...this.#highest]
      .toSorted(([, one], [, other]) => other - one)
      .map(([bidder, amount]) => {
        const account = this.#accounts[bidder] ?? null;
        return { bidderId: String(bidder), amount, isBound: account !== null && isBound(account) };
      });
    const outcome = decideClose({ state: "open", endDate }, candidates, endDate);
    return outcome.kind === "sold" ? { winner: Number(outcome.winnerId), price: outcome.winningBid } : null;
  }

  #bid(bidder: number, cents: Cents): boolean {
    const attempt = {
      bidderId: String(bidder),
      form: "exact",
      amount: { kind: "amount", cents },
      unverifiedLimit: null,
    } as const;
    const outcome = decideBid(this.#bidding, attempt, now);
    if (outcome.kind !== "accepted") return false;
    this.#bidding = outcome.bidding;
    this.#highest.set(bidder, cents);
    return true;
  }

  /** Erases the accounts that nothing keeps; a bid in an open auction keeps one. */
  #night(): boolean {
    for (const [place, account] of this.#accounts.entries())
      if (account?.deletionDueAt && !(isBound(account) && this.#highest.has(place)))
        this.#accounts[place] = null;
    return true;
  }
}

/** Returns the account after an act of its holder or an admin; null if that is refused. */
function changed(
  account: Disableable,
  kind: "askForDeletion" | "logIn" | "disable" | "enable",
): Disableable | null {
  if (kind === "askForDeletion")
    return hasAccess(account) ? { ...account, status: "leaving", deletionDueAt: deletionDue(now) } : null;
  if (kind === "logIn") {
    if (decideSignIn({ kind: "account", ...account }, true) !== "accepted") return null;
    const next = { ...account, deletionDueAt: null };
    return { ...next, status: account.status === "leaving" ? formerStatus(next) : account.status };
  }
  const outcome = decideDisabling(account, kind === "disable");
  return outcome.kind === "becomes" ? { ...account, status: outcome.status } : null;
}
