import { z } from "zod";
import { isBound } from "#domain/account.ts";
import { type AuctionState, auctionLimits, categories, grades, subcategoriesOf } from "#domain/auction.ts";
import { decideClose } from "#domain/auction-close.ts";
import { hasEnded } from "#domain/auction-end.ts";
import { type BidOutcome, decideBid, newBidding } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import { parseAmount } from "#domain/money.ts";
import { checkProduct, type NewProduct } from "#domain/product-check.ts";
import { type Row, refuse } from "./row.ts";
import type { KnownAccount } from "./stored.ts";
import { storedPath } from "./stored-path.ts";

/** The result of reading a product; `pictures` are paths below the export's `files/`. */
export type OldProduct = { product: NewProduct; createdAt: Date | null; pictures: string[] };
/** A bid of the export; `key` is its id there. */
export type ReadBid = { key: string; row: Row; bidderId: string; amount: Cents; createdAt: Date };
export type Settlement = {
  state: AuctionState;
  closedAt: Date | null;
  winnerId: string | null;
  winningBid: Cents | null;
};

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const list = z.array(z.string());

function picturesOf(row: Row): string[] {
  const one = row.text("imageUrl");
  const many = list.safeParse(row.value("imageUrls")).data ?? [];
  const texts = many.length > 0 ? many : one === "" ? [] : [one];
  const paths = [...new Set(texts.flatMap((text) => storedPath(text, "auction-images") ?? []))];
  if (paths.length < texts.length)
    row.mend("imageUrls: left out what is no file below auction-images/, or is twice");
  if (paths.length > auctionLimits.images)
    row.mend(`imageUrls: left out those after the first ${auctionLimits.images}`);
  return paths.slice(0, auctionLimits.images);
}

/** Reads a product. It may have ended long ago; one that is on sale must end within the form's limits. */
export function readProduct(row: Row, now: Date): OldProduct {
  const endDate = row.time("endDate");
  const pictures = picturesOf(row);
  const category = row.choice("category", categories, same);
  const kinds = categories.find((each) => each === category);
  // An ended product could be listed in the past.
  const latest = endDate ? endDate.getTime() - auctionLimits.shortest : now.getTime();
  const product = checkProduct(
    {
      productName: row.text("productName"),
      description: row.text("description"),
      startingBid: row.text("startingBid"),
      category,
      subcategory: row.choice("subcategory", kinds ? subcategoriesOf[kinds] : [], same),
      grade: row.choice("grade", grades, (text, one) => same(text, one) || same(`Grade ${text}`, one)),
      handover: "",
      softClose: false,
      collectionPlace: "",
      courier: "",
      endDate,
      images: pictures.length,
    },
    new Date(Math.min(now.getTime(), latest)),
  );
  if ("code" in product) return refuse(`${product.field}: ${product.message}`);
  const createdAt = row.past("createdAt", now);
  if (createdAt !== null && createdAt >= product.endDate) refuse("createdAt is not before endDate");
  return { product, createdAt, pictures };
}

/** Reads a bid independently of the others. */
export function readBid(row: Row, key: string, bidder: KnownAccount | null, now: Date): ReadBid {
  if (bidder === null) return refuse("its bidder has no account here");
  const createdAt = row.time("createdAt");
  if (createdAt === null) return refuse("createdAt is missing: its place among the bids is not known");
  if (createdAt > now) return refuse("createdAt is in the future");
  const amount = parseAmount(row.text("bidAmount"));
  if (amount.kind === "problem") return refuse("bidAmount is no amount in rand and cents");
  return { key, row, bidderId: bidder.id, amount: amount.cents, createdAt };
}

const refusedBid: Record<Exclude<BidOutcome["kind"], "accepted">, string> = {
  ownProduct: "it is the seller's own",
  ended: "it came after the end",
  notAnAmount: "bidAmount is no amount in rand and cents",
  tooLow: "it is not R1 above the highest bid before it, or below the starting bid",
  tooHigh: "bidAmount is above the highest that there is",
  unverified: "its bidder was not verified",
  changed: "its item was changed",
};

const inOrder = (one: ReadBid, other: ReadBid): number =>
  one.createdAt.getTime() - other.createdAt.getTime() ||
  one.amount - other.amount ||
  (one.key < other.key ? -1 : 1);

/**
 * Returns the bids that Wayfare would have accepted, in the order of their time: the older product accepted any.
 * `refused` gets the others.
 */
export function replayBids(
  { startingBid, endDate }: Pick<NewProduct, "startingBid" | "endDate">,
  sellerId: string,
  bids: readonly ReadBid[],
  refused: (bid: ReadBid, reason: string) => void,
): ReadBid[] {
  let bidding = newBidding({ sellerId, startingBid, endDate, latestEnd: null });
  const accepted: ReadBid[] = [];
  for (const bid of bids.toSorted(inOrder)) {
    const { bidderId, amount: cents, createdAt } = bid;
    const attempt = {
      bidderId,
      form: "exact",
      amount: { kind: "amount", cents },
      unverifiedLimit: null,
    } as const;
    const outcome = decideBid(bidding, attempt, createdAt);
    if (outcome.kind === "accepted") {
      bidding = outcome.bidding;
      accepted.push(bid);
    } else refused(bid, refusedBid[outcome.kind]);
  }
  return accepted;
}

/** Returns the outcome of a product. An ended one counts as settled at its end. `bids` are in their order. */
export function settlementOf(
  endDate: Date,
  bids: readonly ReadBid[],
  accountOf: (id: string) => KnownAccount | null,
  now: Date,
): Settlement {
  const unsettled = { state: "open", closedAt: null, winnerId: null, winningBid: null } as const;
  if (!hasEnded(endDate, now)) return unsettled;
  const candidates = bids.toReversed().map(({ bidderId, amount }) => {
    const account = accountOf(bidderId);
    return { bidderId, amount, isBound: account !== null && isBound(account) };
  });
  const outcome = decideClose({ state: "open", endDate }, candidates, now);
  if (outcome.kind !== "sold") return { ...unsettled, state: "unsold", closedAt: endDate };
  return { state: "sold", closedAt: endDate, winnerId: outcome.winnerId, winningBid: outcome.winningBid };
}
