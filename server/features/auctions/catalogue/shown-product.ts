import type { ProductState, ShownBid } from "#contract/auctions.ts";
import { leastBid, maskName } from "#domain/bid.ts";
import { bidsPerPage } from "#protocol/page-sizes.ts";
import type { Keys } from "#server/platform/keys.ts";
import type { StoredBid, StoredProduct } from "./queries/read-product.ts";

/** What stands for a bidder on one product's page: it shows who bids again, and nothing across products. */
export type TagOf = (productId: string, bidderId: string) => string;

export function tagger(keys: Pick<Keys, "signer">): TagOf {
  const { sign } = keys.signer("bidderTag");
  return (productId, bidderId) => sign(`${productId} ${bidderId}`).toString("base64url").slice(0, 12);
}

/** A bid as everyone sees it (docs/product.md, "Names"). */
export const shownBid = (tag: string, { number, name, amount, at }: StoredBid): ShownBid => ({
  number,
  bidder: name === null ? "Former member" : maskName(name),
  tag,
  amount,
  at: at.getTime(),
});

/** What everyone sees of a stored product, field by field. */
export function shownProduct({ facts, pictures, bids }: StoredProduct, tagOf: TagOf): ProductState | null {
  const { id, state, startingBid, price, bidCount, highestBidderId, winnerId } = facts;
  if (state === "removed") return null;
  const tag = (bidderId: string) => tagOf(id, bidderId);
  return {
    id,
    version: facts.version,
    productName: facts.productName,
    description: facts.description,
    category: facts.category,
    subcategory: facts.subcategory,
    grade: facts.grade,
    handover: facts.handover,
    seller: facts.seller && {
      name: maskName(facts.seller.name),
      since: facts.seller.since.getTime(),
      sold: facts.sold,
    },
    startingBid,
    createdAt: facts.createdAt.getTime(),
    endDate: facts.endDate.getTime(),
    state,
    price,
    leastBid: leastBid({ highestBid: bidCount > 0 ? price : null, startingBid }),
    bidCount,
    leader: highestBidderId === null ? null : tag(highestBidderId),
    winner: winnerId === null ? null : tag(winnerId),
    winningBid: facts.winningBid,
    pictures,
    bids: bids.map((bid) => shownBid(tag(bid.bidderId), bid)),
  };
}

/** The same product after more bids were accepted, newest last. */
export function withBids(product: ProductState, version: number, added: readonly ShownBid[]): ProductState {
  const latest = added.at(-1);
  if (!latest) return product;
  return {
    ...product,
    version,
    price: latest.amount,
    leastBid: leastBid({ highestBid: latest.amount, startingBid: product.startingBid }),
    bidCount: latest.number,
    leader: latest.tag,
    bids: [...added.toReversed(), ...product.bids].slice(0, bidsPerPage),
  };
}
