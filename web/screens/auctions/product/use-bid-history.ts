import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ProductState, ShownBid } from "#contract/auctions.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { bidsPerPage } from "#protocol/page-sizes.ts";
import { rpc } from "../../../lib/rpc.ts";

/** A product's bids, newest first, live; older ones are asked for a page at a time. */
export function useBidHistory({ id, bids: latest }: ProductState) {
  const [seen, setSeen] = useState<readonly ShownBid[]>(latest);
  const [limit, setLimit] = useState(bidsPerPage);
  const [known, setKnown] = useState(latest);
  const bids = joinBids(latest, seen, limit);
  if (known !== latest) {
    // What leaves the latest ones stays in sight.
    setKnown(latest);
    setSeen(bids);
  }
  const below = bids.at(-1)?.number ?? 1;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.auctions.bids({ productId: id, below }),
    onSuccess: (page) => {
      setSeen((before) => [...before, ...page.bids]);
      setLimit((before) => before + bidsPerPage);
    },
  });
  return {
    bids,
    hasOlder: below > 1,
    isLoading: isPending,
    showOlder: () => mutate(),
    failure: error && friendlyError(error),
    clearFailure: reset,
  };
}

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
