import { hasAccess, isBound } from "#domain/account.ts";
import { decideClose } from "#domain/auction-close.ts";
import { holdsSeller } from "#domain/auction-removal.ts";
import { type Bidding, type BidForm, decideBid, newBidding, type PublicBid } from "#domain/bid.ts";
import { type AcceptedAttempt, decideWithdrawal, replay, withdraw } from "#domain/bid-withdrawal.ts";
import { deletionDue } from "#domain/deletion.ts";
import { type DisablingFacts, decideDisabling, formerStatus } from "#domain/disabling.ts";
import type { Cents } from "#domain/money.ts";
import { decideSignIn } from "#domain/sign-in.ts";
import { type AccountAct, type AuctionWorld, type Sale, type Step, seller, startingBid } from "./leaving.ts";

const hour = 3_600_000;
const endDate = new Date(24 * hour);
const lastHours = new Date(13 * hour);
const inUse: DisablingFacts = {
  role: "student",
  status: "active",
  approvedAt: null,
  revokedAt: null,
  deletionDueAt: null,
};

/** The rules for a deletion; each mutant changes one. */
export type Rules = {
  /** Whether the account's bids count at the close and keep the account from being erased. */
  isBound(account: DisablingFacts): boolean;
  /** Whether a leader's limit goes on answering rivals. */
  keepsLimit(account: DisablingFacts): boolean;
  /** Whether the account's bids are replayed after a withdrawal. */
  isDecidedAgain(account: DisablingFacts | null): boolean;
  holdsSeller: typeof holdsSeller;
};
const rulesOfDomain: Rules = { isBound, keepsLimit: isBound, isDecidedAgain: () => true, holdsSeller };

/** A model of the rules of `domain/` alone, without a database. An erased account is null. */
export class LeavingModel implements AuctionWorld {
  readonly #rules: Rules;
  readonly #accounts: (DisablingFacts | null)[] = Array.from({ length: seller + 1 }, () => inUse);
  /** The public bid of each bidder that counts, the latest one last. */
  readonly #amounts = new Map<string, Cents>();
  readonly #withdrawals = new Map<number, readonly Date[]>();
  #bidding = newBidding({ sellerId: String(seller), startingBid, endDate, latestEnd: null });
  #attempts: AcceptedAttempt[] = [];
  #now = new Date(0);

  constructor(mistake: Partial<Rules> = {}) {
    this.#rules = { ...rulesOfDomain, ...mistake };
  }

  take(step: Step): boolean {
    if (step.kind === "night") return this.#night();
    if (step.kind === "lastHours") {
      this.#now = lastHours;
      return true;
    }
    const account = this.#accounts[step.who];
    if (!account) return false;
    if (step.kind === "bid") return hasAccess(account) && this.#bid(step);
    if (step.kind === "withdrawSlip") return hasAccess(account) && this.#withdrawSlip(step);
    const next = changed(account, step.kind, this.#now);
    if (!next) return false;
    this.#accounts[step.who] = next;
    if (step.who === seller) this.#takeOffSale(step.kind);
    this.#bidding = this.#withoutLostLimit(this.#bidding);
    return true;
  }

  close(): Sale | null {
    const candidates = [...this.#amounts]
      .toReversed()
      .toSorted(([, one], [, other]) => other - one)
      .map(([bidderId, amount]) => ({ bidderId, amount, isBound: this.#isBound(Number(bidderId)) }));
    const state = this.#bidding.open ? "open" : "removed";
    const outcome = decideClose({ state, endDate }, candidates, endDate);
    return outcome.kind === "sold" ? { winner: Number(outcome.winnerId), price: outcome.winningBid } : null;
  }

  #isBound(place: number): boolean {
    const account = this.#accounts[place] ?? null;
    return account !== null && this.#rules.isBound(account);
  }

  #bid({ who, form, amount: cents }: { who: number; form: BidForm; amount: Cents }): boolean {
    const bidderId = String(who);
    const amount = { kind: "amount", cents } as const;
    const outcome = decideBid(this.#bidding, { bidderId, form, amount, unverifiedLimit: null }, this.#now);
    if (outcome.kind !== "accepted") return false;
    this.#bidding = outcome.bidding;
    this.#show(outcome.bids);
    this.#attempts.push({ bidderId, form, amount: cents, at: this.#now });
    return true;
  }

  #withdrawSlip({ who, instead }: { who: number; instead: Cents }): boolean {
    if (!this.#mayWithdraw(who, instead)) return false;
    const [bidderId, now] = [String(who), this.#now];
    this.#withdrawals.set(who, [...(this.#withdrawals.get(who) ?? []), now]);
    this.#attempts = this.#attempts.filter(
      (each) =>
        each.bidderId !== bidderId &&
        this.#rules.isDecidedAgain(this.#accounts[Number(each.bidderId)] ?? null),
    );
    const { bidding: replayed, amounts } = replay(this.#bidding, this.#attempts);
    const rest = { bidding: this.#withoutLostLimit(replayed) };
    const { bids, bidding } = withdraw(
      { bidding: this.#bidding, bidderId, kind: "withdrawn", rest, instead, hasMovedEnd: false },
      now,
    );
    this.#bidding = bidding;
    this.#amounts.delete(bidderId);
    for (const [id, amount] of amounts) this.#amounts.set(id, amount);
    const { highestBidderId: leader, highestBid: price } = replayed;
    if (leader !== null && price !== null) this.#show([{ bidderId: leader, amount: price }]);
    const [, ...replacing] = bids;
    this.#show(replacing);
    if (replacing.length > 0) this.#attempts.push({ bidderId, form: "exact", amount: instead, at: now });
    return true;
  }

  #mayWithdraw(who: number, instead: Cents): boolean {
    const own = this.#attempts.findLast((each) => each.bidderId === String(who));
    const met = replay(this.#bidding, this.#attempts).met.get(String(who));
    const request = {
      mode: "mistake",
      bidding: this.#bidding,
      own: own && met ? { ...own, met: met.price, before: met.bound } : null,
      instead,
      withdrawals: this.#withdrawals.get(who) ?? [],
    } as const;
    return decideWithdrawal(request, this.#now).kind === "withdrawn";
  }

  #show(bids: readonly Pick<PublicBid, "bidderId" | "amount">[]): void {
    for (const { bidderId, amount } of bids) {
      this.#amounts.delete(bidderId);
      this.#amounts.set(bidderId, amount);
    }
  }

  /** Ends the limit of a leader who lost their account: no more bids are made for them. */
  #withoutLostLimit(bidding: Bidding): Bidding {
    const { highestBidderId: bidderId, highestBid: price, leaderLimit } = bidding;
    if (bidderId === null || price === null || leaderLimit === price) return bidding;
    const account = this.#accounts[Number(bidderId)];
    if (account && this.#rules.keepsLimit(account)) return bidding;
    this.#attempts.push({ bidderId, form: "upTo", amount: price, at: this.#now });
    return { ...bidding, leaderLimit: price };
  }

  /** Takes the item off sale if its seller is shut out, or leaves while no bid holds them. */
  #takeOffSale(act: AccountAct): void {
    const { highestBidderId, bidCount } = this.#bidding;
    const item = { endDate, bidCount: highestBidderId === null ? 0 : bidCount };
    const leaves = act === "askForDeletion" && !this.#rules.holdsSeller(item, this.#now);
    if (act === "disable" || leaves) this.#bidding = { ...this.#bidding, open: false };
  }

  /** Erases due accounts. An open auction keeps its seller and everyone who has bid in it. */
  #night(): boolean {
    for (const [place, account] of this.#accounts.entries()) {
      const isParty = place === seller || this.#amounts.has(String(place));
      const isKept = this.#bidding.open && isParty && this.#isBound(place);
      if (account?.deletionDueAt && !isKept) this.#accounts[place] = null;
    }
    return true;
  }
}

/** Returns the account after an act of its holder or an admin, or null if the act is refused. */
function changed(account: DisablingFacts, act: AccountAct, now: Date): DisablingFacts | null {
  if (act === "askForDeletion")
    return hasAccess(account) ? { ...account, status: "leaving", deletionDueAt: deletionDue(now) } : null;
  if (act === "logIn") {
    if (decideSignIn({ kind: "account", ...account }, true) !== "accepted") return null;
    const next = { ...account, deletionDueAt: null };
    return { ...next, status: account.status === "leaving" ? formerStatus(next) : account.status };
  }
  const outcome = decideDisabling(account, act === "disable");
  return outcome.kind === "becomes" ? { ...account, status: outcome.status } : null;
}
