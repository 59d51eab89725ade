import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ProductState, ShownBid } from "#contract/auctions.ts";
import { bidsPerPage } from "#domain/auction-list.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { rpc } from "../../../lib/rpc.ts";
import { joinBids } from "./bid-history.ts";

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
    forgetFailure: reset,
  };
}
