import type { ShownBid } from "#contract/auctions.ts";

/**
 * The bids that a page shows, newest first: the latest ones as the product has them, and of those seen before as many
 * as follow without a gap. A page that was hidden during many bids has one; what is in it is asked for again.
 */
export function joinBids(
  latest: readonly ShownBid[],
  seen: readonly ShownBid[],
  limit: number,
): readonly ShownBid[] {
  const byNumber = new Map([...seen, ...latest].map((bid) => [bid.number, bid]));
  const joined: ShownBid[] = [];
  let number = latest[0]?.number ?? 0;
  for (let bid = byNumber.get(number); bid && joined.length < limit; bid = byNumber.get(--number))
    joined.push(bid);
  return joined;
}
