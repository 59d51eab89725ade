import { decideClose } from "#domain/auction-close.ts";
import { latestEndOf } from "#domain/auction-end.ts";
import { decideRemoval } from "#domain/auction-removal.ts";
import { type Bidding, type BidForm, decideBid, leastBid, newBidding } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import { notificationOfOutbid } from "#server/features/auctions/bidding/outbid.ts";
import type { TagOf } from "#server/features/auctions/catalogue/read-product.ts";
import {
  notificationOfOwnRemoval,
  notificationOfRemoval,
} from "#server/features/auctions/catalogue/remove-product.ts";
import { commitmentOf, firstHash, nextHash } from "#server/features/auctions/history/chain.ts";
import { notificationsOfClose } from "#server/features/auctions/settlement/settle.ts";
import type {
  auctionBid,
  auctionBidder,
  auctionBidding,
  auctionLimit,
  auctionOutbid,
} from "#server/features/auctions/tables.ts";
import type { Events } from "./events.ts";
import type { Account, People } from "./people.ts";
import { type Fate, type Offer, type Product, planOffers } from "./products.ts";
import { at, Random } from "./random.ts";
import { after, daysBefore, minute } from "./time.ts";

type Bid = typeof auctionBid.$inferInsert;
type Bidder = typeof auctionBidder.$inferInsert;
export type Market = {
  offers: Offer[];
  bidding: (typeof auctionBidding.$inferInsert)[];
  bids: Bid[];
  bidders: Bidder[];
  limits: (typeof auctionLimit.$inferInsert)[];
  outbid: (typeof auctionOutbid.$inferInsert)[];
};

/** The least and the greatest number of bids. */
const bidCounts: Record<Fate, readonly [least: number, most: number]> = {
  hurried: [8, 36],
  open: [-6, 18],
  sold: [1, 24],
  unsold: [0, 0],
  removed: [0, 6],
};

/** Returns an amount as people bid it: a little above the least, often a round number, now and then far above. */
function amountOf(random: Random, least: Cents): Cents {
  const step = least < 20_000 ? 500 : least < 100_000 ? 1_000 : 10_000;
  const ahead = random.chance(0.1) ? random.whole(4, 8) : random.whole(0, 2);
  if (random.chance(0.15)) return least;
  return Math.ceil(least / step) * step + ahead * step;
}

type Bids = { bidding: Bidding; bidders: Bidder[]; head: Buffer };

/** Returns the salt of a limit: 16 bytes that depend only on the plan. */
const saltOf = (key: string): Buffer => Buffer.from(key.replaceAll("-", ""), "hex");

const reason = "The pictures show another item.";

export class MarketPlan {
  readonly #random = new Random("market");
  readonly #events: Events;
  readonly #now: Date;
  readonly #adminId: string;
  readonly #traders: readonly Account[];
  readonly #tagOf: TagOf;
  readonly all: Market;

  constructor(number: number, people: People, events: Events, now: Date, tagOf: TagOf) {
    this.#tagOf = tagOf;
    this.#events = events;
    this.#now = now;
    this.#adminId = at(people.admins, 0).id;
    this.#traders = tradersOf(people, now);
    const offers = planOffers(number, this.#traders, now, tagOf);
    this.all = { offers, bidding: [], bids: [], bidders: [], limits: [], outbid: [] };
    for (const offer of offers) this.#play(offer);
  }

  #play({ product, fate }: Offer): void {
    const { id, sellerId, createdAt } = product;
    this.#events.audit(createdAt, {
      action: "product-uploaded",
      actorId: sellerId,
      subjectId: sellerId,
      detail: { product: id },
    });
    // Removed items were taken off sale some time after they were listed.
    const removedAt = after(createdAt, 0.7 * (this.#now.getTime() - createdAt.getTime()));
    const until = {
      hurried: this.#now,
      open: this.#now,
      sold: product.endDate,
      unsold: product.endDate,
      removed: removedAt,
    };
    const { bidding, bidders, head } = this.#bid(product, fate, after(until[fate], -minute));
    if (fate === "sold" || fate === "unsold") this.#close(product, bidding, bidders);
    if (fate === "removed") this.#remove(product, bidding, bidders, removedAt);
    const { category, subcategory, grade } = product;
    const isOpen = fate === "open" || fate === "hurried";
    const { highestBid, highestBidderId, bidCount, leaderLimit, endDate, latestEnd } = bidding;
    this.all.bidding.push({
      productId: id,
      open: isOpen,
      endsAt: endDate,
      latestEnd,
      leaderLimit,
      head,
      writtenTo: bidCount,
      price: highestBid ?? product.startingBid,
      highestBidderId,
      bidCount,
      version: 1 + bidCount + (isOpen ? 0 : 1),
      category,
      subcategory,
      grade,
    });
    this.all.bidders.push(...bidders);
  }

  /** Plans the bids, decided one after the other by the server's rules, and the outbid bidders. */
  #bid(product: Product, fate: Fate, until: Date): Bids {
    const random = this.#random;
    const { id: productId, sellerId, startingBid, endDate, productName } = product;
    const people = this.#biddersFor(sellerId);
    const bidders = new Map<string, Bidder>();
    const outbid = new Map<string, { number: number; mailedAt: Date }>();
    let bidding = newBidding({ sellerId, startingBid, endDate, latestEnd: latestEndOf(product) });
    const { softClose, rules, sellerTag } = product;
    let head = firstHash({ productId, sellerTag, startingBid, plannedEnd: endDate, softClose, rules });
    const [least, most] = bidCounts[fate];
    const times = random.times(Math.max(0, random.whole(least, most)), product.createdAt, until);
    // Some items are contested to the end, which extends it.
    if (fate === "sold" && random.chance(0.3)) times.push(after(endDate, -random.between(3_000, 50_000)));
    for (const createdAt of times) {
      const before = bidding.highestBidderId;
      const others = people.filter(({ id }) => id !== before || random.chance(0.05));
      const bidderId = random.pick(others.length > 0 ? others : people).id;
      const form: BidForm = random.chance(0.3) ? "upTo" : "exact";
      const cents = amountOf(random, leastBid(bidding)) * (form === "upTo" ? random.whole(1, 2) : 1);
      const attempt = {
        bidderId,
        form,
        amount: { kind: "amount", cents },
        unverifiedLimit: null,
      } as const;
      const outcome = decideBid(bidding, attempt, createdAt);
      if (outcome.kind !== "accepted") throw new Error(`a bid on ${productName} is refused: ${outcome.kind}`);
      const { bidCount } = bidding;
      bidding = outcome.bidding;
      const idempotencyKey = random.uuid();
      const salt = form === "upTo" && before !== bidderId ? saltOf(idempotencyKey) : null;
      for (const [place, bid] of outcome.bids.entries()) {
        const isOwn = bid.bidderId === bidderId;
        const number = bidCount + place + 1;
        const commitment = isOwn && salt ? commitmentOf(salt, cents) : null;
        const row = { ...bid, number, tag: this.#tagOf(productId, bid.bidderId) };
        head = nextHash(head, { ...row, at: createdAt, commitment: commitment?.toString("hex") ?? null });
        this.all.bids.push({
          ...row,
          productId,
          idempotencyKey: isOwn ? idempotencyKey : null,
          createdAt,
          hash: head,
          commitment,
        });
        const since = bidders.get(bid.bidderId)?.since ?? createdAt;
        const outbidAtOnce = isOwn && bidding.highestBidderId !== bidderId;
        const { amount } = bid;
        bidders.set(bid.bidderId, { productId, bidderId: bid.bidderId, since, amount, number, outbidAtOnce });
      }
      if (form === "upTo") {
        const number = bidders.get(bidderId)?.number ?? bidCount;
        this.all.limits.push({ bidderId, idempotencyKey, productId, number, amount: cents, createdAt, salt });
      }
      if (before !== null && before !== bidding.highestBidderId) {
        const [bidNumber, price] = [bidders.get(before)?.number ?? 0, bidding.highestBid ?? cents];
        outbid.set(before, { number: bidNumber, mailedAt: createdAt });
        const outbidRow = { productId, bidderId: before, number: bidNumber, productName, price, mail: false };
        this.#events.notify(createdAt, notificationOfOutbid(outbidRow));
      }
    }
    for (const [bidderId, notice] of outbid) this.all.outbid.push({ productId, bidderId, ...notice });
    const latestFirst = [...bidders.values()].toSorted((one, other) => other.number - one.number);
    return { bidding, bidders: latestFirst, head };
  }

  /** Picks a few bidders; the one whose address is printed is often among them. */
  #biddersFor(sellerId: string): Account[] {
    const random = this.#random;
    const others = this.#traders.filter(({ id }) => id !== sellerId);
    const isLeadIn = random.chance(0.3) && others[0] === this.#traders[0];
    return [
      ...new Set([...(isLeadIn ? others.slice(0, 1) : []), ...random.some(others, random.whole(2, 5))]),
    ];
  }

  #close(product: Product, { endDate }: Bidding, bidders: readonly Bidder[]): void {
    const { id, sellerId, productName } = product;
    const party = { isBound: true, isLeaving: false };
    const candidates = bidders.map(({ bidderId, amount }) => ({ bidderId, amount, ...party }));
    const closedAt = after(endDate, 800);
    const outcome = decideClose({ state: "open", endDate }, candidates, closedAt);
    if (outcome.kind !== "sold" && outcome.kind !== "unsold")
      throw new Error(`${productName} can't be settled`);
    Object.assign(product, { state: outcome.kind, closedAt });
    if (outcome.kind === "sold")
      Object.assign(product, { winnerId: outcome.winnerId, winningBid: outcome.winningBid });
    const sale =
      outcome.kind === "sold" ? { winner: outcome.winnerId, winningBid: String(outcome.winningBid) } : {};
    this.#events.audit(closedAt, {
      action: "auction-settled",
      subjectId: sellerId,
      detail: { product: id, outcome: outcome.kind, ...sale },
    });
    const auction = { id, sellerId, productName, seller: party, now: closedAt };
    this.#events.notify(closedAt, ...notificationsOfClose({ auction, outcome, bidders: candidates }));
  }

  /** Removes a product: by the seller, or by the admin with a reason. */
  #remove(product: Product, { bidCount }: Bidding, bidders: readonly Bidder[], now: Date): void {
    const { id: productId, sellerId, productName, endDate } = product;
    const isAdmin = this.#random.chance(0.5);
    const outcome = decideRemoval({ state: "open", endDate, bidCount }, { isAdmin, isSeller: !isAdmin }, now);
    if (outcome.kind !== "removed") throw new Error(`${productName} can't be taken off sale`);
    const { by } = outcome;
    const removalReason = by === "admin" ? reason : null;
    Object.assign(product, { state: "removed", closedAt: now, removedBy: by, removalReason });
    this.#events.audit(now, {
      action: "product-removed",
      actorId: by === "admin" ? this.#adminId : sellerId,
      subjectId: sellerId,
      detail: { product: productId, by, ...(removalReason && { reason }) },
    });
    const recipients = bidders.map(({ bidderId }) => ({ productId, bidderId, productName }));
    this.#events.notify(
      now,
      ...recipients.map((bidder) => notificationOfRemoval(bidder, removalReason ?? "")),
    );
    if (by === "admin") this.#events.notify(now, notificationOfOwnRemoval(sellerId, product, reason));
  }
}

/** Returns the people who signed up before any item was listed, and who may bid any amount. */
function tradersOf({ students: [, bidder, ...others], agents }: People, now: Date): Account[] {
  const since = daysBefore(now, 60);
  const verified = [...others, ...agents].filter(
    ({ role, status, emailVerified, createdAt }) =>
      emailVerified && createdAt < since && status === (role === "agent" ? "approved" : "active"),
  );
  return [...(bidder ? [bidder] : []), ...verified];
}
